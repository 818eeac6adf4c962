//! Descriptions of addresses by what they point to.

use lwp_model::lwp::State;
use lwp_regs::lwp::{LWPCB_HEADER_BYTES, LWPCB_SLOT_BYTES, MAX_SLOTS, lwpcb_bytes};

/// The names of the 8-byte words of the control block before its slots.
const HEADER: [&str; 5] = ["Flags, BufferSize", "BufferBase", "head, tail", "MissedEvents", "Threshold, filters"];

/// Returns what an address points to, if it is in the session's control block or ring.
pub(super) fn in_memory(address: u64, state: &State) -> Option<String> {
    let (session, block) = (&state.session, &state.block);
    let in_block = address.wrapping_sub(session.lwpcb);
    if session.lwpcb != 0 && in_block < lwpcb_bytes(MAX_SLOTS) as u64 {
        return Some(format!("LWPCB + {in_block}: {}", part_of_block(in_block as usize)));
    }
    let in_ring = address.wrapping_sub(block.base);
    let ring = block.size != 0 && in_ring < u64::from(block.size);
    ring.then(|| format!("ring, record {} beat {}", in_ring / 32, in_ring % 32 / 8))
}

fn part_of_block(offset: usize) -> String {
    match HEADER.get(offset / 8) {
        Some(name) if offset < LWPCB_HEADER_BYTES => (*name).to_owned(),
        _ => format!("slot {}", (offset - LWPCB_HEADER_BYTES) / LWPCB_SLOT_BYTES),
    }
}

/// Returns an offset in the ring as the number of its record.
pub(super) fn slot_of_ring(offset: u64, size: u32) -> String {
    let odd = if offset.is_multiple_of(32) { "" } else { ", which is not the beginning of one" };
    let outside = if offset < u64::from(size) { "" } else { ", outside the ring" };
    format!("record {} of {}{odd}{outside}", offset / 32, size / 32)
}
