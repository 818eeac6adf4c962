//! The control block while hardware uses it.

use super::block::{LwpcbBlock, LwpcbHeader, LwpcbSlot};
use super::{LwpcbWatch, ViewError};
use crate::lwp::{
    CounterWord, EVENT_RECORD_BYTES, FilterWord, FlagsWord, LWPCB_HEADER_BYTES, LwpcbAddr, LwpcbImage, MAX_SLOTS,
    SizeWord, SlotImage, SlotWord, lwpcb_bytes,
};
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;
use core::sync::atomic::Ordering;
#[cfg(not(all(test, loom)))]
use core::sync::atomic::fence;
#[cfg(all(test, loom))]
use loom::sync::atomic::fence;
#[cfg(not(target_pointer_width = "64"))]
use volatile_register::RO;

/// One cell of the block. It may change at any time, which a shared reference to a volatile cell allows; there is
/// never a reference to more than the cell.
#[cfg(not(all(test, loom)))]
macro_rules! cell {
    ($at:expr, $field:ident) => {{
        let at = $at.as_ptr();
        // SAFETY: valid memory for as long as the view lives, by the contract of `ActiveLwpcb::new`.
        unsafe { &(*at).$field }
    }};
}

/// The same cell in loom's memory: what the schedule explorer lets the two sides see.
#[cfg(all(test, loom))]
macro_rules! cell {
    ($at:expr, $field:ident) => {{
        let at = $at.as_ptr();
        // SAFETY: as above; only the address is taken.
        unsafe { super::loom_cells::cell(&raw const (*at).$field) }
    }};
}

/// A control block that hardware uses, or may use: every field can be read, and the tail alone can be written.
///
/// Each read is one volatile access, so two reads may see different moments. What hardware keeps in its own registers
/// reaches memory only when it flushes: the head at the latest when the threshold is met or the buffer is full, the
/// counters with SLWPCB.
///
/// The view may move to another thread, which then drains the buffer of the profiled one.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block" and "LWPCB Access".
pub struct ActiveLwpcb<'a> {
    block: NonNull<LwpcbHeader>,
    slots: usize,
    memory: PhantomData<&'a mut LwpcbHeader>,
}

// SAFETY: the view owns the software side of the block for 'a; nothing in it is bound to a thread.
unsafe impl Send for ActiveLwpcb<'_> {}

impl<'a> ActiveLwpcb<'a> {
    /// A second view, that only reads and leaves out the tail: it may be used while this one drains in another thread.
    #[inline]
    pub(in crate::lwp) const fn watch(&self) -> LwpcbWatch<'a> {
        LwpcbWatch::new(Self { block: self.block, slots: self.slots, memory: PhantomData })
    }
}

