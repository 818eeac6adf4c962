//! What the handlers of a scenario do. It depends on what they find, and nothing else.

use super::{MAPPED, Piece, Scenario};
use lwp_regs::debug::{DebugEntry, Dr6, Dr7, Eflags};

/// How the handlers of a scenario treat what they find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    /// The handler of #DB clears DR6.
    pub(crate) clears: bool,
    /// It sets DR7.GD, and goes on behind a MOV that general detect has stopped.
    pub(crate) guards: bool,
    /// It returns from an instruction breakpoint without RF every other time.
    pub(crate) repeats: bool,
    /// The handler of #PF repairs the address, and the instruction is executed again; else it is left out.
    pub(crate) repairs: bool,
}

impl Policy {
    /// The usual handler.
    pub(crate) const DEFAULT: Self = Self { clears: true, guards: false, repeats: false, repairs: true };
}

/// What a handler finds on its stack and may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) ip: u64,
    pub(crate) flags: Eflags,
}

/// What the handler of #DB writes to DR6 and DR7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Writes {
    pub(crate) dr6: Option<u64>,
    pub(crate) dr7: Option<u64>,
}

/// The handlers of a scenario in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handler {
    /// The last instruction breakpoint was left without RF.
    repeated: bool,
}

impl Handler {
    /// At the beginning of a scenario.
    pub(crate) const NEW: Self = Self { repeated: false };

    /// Handles #DB.
    pub(crate) fn debug(&mut self, scenario: &Scenario, frame: &mut Frame, dr6: Dr6, dr7: Dr7) -> Writes {
        let policy = scenario.policy;
        let entry = DebugEntry::decode(dr6, dr7);
        if !entry.instruction_hits().is_empty() {
            self.repeated = policy.repeats && !self.repeated;
            if !self.repeated {
                frame.flags = entry.resume(frame.flags);
            }
        }
        // The kernel itself reads DR6 and DR7 at the end.
        let guards = policy.guards && scenario.at(frame.ip).is_some();
        if guards && dr6.bd() {
            leave_out(scenario, frame);
        }
        Writes {
            dr6: policy.clears.then(|| Dr6::RESET.into_bits()),
            dr7: guards.then(|| dr7.with_gd(true).into_bits()),
        }
    }

    /// Handles another exception: returns what R15 becomes.
    pub(crate) fn other(self, scenario: &Scenario, frame: &mut Frame, vector: u8) -> Option<u64> {
        match vector {
            14 if scenario.policy.repairs => Some(MAPPED),
            6 | 13 | 14 => {
                leave_out(scenario, frame);
                None
            }
            _ => None,
        }
    }
}

/// Goes on behind the instruction at the saved address. END is never left out.
fn leave_out(scenario: &Scenario, frame: &mut Frame) {
    if let Some(index) = scenario.at(frame.ip).filter(|index| scenario.pieces()[*index] != Piece::End) {
        frame.ip = scenario.address(index + 1);
    }
}
