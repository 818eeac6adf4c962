//! Memory that the processor writes records to. The only file of the unit with pointers in it.
//!
//! The processor changes this memory behind the compiler's back, so nothing here makes a reference to the whole of it:
//! the views hold a pointer and read piece by piece, each in one volatile access.
#![allow(unsafe_code)] // raw memory is this file's job

use super::{DsBuffer, DsFormat, DsImage};
use core::cell::UnsafeCell;
use core::fmt;
use core::marker::PhantomData;
use core::mem::offset_of;
use core::ptr::NonNull;
use volatile_register::{RO, RW};

/// One cell of the area. It may change at any time, which a shared reference to a volatile cell allows; there is never
/// a reference to more than the cell.
macro_rules! cell {
    ($at:expr, $field:ident) => {{
        let at = $at.as_ptr();
        // SAFETY: valid memory for as long as the view lives, by the contract of `DsView::new`.
        unsafe { &(*at).$field }
    }};
}

/// The buffer management area in one format.
macro_rules! management {
    ($(#[$meta:meta])* $name:ident, $field:ty) => {
        $(#[$meta])*
        #[repr(C)]
        pub struct $name {
            /// BTS buffer base; constant while the area is in use.
            pub bts_buffer_base: RO<$field>,
            /// BTS index; the processor's, set back by software.
            pub bts_index: RW<$field>,
            /// BTS absolute maximum; constant while the area is in use.
            pub bts_absolute_maximum: RO<$field>,
            /// BTS interrupt threshold; constant while the area is in use.
            pub bts_interrupt_threshold: RO<$field>,
            /// PEBS buffer base; constant while the area is in use.
            pub pebs_buffer_base: RO<$field>,
            /// PEBS index; the processor's, set back by software.
            pub pebs_index: RW<$field>,
            /// PEBS absolute maximum; constant while the area is in use.
            pub pebs_absolute_maximum: RO<$field>,
            /// PEBS interrupt threshold; constant while the area is in use.
            pub pebs_interrupt_threshold: RO<$field>,
        }

        impl $name {
            /// The description of the BTS buffer.
            fn bts(at: NonNull<Self>) -> DsBuffer {
                DsBuffer {
                    base: cell!(at, bts_buffer_base).read().into(),
                    index: cell!(at, bts_index).read().into(),
                    absolute_maximum: cell!(at, bts_absolute_maximum).read().into(),
                    interrupt_threshold: cell!(at, bts_interrupt_threshold).read().into(),
                }
            }

            /// The description of the PEBS buffer.
            fn pebs(at: NonNull<Self>) -> DsBuffer {
                DsBuffer {
                    base: cell!(at, pebs_buffer_base).read().into(),
                    index: cell!(at, pebs_index).read().into(),
                    absolute_maximum: cell!(at, pebs_absolute_maximum).read().into(),
                    interrupt_threshold: cell!(at, pebs_interrupt_threshold).read().into(),
                }
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

management!(
    /// The pointers of a buffer management area in the 32-bit format: its first 20H bytes.
    ///
    /// Source: Intel SDM volume 3B, "BTS and DS Save Area", Figure 17-5.
    DsManagement32,
    u32
);
management!(
    /// The pointers of a buffer management area in the 64-bit format: its first 40H bytes.
    ///
    /// Source: Intel SDM volume 3B, "64 Bit Format of the DS Save Area", Figure 17-8.
    DsManagement64,
    u64
);

// BTS-13, BTS-14, BTS-15, BTS-16, BTS-17, BTS-18: each cell at its offset, and the reset values behind them.
const _: () = {
    assert!(offset_of!(DsManagement32, bts_buffer_base) == 0x00);
    assert!(offset_of!(DsManagement32, bts_index) == 0x04);
    assert!(offset_of!(DsManagement32, bts_absolute_maximum) == 0x08);
    assert!(offset_of!(DsManagement32, bts_interrupt_threshold) == 0x0C);
    assert!(offset_of!(DsManagement32, pebs_buffer_base) == 0x10);
    assert!(offset_of!(DsManagement32, pebs_index) == 0x14);
    assert!(offset_of!(DsManagement32, pebs_absolute_maximum) == 0x18);
    assert!(offset_of!(DsManagement32, pebs_interrupt_threshold) == 0x1C);
    assert!(size_of::<DsManagement32>() == DsImage::reset_offset(DsFormat::Bits32));
    assert!(offset_of!(DsManagement64, bts_buffer_base) == 0x00);
    assert!(offset_of!(DsManagement64, bts_index) == 0x08);
    assert!(offset_of!(DsManagement64, bts_absolute_maximum) == 0x10);
    assert!(offset_of!(DsManagement64, bts_interrupt_threshold) == 0x18);
    assert!(offset_of!(DsManagement64, pebs_buffer_base) == 0x20);
    assert!(offset_of!(DsManagement64, pebs_index) == 0x28);
    assert!(offset_of!(DsManagement64, pebs_absolute_maximum) == 0x30);
    assert!(offset_of!(DsManagement64, pebs_interrupt_threshold) == 0x38);
    assert!(size_of::<DsManagement64>() == DsImage::reset_offset(DsFormat::Bits64));
};

/// Writes an index, which tells the processor where its next record goes.
fn set<T: Copy>(index: &RW<T>, value: T) {
    // SAFETY: only `DsStore` sets an index, to the base of the buffer that was vouched for when the area was set up.
    unsafe { index.write(value) };
}

/// Memory for a part of the debug-store area, `BYTES` bytes that begin a page and share none with anything else, so
/// that no code can be on them. What the system does with those pages is its own business; see
/// [`PageAttributes`](super::PageAttributes).
#[repr(C, align(4096))]
pub struct DsMemory<const BYTES: usize> {
    bytes: UnsafeCell<[u8; BYTES]>,
}

impl<const BYTES: usize> DsMemory<BYTES> {
    /// Memory that is all zero.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { bytes: UnsafeCell::new([0; BYTES]) }
    }

    /// The memory as a buffer management area; `None` if it is smaller than the format needs.
    pub fn management(&mut self, format: DsFormat) -> Option<DsView<'_>> {
        if BYTES < format.management_bytes() {
            return None;
        }
        // SAFETY: long enough, and borrowed for as long as the view lives.
        unsafe { DsView::new(NonNull::from(self).cast(), format) }
    }

    /// The memory as a buffer for records.
    pub fn records(&mut self) -> RecordBuffer<'_> {
        RecordBuffer { memory: NonNull::from(self).cast(), bytes: BYTES, lifetime: PhantomData }
    }
}

impl<const BYTES: usize> Default for DsMemory<BYTES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const BYTES: usize> fmt::Debug for DsMemory<BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DsMemory").field("bytes", &BYTES).finish_non_exhaustive()
    }
}

/// A buffer management area that the processor uses or may use. It belongs to one processor, and cannot leave it: the
/// view is neither `Send` nor `Sync`.
pub struct DsView<'a> {
    memory: NonNull<u8>,
    format: DsFormat,
    lifetime: PhantomData<&'a mut [u8]>,
}

