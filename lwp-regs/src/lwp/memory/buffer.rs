//! The ring buffer's memory.

#[cfg(all(test, loom))]
use super::loom_cells::read_word;
use crate::lwp::{EVENT_RECORD_BYTES, EventRecord};
use core::cell::UnsafeCell;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;

/// Memory for a ring buffer of `RECORDS` event records, aligned as hardware wants it. It holds one record less than it
/// has room for.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Table 4, BufferBase; aligning to a page
/// is encouraged but not required.
#[repr(C, align(32))]
pub struct EventBuffer<const RECORDS: usize> {
    records: UnsafeCell<[[u8; EVENT_RECORD_BYTES]; RECORDS]>,
}

impl<const RECORDS: usize> EventBuffer<RECORDS> {
    /// Size in bytes. Less than two records, or more than fit in 28 bits, do not compile.
    pub const BYTES: u32 = {
        assert!(RECORDS >= 2, "a ring buffer has room for at least two records");
        let max = crate::lwp::SizeWord::MAX_BUFFER_SIZE as usize / EVENT_RECORD_BYTES;
        assert!(RECORDS <= max, "a ring buffer has less than 2^28 bytes");
        (RECORDS * EVENT_RECORD_BYTES) as u32
    };

    /// Memory that is all zero.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        let _ = Self::BYTES;
        Self { records: UnsafeCell::new([[0; EVENT_RECORD_BYTES]; RECORDS]) }
    }

    /// The view to read it through while hardware writes it. Hand [`address`](BufferView::address) and
    /// [`size`](BufferView::size) to [`LwpcbBuilder::buffer`](crate::lwp::LwpcbBuilder::buffer).
    pub fn view(&mut self) -> BufferView<'_> {
        BufferView { memory: NonNull::from(self).cast(), size: Self::BYTES, lifetime: PhantomData }
    }
}

impl<const RECORDS: usize> Default for EventBuffer<RECORDS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const RECORDS: usize> fmt::Debug for EventBuffer<RECORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventBuffer").field("records", &RECORDS).finish_non_exhaustive()
    }
}

/// A ring buffer that hardware writes and software only reads.
pub struct BufferView<'a> {
    memory: NonNull<[u64; 4]>,
    size: u32,
    lifetime: PhantomData<&'a mut [u64; 4]>,
}

// SAFETY: the view only reads, and nothing in it is bound to a thread.
unsafe impl Send for BufferView<'_> {}

impl BufferView<'_> {
    /// A view of the `size` bytes at `address`, or `None` if the address is not a multiple of 32.
    ///
    /// # Safety
    ///
    /// For the lifetime of the view, the bytes are valid for reads, and only the hardware writes there.
    #[must_use]
    pub unsafe fn new(address: NonNull<u8>, size: u32) -> Option<Self> {
        if address.addr().get().is_multiple_of(EVENT_RECORD_BYTES) {
            Some(Self { memory: address.cast(), size, lifetime: PhantomData })
        } else {
            None
        }
    }

    /// Linear address of the buffer as this program sees it. The pointer's provenance is exposed, as that of
    /// [`ActiveLwpcb::address`](crate::lwp::ActiveLwpcb::address) is.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.memory.as_ptr().expose_provenance() as u64
    }

    /// Size in bytes.
    #[must_use]
    #[inline]
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// The record at `offset` bytes, `None` unless it lies in the buffer at a multiple of 32.
    #[must_use]
    pub fn read(&self, offset: u32) -> Option<EventRecord> {
        let record = EVENT_RECORD_BYTES as u32;
        if !offset.is_multiple_of(record) || offset.checked_add(record)? > self.size {
            return None;
        }
        // SAFETY: the record lies within the memory that the view was made for.
        let at = unsafe { self.memory.byte_add(offset as usize) }.cast::<u64>();
        Some(EventRecord::from_words(core::array::from_fn(|i| {
            // SAFETY: `i` is one of the record's four words.
            let word = unsafe { at.add(i) };
            // SAFETY: valid and aligned.
            u64::from_le(unsafe { read_word(word) })
        })))
    }
}

/// Reads a word of a record: volatile, as hardware is the writer.
///
/// # Safety
///
/// It is valid and aligned.
#[inline]
#[cfg(not(all(test, loom)))]
unsafe fn read_word(word: NonNull<u64>) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { word.read_volatile() }
}

#[cfg(all(test, loom))]
impl BufferView<'_> {
    /// A view of memory of which only the address is used: behind it stands loom's.
    pub(crate) const fn for_schedules(memory: NonNull<[u64; 4]>, size: u32) -> Self {
        Self { memory, size, lifetime: PhantomData }
    }
}

#[cfg(test)]
impl BufferView<'_> {
    /// Stands in for the hardware: stores a record.
    pub(crate) fn poke(&self, offset: u32, record: EventRecord) {
        assert!(self.read(offset).is_some());
        // SAFETY: within the buffer, as the read has shown.
        let at = unsafe { self.memory.byte_add(offset as usize) };
        // SAFETY: valid and aligned.
        unsafe { at.write_volatile(record.words().map(u64::to_le)) };
    }
}

impl fmt::Debug for BufferView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufferView").field("memory", &self.memory).field("size", &self.size).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_records_at_their_offsets_only() {
        let mut buffer = EventBuffer::<2>::new();
        buffer.records.get_mut()[1] = core::array::from_fn(|i| i as u8);
        let view = buffer.view();
        assert_eq!(view.size(), 64);
        assert_eq!(view.address() % 32, 0);
        assert_eq!(view.read(0), Some(EventRecord::default()));
        assert_eq!(view.read(32).unwrap().to_bytes()[31], 31);
        for offset in [1, 31, 48, 64, 96, u32::MAX - 31, u32::MAX] {
            assert_eq!(view.read(offset), None);
        }
    }

    #[test]
    fn misaligned_memory_is_refused() {
        let mut buffer = EventBuffer::<2>::new();
        let address = NonNull::from(&mut buffer).cast::<u8>();
        // SAFETY: within the buffer.
        let within = unsafe { address.byte_add(16) };
        // SAFETY: the buffer is there and is used by nobody else.
        let good = unsafe { BufferView::new(address, 64) };
        // SAFETY: as above; the address is wrong on purpose.
        let bad = unsafe { BufferView::new(within, 32) };
        assert!(good.is_some());
        assert!(bad.is_none());
    }
}
