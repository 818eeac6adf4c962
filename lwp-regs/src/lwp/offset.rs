//! Byte offsets in the control block, for those who address it as raw memory.
//!
//! The figure that showed the layout is lost; these offsets are the only packing of Table 4's fields, in its order and
//! naturally aligned, that adds up to the 40 bytes the proposal states. The Rust block is checked against them at
//! compile time.
//!
//! Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Figure 5 and Table 4.

/// [`FlagsWord`](super::FlagsWord), 32 bits; written by hardware while it loads the block.
pub const FLAGS: usize = 0;
/// [`SizeWord`](super::SizeWord), 32 bits.
pub const SIZE: usize = 4;
/// BufferBase, 64 bits.
pub const BASE: usize = 8;
/// BufferHeadOffset, 32 bits; written by hardware.
pub const HEAD: usize = 16;
/// BufferTailOffset, 32 bits; written by software.
pub const TAIL: usize = 20;
/// MissedEvents, 64 bits; written by hardware.
pub const MISSED: usize = 24;
/// Threshold in bytes of used space, 32 bits.
pub const THRESHOLD: usize = 32;
/// [`FilterWord`](super::FilterWord), 32 bits.
pub const FILTER: usize = 36;
/// The first slot; one every [`LWPCB_SLOT_BYTES`](super::LWPCB_SLOT_BYTES).
pub const SLOTS: usize = 40;
/// [`CounterWord`](super::CounterWord) within a slot, behind the [`SlotWord`](super::SlotWord); written by hardware.
pub const COUNTER_IN_SLOT: usize = 4;

/// Offset of the [`SlotWord`](super::SlotWord) of slot `index`; the largest `usize` for an index that no block reaches.
#[must_use]
#[inline]
pub const fn slot(index: usize) -> usize {
    index.saturating_mul(super::LWPCB_SLOT_BYTES).saturating_add(SLOTS)
}

/// Offset of the [`CounterWord`](super::CounterWord) of slot `index`.
#[must_use]
#[inline]
pub const fn counter(index: usize) -> usize {
    slot(index).saturating_add(COUNTER_IN_SLOT)
}