impl DsView<'_> {
    /// A view of the area at `memory`; `None` unless it is aligned to its fields.
    ///
    /// # Safety
    ///
    /// For the lifetime of the view, [`DsFormat::management_bytes`] bytes there are valid for reads and writes, nobody
    /// but the processor and this view writes there, and no Rust reference to them is used.
    #[must_use]
    pub unsafe fn new(memory: NonNull<u8>, format: DsFormat) -> Option<Self> {
        let aligned = memory.addr().get().is_multiple_of(format.field_bytes());
        aligned.then_some(Self { memory, format, lifetime: PhantomData })
    }

    /// Linear address of the area as this program sees it. The pointer's provenance is exposed, so that a stand-in for
    /// the processor on the same machine can turn the number back into a pointer.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.memory.as_ptr().expose_provenance() as u64
    }

    /// The format of the area.
    #[must_use]
    #[inline]
    pub const fn format(&self) -> DsFormat {
        self.format
    }

    /// The description of the BTS buffer.
    #[must_use]
    pub fn bts(&self) -> DsBuffer {
        match self.format {
            DsFormat::Bits32 => DsManagement32::bts(self.memory.cast()),
            _ => DsManagement64::bts(self.memory.cast()),
        }
    }

    /// The description of the PEBS buffer.
    #[must_use]
    pub fn pebs(&self) -> DsBuffer {
        match self.format {
            DsFormat::Bits32 => DsManagement32::pebs(self.memory.cast()),
            _ => DsManagement64::pebs(self.memory.cast()),
        }
    }

    /// Sets the BTS index. Of the address, the 32-bit format stores the low half.
    pub(super) fn set_bts_index(&mut self, index: u64) {
        match self.format {
            DsFormat::Bits32 => set(cell!(self.memory.cast::<DsManagement32>(), bts_index), index as u32),
            _ => set(cell!(self.memory.cast::<DsManagement64>(), bts_index), index),
        }
    }

    /// Sets the PEBS index. Of the address, the 32-bit format stores the low half.
    pub(super) fn set_pebs_index(&mut self, index: u64) {
        match self.format {
            DsFormat::Bits32 => set(cell!(self.memory.cast::<DsManagement32>(), pebs_index), index as u32),
            _ => set(cell!(self.memory.cast::<DsManagement64>(), pebs_index), index),
        }
    }

    /// Puts a whole area here, while the processor does not use it.
    pub(super) fn place(&mut self, image: &DsImage) {
        for (i, byte) in image.to_bytes(self.format)[..self.format.management_bytes()].iter().enumerate() {
            // SAFETY: the area is as long as its format says.
            let at = unsafe { self.memory.add(i) };
            // SAFETY: valid for writes, by the contract of `new`.
            unsafe { at.write_volatile(*byte) };
        }
    }
}

