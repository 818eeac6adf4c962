//! Head and tail stay in the ring, and the head never reaches the tail.

use super::{Step, ensure};

const RECORD: u32 = 32;

pub(super) fn check<const W: usize>(step: &Step<'_, W>) -> Result<(), String> {
    let (now, next) = (&step.now.session, &step.next.session);
    if !next.active {
        return Ok(());
    }
    ensure!(next.size >= 2 * RECORD && next.size.is_multiple_of(RECORD), "active with a buffer of {} bytes", next.size);
    for (name, offset) in [("head", next.head), ("tail", next.tail)] {
        // LWP-STO-08, LWP-ACC-16
        ensure!(
            offset < next.size && offset.is_multiple_of(RECORD),
            "{name} {offset} in a buffer of {} bytes",
            next.size
        );
    }
    ensure!(next.base.is_multiple_of(RECORD.into()), "buffer base {:#x}", next.base);
    if now.active && next.active && now.head != next.head {
        ensure!(next.head == (now.head + RECORD) % now.size, "head goes from {} to {}", now.head, next.head);
        // LWP-STO-04, LWP-STO-07
        ensure!(next.head != next.tail, "the head reaches the tail at {}", next.head);
    }
    Ok(())
}
