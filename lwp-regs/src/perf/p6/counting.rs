//! What USR, OS, CMASK and INV make of the events of one cycle; the same for both counters.

/// Whether events count at privilege level `cpl`: OS for level 0, USR for 1 to 3.
#[inline]
pub(super) const fn counts_at(usr: bool, os: bool, cpl: u8) -> bool {
    if cpl == 0 { os } else { usr }
}

/// By how much a cycle with `events` events increments the counter.
#[inline]
pub(super) const fn increment(cmask: u8, inv: bool, events: u32) -> u32 {
    match cmask {
        0 => events,
        _ => ((events >= cmask as u32) != inv) as u32,
    }
}