impl fmt::Debug for DsView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DsView").field("memory", &self.memory).field("format", &self.format).finish()
    }
}

/// A buffer of records. The processor writes it, and software zeroes it while the processor does not. It belongs to one
/// processor, and cannot leave it: the view is neither `Send` nor `Sync`.
pub struct RecordBuffer<'a> {
    memory: NonNull<u8>,
    bytes: usize,
    lifetime: PhantomData<&'a mut [u8]>,
}

impl RecordBuffer<'_> {
    /// A view of the `bytes` bytes at `memory`; `None` unless it is aligned to a doubleword.
    ///
    /// # Safety
    ///
    /// For the lifetime of the view, the bytes are valid for reads and writes, nobody but the processor and this view
    /// writes there, and no Rust reference to them is used.
    #[must_use]
    pub unsafe fn new(memory: NonNull<u8>, bytes: usize) -> Option<Self> {
        memory.addr().get().is_multiple_of(4).then_some(Self { memory, bytes, lifetime: PhantomData })
    }

    /// Linear address of the buffer as this program sees it. The pointer's provenance is exposed, as that of
    /// [`DsView::address`] is.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.memory.as_ptr().expose_provenance() as u64
    }

    /// Size in bytes.
    #[must_use]
    #[inline]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Where the word at `offset` is, if it is in the buffer and at a multiple of 4.
    fn word_at(&self, offset: u64) -> Option<NonNull<u32>> {
        let offset = usize::try_from(offset).ok()?;
        let last = self.bytes.checked_sub(4)?;
        if offset > last || !offset.is_multiple_of(4) {
            return None;
        }
        // SAFETY: the word lies within the memory that the view was made for.
        Some(unsafe { self.memory.add(offset) }.cast())
    }

    /// The 32-bit word at `offset` bytes; `None` unless it is in the buffer and at a multiple of 4.
    #[must_use]
    pub fn word(&self, offset: u64) -> Option<u32> {
        let at = self.word_at(offset)?;
        // SAFETY: valid and aligned; volatile, as the processor is the writer.
        Some(u32::from_le(unsafe { at.read_volatile() }))
    }

    /// Stores a word; false if it is not in the buffer.
    pub(super) fn set_word(&mut self, offset: u64, word: u32) -> bool {
        let Some(at) = self.word_at(offset) else { return false };
        // SAFETY: valid and aligned, and the processor does not use the buffer meanwhile.
        unsafe { at.write_volatile(word.to_le()) };
        true
    }
}

impl fmt::Debug for RecordBuffer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordBuffer").field("memory", &self.memory).field("bytes", &self.bytes).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::PebsReset;

    const IMAGE: DsImage = DsImage {
        bts: DsBuffer { base: 0x11, index: 0x12, absolute_maximum: 0x13, interrupt_threshold: 0x14 },
        pebs: DsBuffer { base: 0x21, index: 0x22, absolute_maximum: 0x23, interrupt_threshold: 0x24 },
        pebs_counter_reset: PebsReset::ZERO,
    };

    #[test]
    fn what_is_placed_is_read_and_only_the_index_changes() {
        for format in [DsFormat::Bits32, DsFormat::Bits64, DsFormat::Bits64Format4, DsFormat::Bits64Format5] {
            let mut memory = DsMemory::<448>::new();
            let mut view = memory.management(format).unwrap();
            view.place(&IMAGE);
            assert_eq!((view.bts(), view.pebs()), (IMAGE.bts, IMAGE.pebs));
            view.set_bts_index(0x99);
            assert_eq!((view.bts(), view.pebs()), (DsBuffer { index: 0x99, ..IMAGE.bts }, IMAGE.pebs));
            view.set_pebs_index(0x77);
            assert_eq!(view.pebs(), DsBuffer { index: 0x77, ..IMAGE.pebs });
            assert_eq!(view.address() % 4096, 0);
        }
        assert!(DsMemory::<127>::new().management(DsFormat::Bits64).is_none());
        assert!(DsMemory::<447>::new().management(DsFormat::Bits64Format5).is_none());
        assert!(DsMemory::<48>::new().management(DsFormat::Bits32).is_some());
    }

    #[test]
    fn words_of_a_buffer() {
        let mut memory = DsMemory::<12>::new();
        let mut buffer = memory.records();
        assert!(buffer.set_word(8, 0x1234_5678));
        assert_eq!([0, 4, 8].map(|offset| buffer.word(offset)), [Some(0), Some(0), Some(0x1234_5678)]);
        for offset in [1, 10, 12, u64::MAX - 3, u64::MAX] {
            assert_eq!(buffer.word(offset), None);
            assert!(!buffer.set_word(offset, 0));
        }
        assert_eq!(size_of::<DsMemory<12>>(), 4096, "no neighbour shares the page");
    }
}
