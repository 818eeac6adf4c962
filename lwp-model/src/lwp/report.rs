//! Report: compares the space used with the threshold.

use super::ring::used;
use super::state::State;

/// Whether the space used equals the threshold and interrupts are enabled. Called after the head has advanced.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", field Threshold.
pub(super) const fn crosses(state: &State) -> bool {
    let (block, ring) = (&state.block, &state.ring);
    let used = used(ring.head, ring.tail, block.size);
    block.threshold != 0 && used == block.threshold && block.flags.int() && state.session.msr0.interrupt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::{Block, Ring, Session};
    use lwp_regs::lwp::{FlagsWord, LwpMsr0};

    fn state(head: u32, tail: u32, threshold: u32) -> State {
        State {
            session: Session { msr0: LwpMsr0::new().with_interrupt(true), ..Session::default() },
            block: Block { size: 256, threshold, flags: FlagsWord::new().with_int(true), ..Block::default() },
            ring: Ring { head, tail, ..Ring::default() },
            ..State::default()
        }
    }

    // LWP-RPT-01 to 04: equality alone; the difference wraps by one addition.
    #[test]
    fn exactly_at_the_threshold() {
        assert!(crosses(&state(96, 0, 96)));
        assert!(!crosses(&state(64, 0, 96)));
        assert!(!crosses(&state(128, 0, 96)));
        assert!(crosses(&state(32, 192, 96)));
        assert!(!crosses(&state(0, 0, 0)));
    }

    // LWP-RPT-05, LWP-INT-02: both the block and LWPMSR0 have to say so.
    #[test]
    fn interrupts_have_to_be_enabled() {
        let met = state(96, 0, 96);
        assert!(!crosses(&State { session: Session { msr0: LwpMsr0::new(), ..met.session }, ..met }));
        assert!(!crosses(&State { block: Block { flags: FlagsWord::new(), ..met.block }, ..met }));
    }
}
