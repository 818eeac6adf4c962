//! The control block as a block of volatile cells, and memory to put it in.

use super::ActiveLwpcb;
use crate::lwp::{
    EVENT_RECORD_BYTES, LWPCB_HEADER_BYTES, LWPCB_SLOT_BYTES, Lwpcb, LwpcbAddr, LwpcbImage, MAX_SLOTS, lwpcb_bytes,
    offset,
};
use core::cell::UnsafeCell;
use core::fmt;
use core::mem::offset_of;
use core::ptr::NonNull;
use volatile_register::{RO, RW};

/// The first 40 bytes of a control block that is in use. Only the tail can be written; what hardware owns and what
/// must not change during a session can only be read.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Table 4, column R/W.
#[repr(C)]
pub struct LwpcbHeader {
    /// Flags; hardware writes it while it loads the block.
    pub flags: RO<u32>,
    /// BufferSize and Random; constant.
    pub size: RO<u32>,
    /// BufferBase; constant.
    pub base: RO<u64>,
    /// BufferHeadOffset; hardware's.
    pub head: RO<u32>,
    /// BufferTailOffset; software's.
    pub tail: RW<u32>,
    /// MissedEvents; hardware's.
    pub missed: RO<u64>,
    /// Threshold; constant.
    pub threshold: RO<u32>,
    /// Filters; constant.
    pub filter: RO<u32>,
}

/// One slot of a control block that is in use.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Table 4, column R/W.
#[repr(C)]
pub struct LwpcbSlot {
    /// EventInterval and EventId; constant.
    pub word: RO<u32>,
    /// EventCounter; hardware's.
    pub counter: RO<u32>,
}

/// A control block of `SLOTS` slots that is in use, at most 26.
///
/// It describes memory and cannot be made; [`LwpcbMemory`] provides the memory and [`ActiveLwpcb`] the safe access.
#[repr(C)]
pub struct LwpcbBlock<const SLOTS: usize> {
    /// The header.
    pub header: LwpcbHeader,
    /// The slots.
    pub slots: [LwpcbSlot; SLOTS],
}

impl<const SLOTS: usize> LwpcbBlock<SLOTS> {
    /// Size of the block in bytes. Naming it for more than 26 slots does not compile.
    pub const BYTES: usize = {
        assert!(SLOTS <= MAX_SLOTS, "a control block has at most 26 slots");
        assert!(size_of::<Self>() == lwpcb_bytes(SLOTS));
        size_of::<Self>()
    };
}

impl fmt::Debug for LwpcbHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LwpcbHeader").finish_non_exhaustive()
    }
}

impl fmt::Debug for LwpcbSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LwpcbSlot").finish_non_exhaustive()
    }
}

impl<const SLOTS: usize> fmt::Debug for LwpcbBlock<SLOTS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LwpcbBlock").field("slots", &SLOTS).finish_non_exhaustive()
    }
}

// LWP-LCB-02, LWP-LCB-33, LWP-LCB-34, LWP-LCB-35, LWP-LCB-36, LWP-LCB-37, LWP-LCB-38, LWP-LCB-39, LWP-LCB-40: the
// cells are where `offset` says.
const _: () = {
    assert!(size_of::<LwpcbHeader>() == LWPCB_HEADER_BYTES);
    assert!(size_of::<LwpcbSlot>() == LWPCB_SLOT_BYTES);
    assert!(LwpcbBlock::<MAX_SLOTS>::BYTES == 248);
    assert!(offset_of!(LwpcbHeader, flags) == offset::FLAGS);
    assert!(offset_of!(LwpcbHeader, size) == offset::SIZE);
    assert!(offset_of!(LwpcbHeader, base) == offset::BASE);
    assert!(offset_of!(LwpcbHeader, head) == offset::HEAD);
    assert!(offset_of!(LwpcbHeader, tail) == offset::TAIL);
    assert!(offset_of!(LwpcbHeader, missed) == offset::MISSED);
    assert!(offset_of!(LwpcbHeader, threshold) == offset::THRESHOLD);
    assert!(offset_of!(LwpcbHeader, filter) == offset::FILTER);
    assert!(offset_of!(LwpcbBlock<MAX_SLOTS>, slots) == offset::SLOTS);
    assert!(offset_of!(LwpcbSlot, counter) == offset::COUNTER_IN_SLOT);
    assert!(size_of::<LwpcbMemory>() >= u8::MAX as usize);
    assert!(align_of::<LwpcbMemory>().is_multiple_of(LwpcbAddr::ALIGN as usize));
    // LWP-LLW-05: a block that ends where its alignment ends is in one page.
    assert!(align_of::<LwpcbMemory>() == size_of::<LwpcbMemory>());
    assert!(EVENT_RECORD_BYTES.is_power_of_two());
};

/// Memory for one control block: large enough for whatever size CPUID reports (255 bytes at most), and aligned so that
/// it does not cross a page, which is advised. Required are 16 bytes only.
#[repr(C, align(256))]
pub struct LwpcbMemory {
    bytes: UnsafeCell<[u8; 256]>,
}

impl LwpcbMemory {
    /// Memory that is all zero.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { bytes: UnsafeCell::new([0; 256]) }
    }

    /// Puts a block here and gives the view of it that is right while hardware uses it.
    ///
    /// Starting the hardware is a step of its own, which is unsafe: [`LwpMsr1::write`](crate::lwp::LwpMsr1::write) with
    /// the [`address`](ActiveLwpcb::address) of the view, or the LLWPCB instruction.
    pub fn load(&mut self, block: &Lwpcb) -> ActiveLwpcb<'_> {
        self.load_image(block.slots(), block.image())
    }

    /// As [`load`](Self::load), with a block that nothing has checked; for tests that show bad blocks to hardware.
    ///
    /// # Panics
    ///
    /// If `slots` is above 26.
    pub fn load_image(&mut self, slots: usize, image: &LwpcbImage) -> ActiveLwpcb<'_> {
        let bytes = self.bytes.get_mut();
        bytes.fill(0);
        image.write_bytes(slots, bytes);
        // SAFETY: the memory is aligned, as long as any block, borrowed for as long as the view lives, and `slots` has
        // been checked by the write.
        unsafe { ActiveLwpcb::from_raw(NonNull::from(self).cast(), slots) }
    }

    /// The block as data, after the session: hardware must have been pointed elsewhere before the view was given up.
    ///
    /// # Panics
    ///
    /// If `slots` is above 26.
    #[must_use]
    pub fn image(&mut self, slots: usize) -> LwpcbImage {
        LwpcbImage::read_bytes(slots, self.bytes.get_mut())
    }
}

impl Default for LwpcbMemory {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for LwpcbMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LwpcbMemory").finish_non_exhaustive()
    }
}