impl ActiveLwpcb<'_> {
    /// A view of the block at `address`, with `slots` slots.
    ///
    /// # Safety
    ///
    /// For the lifetime of the view, `address` is valid for reads and writes of
    /// [`lwpcb_bytes(slots)`](crate::lwp::lwpcb_bytes) bytes, and nobody but the hardware and this view writes there;
    /// no Rust reference to these bytes is used meanwhile.
    ///
    /// # Errors
    ///
    /// [`ViewError`] if the address is misaligned or there cannot be so many slots.
    pub unsafe fn new(address: NonNull<u8>, slots: usize) -> Result<Self, ViewError> {
        LwpcbAddr::new(address.addr().get() as u64).map_err(ViewError::Address)?;
        if slots > MAX_SLOTS {
            return Err(ViewError::Slots(slots));
        }
        // SAFETY: what remains to be vouched for, the caller has vouched for.
        Ok(unsafe { Self::from_raw(address, slots) })
    }

    /// A view of the block at `block`, whose type tells the number of slots.
    ///
    /// # Safety
    ///
    /// As for [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new); more than 26 slots do not compile.
    pub unsafe fn of_block<const SLOTS: usize>(block: NonNull<LwpcbBlock<SLOTS>>) -> Result<Self, ViewError> {
        const { assert!(LwpcbBlock::<SLOTS>::BYTES == lwpcb_bytes(SLOTS)) };
        // SAFETY: the caller vouches for it.
        unsafe { Self::new(block.cast(), SLOTS) }
    }

    /// # Safety
    ///
    /// As for [`new`](Self::new), and both arguments are within its limits.
    #[inline]
    pub(super) const unsafe fn from_raw(address: NonNull<u8>, slots: usize) -> Self {
        Self { block: address.cast(), slots, memory: PhantomData }
    }

    /// What to point the hardware at. The pointer's provenance is exposed, so that a stand-in for the hardware on the
    /// same machine can turn the number back into a pointer.
    ///
    /// # Panics
    ///
    /// Never: a view exists only of a block at a valid address.
    #[must_use]
    pub fn address(&self) -> LwpcbAddr {
        LwpcbAddr::new(self.block.as_ptr().expose_provenance() as u64).expect("checked when the view was made")
    }

    /// Number of slots.
    #[must_use]
    #[inline]
    pub const fn slots(&self) -> usize {
        self.slots
    }

    /// Where slot `index` is, if it exists.
    #[inline]
    const fn slot_at(&self, index: usize) -> Option<NonNull<LwpcbSlot>> {
        if index >= self.slots {
            return None;
        }
        // SAFETY: the header is part of a block that is longer.
        let first = unsafe { self.block.byte_add(LWPCB_HEADER_BYTES) }.cast::<LwpcbSlot>();
        // SAFETY: the block has more than `index` slots.
        Some(unsafe { first.add(index) })
    }

    /// What the hardware is doing; written by it while it loads the block.
    #[must_use]
    pub fn flags(&self) -> FlagsWord {
        FlagsWord::from_bits(cell!(self.block, flags).read())
    }

    /// Size of the buffer and randomness of counters.
    #[must_use]
    pub fn size(&self) -> SizeWord {
        SizeWord::from_bits(cell!(self.block, size).read())
    }

    /// Linear address of the buffer.
    #[must_use]
    pub fn base(&self) -> u64 {
        cell!(self.block, base).read()
    }

    /// Where hardware stores the next record, in bytes from the base, as it is in memory: not checked. Records below it
    /// may be read afterwards.
    #[must_use]
    pub fn head(&self) -> u32 {
        let head = cell!(self.block, head).read();
        // Reads of the records must not move before the head that announces them.
        fence(Ordering::Acquire);
        head
    }

    /// The oldest record, in bytes from the base.
    #[must_use]
    pub fn tail(&self) -> u32 {
        cell!(self.block, tail).read()
    }

    /// How many events found the buffer full.
    #[must_use]
    pub fn missed_events(&self) -> u64 {
        #[cfg(target_pointer_width = "64")]
        {
            cell!(self.block, missed).read()
        }
        #[cfg(not(target_pointer_width = "64"))]
        {
            let halves: NonNull<RO<u32>> = NonNull::from(cell!(self.block, missed)).cast();
            monotonic_u64(|half| {
                // SAFETY: a 64-bit cell is two 32-bit cells, and `half` is 0 or 1.
                let cell = unsafe { halves.add(half) };
                // SAFETY: as for `cell!`.
                unsafe { cell.as_ref() }.read()
            })
        }
    }

    /// Bytes of used space at which hardware interrupts; 0 for never.
    #[must_use]
    pub fn threshold(&self) -> u32 {
        cell!(self.block, threshold).read()
    }

    /// The filters.
    #[must_use]
    pub fn filter(&self) -> FilterWord {
        FilterWord::from_bits(cell!(self.block, filter).read())
    }

    /// What slot `index` counts; `None` if there is no such slot.
    #[must_use]
    pub fn slot(&self, index: usize) -> Option<SlotWord> {
        Some(SlotWord::from_bits(cell!(self.slot_at(index)?, word).read()))
    }

    /// The counter of slot `index` when hardware last flushed it; `None` if there is no such slot.
    #[must_use]
    pub fn counter(&self, index: usize) -> Option<CounterWord> {
        Some(CounterWord::from_bits(cell!(self.slot_at(index)?, counter).read()))
    }

    /// Tells hardware that all records below `tail` (in ring order) have been taken.
    ///
    /// # Errors
    ///
    /// [`ViewError::Tail`] if `tail` is not a multiple of 32 below the buffer's size; nothing is written then.
    pub fn set_tail(&mut self, tail: u32) -> Result<(), ViewError> {
        let size = self.size().buffer_size().get();
        if !tail.is_multiple_of(EVENT_RECORD_BYTES as u32) || tail >= size {
            return Err(ViewError::Tail { tail, size });
        }
        // Reads of the records must be over before hardware may store there again.
        fence(Ordering::Release);
        let cell = cell!(self.block, tail);
        // SAFETY: the tail is software's, and the view is its only writer.
        unsafe { cell.write(tail) };
        Ok(())
    }

    /// Writes the whole block anew.
    ///
    /// # Safety
    ///
    /// Hardware does not use the block.
    pub(in crate::lwp) unsafe fn rewrite(&mut self, image: &LwpcbImage) {
        let bytes = image.to_bytes();
        for (i, word) in bytes.as_chunks::<4>().0.iter().take(lwpcb_bytes(self.slots) / 4).enumerate() {
            // SAFETY: within the block, which has as many words.
            let at = unsafe { self.block.cast::<u32>().add(i) };
            // SAFETY: valid and aligned; nobody else uses the block. Volatile, as all accesses to it are.
            unsafe { at.write_volatile(u32::from_ne_bytes(*word)) };
        }
    }

    /// The whole block as data, read field by field: not a snapshot of one moment while hardware is running.
    #[must_use]
    pub fn image(&self) -> LwpcbImage {
        let mut image = LwpcbImage {
            flags: self.flags().into_bits(),
            size: self.size(),
            base: self.base(),
            head: self.head(),
            tail: self.tail(),
            missed: self.missed_events(),
            threshold: self.threshold(),
            filter: self.filter(),
            ..LwpcbImage::zeroed()
        };
        let slot = |i| Some(SlotImage { word: self.slot(i)?, counter: self.counter(i)? });
        for (image, slot) in image.slots.iter_mut().zip((0..self.slots).map_while(slot)) {
            *image = slot;
        }
        image
    }
}

