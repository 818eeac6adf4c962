//! Head and tail stay in the ring, and the head never reaches the tail.

use super::{Step, ensure};

const RECORD: u32 = 32;

pub(super) fn check<const W: usize>(step: &Step<'_, W>) -> Result<(), String> {
    let (now, next) = (&step.now.ring, &step.next.ring);
    let block = &step.next.block;
    if !step.next.session.active {
        return Ok(());
    }
    ensure!(
        block.size >= 2 * RECORD && block.size.is_multiple_of(RECORD),
        "active with a buffer of {} bytes",
        block.size
    );
    for (name, offset) in [("head", next.head), ("tail", next.tail)] {
        // LWP-STO-08, LWP-ACC-16
        ensure!(
            offset < block.size && offset.is_multiple_of(RECORD),
            "{name} {offset} in a buffer of {} bytes",
            block.size
        );
    }
    ensure!(block.base.is_multiple_of(RECORD.into()), "buffer base {:#x}", block.base);
    if step.now.session.active && now.head != next.head {
        ensure!(next.head == (now.head + RECORD) % step.now.block.size, "head goes from {} to {}", now.head, next.head);
        // LWP-STO-04, LWP-STO-07
        ensure!(next.head != next.tail, "the head reaches the tail at {}", next.head);
    }
    Ok(())
}
