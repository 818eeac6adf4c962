//! What the tests of sessions share: capabilities, a block, and damage to it.

use lwp_regs::lwp::{ActiveLwpcb, AvailableFeatures, BufferView, EventId, Features, LwpCaps, Lwpcb, LwpcbBuilder};
use std::ptr::with_exposed_provenance_mut;
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) const CAPS: LwpCaps = {
    let mut made = LwpCaps::new(AvailableFeatures::new(Features::empty()), 0);
    made.available = AvailableFeatures::new(Features::all());
    made.lwpcb_size = 64;
    made.event_size = 32;
    made.max_events = 3;
    made.version = 1;
    made.cache_max = 10;
    made.data_address = true;
    made.cache_levels = true;
    made.cache_latency = true;
    made
};

/// A block that stores a record for every `interval`th instruction, with the threshold at `records`.
pub(crate) fn block(buffer: &BufferView<'_>, interval: u32, records: u32) -> Lwpcb {
    LwpcbBuilder::new(&CAPS)
        .buffer(buffer.address(), buffer.size())
        .threshold_records(records)
        .event(EventId::INSTRUCTIONS_RETIRED, interval)
        .build()
        .unwrap()
}

/// The 32-bit word at an offset of a block.
fn word(block: u64, offset: usize) -> &'static AtomicU32 {
    let at = with_exposed_provenance_mut(block as usize + offset);
    // SAFETY: the block lies there, aligned, while the session lasts, and its words are only used as cells.
    unsafe { AtomicU32::from_ptr(at) }
}

/// Stands in for damage: changes a word of a block.
pub(crate) fn poke(view: &ActiveLwpcb<'_>, offset: usize, value: u32) {
    word(view.address().get(), offset).store(value, Ordering::Relaxed);
}