#[cfg(test)]
impl ActiveLwpcb<'_> {
    /// Stands in for the hardware: changes the 32-bit word at an offset.
    pub(crate) fn poke(&self, offset: usize, value: u32) {
        assert!(offset.is_multiple_of(4) && offset < lwpcb_bytes(self.slots));
        // SAFETY: within the block, as just checked.
        let at = unsafe { self.block.byte_add(offset) }.cast::<u32>();
        // SAFETY: valid and aligned; every word of the block is a cell.
        unsafe { at.write_volatile(value) };
    }
}

impl fmt::Debug for ActiveLwpcb<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActiveLwpcb").field("block", &self.block).field("slots", &self.slots).finish()
    }
}

/// Reads a counter that only grows through a bus of half its width: half 1 is the upper one. If the upper half did not
/// change around the read of the lower one, the two belong together.
#[cfg(any(test, not(target_pointer_width = "64")))]
fn monotonic_u64(mut half: impl FnMut(usize) -> u32) -> u64 {
    let mut high = half(1);
    loop {
        let low = half(0);
        let again = half(1);
        if again == high {
            return u64::from(high) << 32 | u64::from(low);
        }
        high = again;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::{LwpcbMemory, offset};

    fn image() -> LwpcbImage {
        let mut image = LwpcbImage {
            flags: 0x8000_0005,
            size: SizeWord::from_bits(0x3000_0100),
            base: 0x1234_5678_9ABC_DE00,
            head: 0x40,
            tail: 0x20,
            missed: 0x1_0000_0002,
            threshold: 0x60,
            filter: FilterWord::from_bits(0x2101),
            ..LwpcbImage::zeroed()
        };
        image.slots[0] = SlotImage::new(7, 2, 3);
        image.slots[1] = SlotImage::new(9, 1, 8);
        image
    }

    // LWP-LCB-01, LWP-LCB-17, LWP-STO-13
    #[test]
    fn every_field_is_read_from_its_place() {
        let mut memory = LwpcbMemory::new();
        let view = memory.load_image(2, &image());
        assert_eq!(view.image(), image());
        assert_eq!(view.missed_events(), 0x1_0000_0002);
        assert_eq!(view.address().get() % 16, 0);
        assert_eq!((view.slot(2), view.counter(2)), (None, None));
    }

    // LWP-LCB-05, LWP-LCB-15
    #[test]
    fn only_the_tail_changes() {
        let mut memory = LwpcbMemory::new();
        let mut view = memory.load_image(2, &image());
        assert_eq!(view.set_tail(0xE0), Ok(()));
        assert_eq!(view.tail(), 0xE0);
        assert_eq!(memory.image(2), LwpcbImage { tail: 0xE0, ..image() });
    }

    // LWP-LCB-04, LWP-LLW-04: an idle block is ordinary memory, every word of it can be written
    #[test]
    fn an_idle_block_can_be_written_anew() {
        let mut memory = LwpcbMemory::new();
        let mut view = memory.load_image(2, &LwpcbImage::zeroed());
        // SAFETY: no hardware uses it.
        unsafe { view.rewrite(&image()) };
        assert_eq!(view.image(), image());
        let watch = view.watch();
        assert_eq!((watch.address(), watch.slots()), (view.address(), 2));
        assert_eq!((watch.flags().into_bits(), watch.head()), (0x8000_0005, 0x40));
        assert_eq!(watch.missed_events(), 0x1_0000_0002);
        assert_eq!(watch.counter(1).map(CounterWord::into_bits), Some(8));
    }

    // LWP-LCB-16
    #[test]
    fn a_bad_tail_is_not_written() {
        let mut memory = LwpcbMemory::new();
        let mut view = memory.load_image(2, &image());
        for tail in [1, 0x21, 0x100, u32::MAX] {
            assert_eq!(view.set_tail(tail), Err(ViewError::Tail { tail, size: 0x100 }));
        }
        assert_eq!(view.tail(), 0x20);
    }

    #[test]
    fn sees_what_hardware_writes() {
        let mut memory = LwpcbMemory::new();
        let view = memory.load_image(1, &image());
        view.poke(offset::HEAD, 0x80);
        assert_eq!(view.head(), 0x80);
    }

    #[test]
    fn impossible_views_are_refused() {
        let mut memory = LwpcbMemory::new();
        let address = NonNull::from(&mut memory).cast::<u8>();
        // SAFETY: within the memory.
        let within = unsafe { address.byte_add(8) };
        // SAFETY: the memory is there and is used by nobody else; the arguments are wrong on purpose.
        let misaligned = unsafe { ActiveLwpcb::new(within, 1) };
        assert!(matches!(misaligned, Err(ViewError::Address(_))));
        // SAFETY: as above.
        let slots = unsafe { ActiveLwpcb::new(address, 27) };
        assert!(matches!(slots, Err(ViewError::Slots(27))));
        // SAFETY: as above, with right ones.
        assert!(unsafe { ActiveLwpcb::new(address, 26) }.is_ok());
    }

    // LWP-STO-13
    #[test]
    fn a_torn_counter_is_read_again() {
        // The counter goes from 0xFFFF_FFFF to 0x1_0000_0000 between the first two reads.
        let mut reads = [0, 0, 1, 0, 1].into_iter();
        let mut halves = [1, 0, 1, 0, 1].into_iter();
        let value = monotonic_u64(|half| {
            assert_eq!(Some(half), halves.next());
            reads.next().unwrap()
        });
        assert_eq!(value, 0x1_0000_0000);
    }
}
