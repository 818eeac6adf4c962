//! The operating system at work: it arms the breakpoints, and handles #DB.
//!
//! What it does with the registers is `lwp-regs`' own code. Each access is an instruction of level 0: the core asks for it in a cycle,
//! makes the request in the next one, and has the answer in the one behind that, in which it asks for the next. At the end an IRET
//! retires.

use super::bus::{Done, Wanted};
use lwp_model::debug::{Ask, Inputs, Lane, LaneKind, Outputs, Special};
use lwp_model::retire::{Branch, BranchKind, RegOp, RegRequest, RegResult, Retired};
use lwp_regs::debug::{BreakpointSet, DebugEntry, Dr6, Eflags};

/// Address of the operating system's first instruction.
const KERNEL: u64 = 0xFFFF_FFFF_8100_0000;
/// Bytes of each of its instructions.
const LENGTH: u64 = 3;

/// What the operating system does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    /// Arms these breakpoints, before the first instruction.
    Arm(BreakpointSet),
    /// Handles #DB; EFLAGS as the core pushed it.
    Handle(Eflags),
}

/// What the operating system has done in the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    /// DR6 as the handler found it.
    pub(super) dr6: Option<Dr6>,
    /// EFLAGS with which it returns.
    pub(super) flags: Eflags,
}

/// Where the operating system is.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Level 0 begins.
    Enter,
    /// The core asks for the next instruction.
    Ask,
    /// The instruction makes its request, or is the IRET.
    Request,
    /// The answer comes.
    Answer(Wanted),
}

/// The operating system at work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    task: Task,
    done: Done,
    step: Step,
    /// Address to which it returns.
    to: u64,
}

/// What became of a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turn {
    /// It is at work.
    Works,
    /// It returns in this cycle.
    Returns(Outcome),
    /// The unit has refused this access.
    Refused(Wanted, RegResult),
}

impl Visit {
    pub(super) fn new(task: Task, to: u64) -> Self {
        Self { task, done: Done::default(), step: Step::Enter, to }
    }

    /// One cycle. The inputs are idle.
    pub(super) fn cycle<const LANES: usize>(&mut self, out: &Outputs, inputs: &mut Inputs<LANES>) -> Turn {
        match self.step {
            Step::Enter => {
                inputs.mode.cpl = 0;
                self.step = Step::Ask;
            }
            Step::Ask => self.ask(inputs),
            Step::Request => match self.run() {
                Err(wanted) => {
                    inputs.reg = request(wanted);
                    self.step = Step::Answer(wanted);
                }
                Ok(result) => return self.iret(result, inputs),
            },
            Step::Answer(wanted) => {
                if !out.reg_done || out.reg_result != RegResult::Done {
                    return Turn::Refused(wanted, out.reg_result);
                }
                self.done.push(out.reg_rdata);
                self.ask(inputs);
            }
        }
        Turn::Works
    }

    /// Address of the instruction that comes next.
    const fn ip(&self) -> u64 {
        KERNEL + LENGTH * self.done.count() as u64
    }

    /// The core asks whether it may execute the next instruction.
    fn ask<const LANES: usize>(&mut self, inputs: &mut Inputs<LANES>) {
        inputs.ask = Ask { valid: true, in_tx: false, ip: self.ip() };
        self.step = Step::Request;
    }

    /// The task up to the first access that is not done.
    fn run(&self) -> Result<Outcome, Wanted> {
        let mut bus = self.done.bus();
        match self.task {
            Task::Arm(set) => {
                arm(&set, &mut bus)?;
                Ok(Outcome { dr6: None, flags: Eflags::from_bits(0) })
            }
            Task::Handle(flags) => {
                let entry = DebugEntry::enter(&mut bus)?;
                let result = Outcome { dr6: Some(entry.status()), flags: entry.resume(flags) };
                leave(entry, &mut bus)?;
                Ok(result)
            }
        }
    }

    /// The IRET, to which the unit's RF belongs.
    fn iret<const LANES: usize>(&self, result: Outcome, inputs: &mut Inputs<LANES>) -> Turn {
        inputs.lanes[0] = Lane {
            retired: Retired { valid: true, counts: true, ip: self.ip() },
            branch: Branch { kind: BranchKind::System, taken: true, next: self.to, ..Branch::default() },
            debug: Special { kind: LaneKind::Iret, rf_image: result.flags.rf(), t_flag: false },
            ..Lane::default()
        };
        Turn::Returns(result)
    }
}

fn request(wanted: Wanted) -> RegRequest {
    let (op, register, wdata) = match wanted {
        Wanted::Read(register) => (RegOp::ReadDr, register, 0),
        Wanted::Write(register, value) => (RegOp::WriteDr, register, value),
    };
    RegRequest { valid: true, op, lp: 0, number: register as u32, wdata }
}

#[allow(unsafe_code)] // arms the breakpoints of a modelled processor
fn arm(set: &BreakpointSet, bus: &mut super::bus::Bus<'_>) -> Result<(), Wanted> {
    // SAFETY: the environment handles each #DB.
    unsafe { set.arm(bus) }
}

#[allow(unsafe_code)] // the same
fn leave(entry: DebugEntry, bus: &mut super::bus::Bus<'_>) -> Result<(), Wanted> {
    // SAFETY: the breakpoints are expected by the environment.
    unsafe { entry.leave(bus) }
}
