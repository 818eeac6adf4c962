//! Report: the threshold interrupt.

use super::state::Session;

/// Whether the head that was just advanced meets the threshold exactly, and interrupts are enabled.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", field Threshold.
pub(super) const fn crosses(session: &Session) -> bool {
    let used = used(session.head, session.tail, session.size);
    session.threshold != 0 && used == session.threshold && session.flags.int() && session.msr0.interrupt()
}

/// Bytes used in the ring: one addition of the size stands for the modulus.
pub(super) const fn used(head: u32, tail: u32, size: u32) -> u32 {
    if head >= tail { head - tail } else { head.wrapping_sub(tail).wrapping_add(size) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_regs::lwp::{FlagsWord, LwpMsr0};

    fn session(head: u32, tail: u32, threshold: u32) -> Session {
        Session {
            size: 256,
            head,
            tail,
            threshold,
            flags: FlagsWord::new().with_int(true),
            msr0: LwpMsr0::new().with_interrupt(true),
            ..Session::default()
        }
    }

    // LWP-RPT-01 to 04: equality alone; the difference wraps by one addition.
    #[test]
    fn exactly_at_the_threshold() {
        assert!(crosses(&session(96, 0, 96)));
        assert!(!crosses(&session(64, 0, 96)));
        assert!(!crosses(&session(128, 0, 96)));
        assert!(crosses(&session(32, 192, 96)));
        assert!(!crosses(&session(0, 0, 0)));
    }

    // LWP-RPT-05, LWP-INT-02: both the block and LWPMSR0 have to say so.
    #[test]
    fn interrupts_have_to_be_enabled() {
        let met = session(96, 0, 96);
        assert!(!crosses(&Session { msr0: LwpMsr0::new(), ..met }));
        assert!(!crosses(&Session { flags: FlagsWord::new(), ..met }));
    }
}
