//! The order of a run: enable, start, program (with thread switches), settle, stop.

use super::answer::Answer;
use super::operation::Operation;
use super::setup::Start;
use super::switch::Switch;
use lwp_model::lwp::CtlOp;

/// What the core is doing, handlers aside.
#[derive(Debug)]
pub(super) enum Phase {
    /// The operating system writes LWPMSR0 at CPL 0.
    Enable(Operation),
    /// The program executes LLWPCB in ring 3, or the operating system writes LWPMSR1 at CPL 0.
    Start(Operation),
    /// The trace runs.
    Program,
    /// The kernel switches the program out and in again.
    Switch(Switch),
    /// The trace is over. The program is back in ring 3 and retires nothing until the unit has stored what it holds; traps
    /// and interrupts are still taken. The number counts cycles without memory traffic.
    Settle(u32),
    /// The program executes SLWPCB: nothing happens after it.
    Stop(Operation),
    /// The run is over.
    Over,
}

/// Cycles without memory traffic after which no record can be in flight: between two accesses of a store there are at most
/// five (the answer is taken, then report, reset, idle, and the next request). A delayed interrupt takes longer.
pub(super) const QUIET: u32 = 8;

/// The phases of a run and what the operations answered.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) phase: Phase,
    lwpcb: u64,
    start: Start,
    pub(super) answers: Answers,
}

/// What the operations of the script answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// WRMSR of LWPMSR0.
    pub enable: Answer,
    /// LLWPCB, or the WRMSR of LWPMSR1 in its place.
    pub start: Answer,
    /// SLWPCB.
    pub stop: Answer,
}

impl Script {
    pub(super) fn new(msr0: u64, lwpcb: u64, start: Start) -> Self {
        let phase = Phase::Enable(Operation::new(CtlOp::WriteMsr0, msr0, 0));
        Self { phase, lwpcb, start, answers: Answers::default() }
    }

    /// Whether an operation is between acceptance and answer.
    pub(super) const fn operates(&self) -> bool {
        match &self.phase {
            Phase::Enable(operation) | Phase::Start(operation) | Phase::Stop(operation) => operation.is_under_way(),
            Phase::Program | Phase::Switch(_) | Phase::Settle(_) | Phase::Over => false,
        }
    }

    /// Whether exceptions have to wait: the kernel switches threads with interrupts masked.
    pub(super) const fn masks(&self) -> bool {
        matches!(self.phase, Phase::Switch(_) | Phase::Over)
    }

    /// The operation of the present phase is over. An exception does not end the run: the program goes on unprofiled.
    pub(super) fn answered(&mut self, answer: Answer) {
        self.phase = match self.phase {
            Phase::Enable(_) => {
                self.answers.enable = answer;
                Phase::Start(match self.start {
                    Start::Llwpcb => Operation::new(CtlOp::Llwpcb, self.lwpcb, 3),
                    Start::LwpMsr1 => Operation::new(CtlOp::WriteMsr1, self.lwpcb, 0),
                })
            }
            Phase::Start(_) => {
                self.answers.start = answer;
                Phase::Program
            }
            Phase::Stop(_) => {
                self.answers.stop = answer;
                Phase::Over
            }
            Phase::Program | Phase::Switch(_) | Phase::Settle(_) | Phase::Over => return,
        };
    }

    /// The unit has settled.
    pub(super) fn settled(&mut self) {
        self.phase = Phase::Stop(Operation::new(CtlOp::Slwpcb, 0, 3));
    }

    /// What the run waits for, for a complaint.
    pub(super) fn waiting_for(&self) -> &'static str {
        match self.phase {
            Phase::Enable(_) => "the operating system's WRMSR of LWPMSR0 waits for its answer",
            Phase::Start(_) => match self.start {
                Start::Llwpcb => "the program's LLWPCB waits for its answer",
                Start::LwpMsr1 => "the operating system's WRMSR of LWPMSR1 waits for its answer",
            },
            Phase::Program => "the program waits for the unit to let an instruction retire",
            Phase::Switch(_) => "the kernel saves and restores the context of the program",
            Phase::Settle(_) => "the unit stores what it holds after the last instruction",
            Phase::Stop(_) => "the program's last SLWPCB waits for its answer",
            Phase::Over => "the run is over",
        }
    }
}
