//! RF of the image that is pushed.

use super::ports::*;
use lwp_model::debug::{Config, DbClass};
use lwp_model::retire::IntKind;

const D: Config = Config::DEFAULT;

// DBG-43, DBG-51: faults
#[test]
fn faults() {
    let pentium = Config { fault_rf: false, long_mode: false, rtm: false, ..D };
    for (straps, rf) in [(D, true), (pentium, false)] {
        let mut hand = Hand::new(straps);
        hand.only(int(IntKind::Exception, false), frame(rf), &[frame(!rf), QUIET]);
        hand.counted("frames_fault");
    }
}

// DBG-46: otherwise EFLAGS.RF, which the processor clears
#[test]
fn all_else() {
    for (kind, trap) in [(IntKind::Interrupt, false), (IntKind::Nmi, false), (IntKind::Exception, true)] {
        for rf in [false, true] {
            let mut hand = Hand::new(D);
            hand.right(lanes(&[iret(0x10, rf)]), QUIET);
            hand.only(int(kind, trap), frame(rf), &[frame(!rf)]);
            hand.only(int(kind, trap), frame(false), &[frame(true)]);
        }
    }
    // DBG-41: cleared by the instruction
    let mut hand = Hand::new(D);
    hand.right(lanes(&[iret(0x10, true), at(0x20)]), QUIET);
    hand.only(int(IntKind::Interrupt, false), frame(false), &[frame(true)]);
    // A task gate loads RF of the new task.
    let mut gate = int(IntKind::Interrupt, false);
    (gate.int.task, gate.int.rf) = (true, true);
    hand.right(gate, frame(false));
    hand.only(int(IntKind::Interrupt, false), frame(true), &[frame(false)]);
    // No frame of SMI and RSM.
    hand.only(int(IntKind::Smi, false), QUIET, &[frame(false)]);
    hand.only(int(IntKind::Rsm, false), QUIET, &[frame(false)]);
}

// DBG-70: the step comes first, then the interrupt
#[test]
fn a_step_and_an_interrupt() {
    let mut hand = Hand::new(D);
    hand.right(lanes(&[tf(at(0x10))]), bs(db(DbClass::Trap, 0)));
    hand.only(deliver(true, 0x11), frame(false), &[bs(db(DbClass::Trap, 0)), frame(true)]);
    hand.only(int(IntKind::Interrupt, false), frame(false), &[frame(true), bs(db(DbClass::Trap, 0))]);
}
