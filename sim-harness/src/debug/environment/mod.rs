//! The unit's environment: an operating system that arms breakpoints and handles #DB, and a core that retires a trace.
//!
//! Cycles and instructions count from 0. The breakpoints are armed before the first instruction. What the unit cuts off comes again behind
//! the handler. The core asks before an instruction with I/O and before an exception; all else is cut. A region that the unit aborts or
//! rolls back goes on as if it had taken its fallback path: the trace has none, so the instructions that follow are shown outside of it.

mod again;
mod bus;
mod lanes;
mod setup;
mod visit;

pub use setup::{DebugFailure, Place, Setup, Steps, Symbol, Watch};

use super::records::{Caught, Recorder};
use crate::core::{Feeder, Instructions};
use crate::device::Environment;
use crate::traces::TraceError;
use again::Again;
use bus::Wanted;
use lanes::Lanes;
use lwp_model::Choice;
use lwp_model::debug::{Ask, Config, DbClass, Inputs, Interrupted, Lane, Outputs};
use lwp_model::retire::{Branch, BranchKind, IntKind, Io, Mode, OpMode, RegRequest, RegResult, Retired, Transaction};
use lwp_regs::debug::{BreakpointSet, Eflags};
use setup::{Plan, Stepping};
use visit::{Task, Turn, Visit};

/// What the core does.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The trace goes on.
    Program,
    /// #DB was delivered in the last cycle.
    Delivered(Caught),
    /// A region was aborted in the last cycle.
    Aborted,
    /// The operating system is at work, for this #DB if it is one.
    Kernel(Option<Caught>),
}

/// The environment of a unit.
#[derive(Debug)]
pub struct Computer<const LANES: usize, I> {
    inputs: Inputs<LANES>,
    feeder: Feeder<I>,
    again: Again<LANES>,
    phase: Phase,
    /// What the operating system does, or did last.
    visit: Visit,
    stepping: Stepping,
    /// The mode of the program, while another one runs.
    mode: Mode,
    /// The address that the core has asked for, whose instruction has not come.
    asked: Option<u64>,
    /// The region of the next instruction is undone.
    undone: bool,
    /// Address behind the last accepted instruction, and of the last one outside a region.
    behind: u64,
    outside: u64,
    /// Address of the last accepted instruction.
    last: u64,
    retired: u64,
    cycle: u64,
    aborts: u64,
    /// Lanes that the last cycle used.
    stale: usize,
    records: Recorder,
    over: bool,
    failure: Option<DebugFailure>,
}

/// What is left of an environment.
#[derive(Debug)]
pub struct Remains<I> {
    /// Where the instructions came from.
    pub instructions: I,
    /// Where the debug exceptions went.
    pub records: Recorder,
    /// Regions that were aborted.
    pub aborts: u64,
}

impl<const LANES: usize, I: Instructions> Computer<LANES, I> {
    /// Returns the environment at reset.
    #[must_use]
    pub fn new(setup: &Setup, straps: &Config, instructions: I, records: Recorder) -> Self {
        let plan = setup.plan(instructions.symbols(), &straps.caps());
        let failure = plan.as_ref().err().cloned();
        let steps = plan.as_ref().map_or_else(|_| Stepping::default(), |plan| plan.steps);
        let mode = Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 };
        let set = plan.map_or_else(|_| BreakpointSet::new(), |Plan { set, .. }| set);
        let phase = if set.control.enabled().is_empty() { Phase::Program } else { Phase::Kernel(None) };
        Self {
            inputs: Inputs { de: true, btf: steps.branches, mode, ..Inputs::default() },
            feeder: Feeder::new(instructions, OpMode::Long64, setup.lanes.clamp(1, LANES), setup.spacing),
            again: Again::new(),
            phase,
            visit: Visit::new(Task::Arm(set), 0),
            stepping: steps,
            mode,
            asked: None,
            undone: false,
            behind: 0,
            outside: 0,
            last: 0,
            retired: 0,
            cycle: 0,
            aborts: 0,
            stale: LANES,
            records,
            over: failure.is_some(),
            failure,
        }
    }

    /// Instructions of the trace that have retired.
    #[must_use]
    pub const fn retired(&self) -> u64 {
        self.retired
    }

    /// Cycles since reset.
    #[must_use]
    pub const fn cycles(&self) -> u64 {
        self.cycle
    }

    /// Where the instructions come from.
    #[must_use]
    pub const fn instructions(&self) -> &I {
        self.feeder.instructions()
    }

    /// Why the trace could not be read to its end, if so. Can be asked once.
    pub fn take_trace_failure(&mut self) -> Option<TraceError> {
        self.feeder.take_failure()
    }

    /// Why the run was given up, if it was.
    #[must_use]
    pub const fn failure(&self) -> Option<&DebugFailure> {
        self.failure.as_ref()
    }

    /// Hands everything back.
    #[must_use]
    pub fn finish(self) -> Remains<I> {
        Remains { instructions: self.feeder.into_instructions(), records: self.records, aborts: self.aborts }
    }

    /// What the last cycle showed is taken back; mode and control bits stay.
    #[inline]
    fn idle(&mut self) {
        let inputs = &mut self.inputs;
        inputs.lanes[..self.stale].fill(Lane::default());
        self.stale = 0;
        inputs.partial = false;
        if inputs.io.valid {
            inputs.io = Io::default();
        }
        inputs.int = Interrupted::default();
        inputs.ask = Ask::default();
        inputs.db_ack = false;
        inputs.reg = RegRequest::default();
    }

    /// The unit has accepted the last group, or has cut it.
    #[inline]
    fn settle(&mut self, out: &Outputs) {
        let used = self.again.used();
        if used == 0 || self.again.is_pending() {
            return;
        }
        let accepted = if out.cut_valid { usize::from(out.cut_lane) + usize::from(!out.cut_before) } else { used };
        self.retired += accepted as u64;
        if let Some((last, behind)) = self.again.accepted(accepted) {
            (self.last, self.behind) = (last.retired.ip, behind);
            if !last.transaction.in_tx {
                self.outside = last.retired.ip;
            }
        }
    }

    /// The trace goes on, or stops for a request of the unit.
    #[inline]
    fn program(&mut self, out: &Outputs) {
        if out.db_valid {
            return self.take(out);
        }
        if self.again.is_pending() {
            return self.repeat();
        }
        if self.must_ask() {
            return;
        }
        let Self { feeder, inputs, again, stepping, undone, .. } = self;
        let mut lanes = Lanes { inputs, again, stepping, undone };
        feeder.cycle(self.cycle, &mut lanes);
        if self.inputs.partial {
            self.again.show_part(&self.inputs.lanes[0]);
        }
        self.stale = self.again.used().max(usize::from(self.inputs.partial));
        if self.stale > 0 || self.inputs.int.valid {
            self.asked = None;
        }
    }

    /// Presents again what was cut off.
    #[cold]
    fn repeat(&mut self) {
        if self.inputs.mode != self.mode {
            self.inputs.mode = self.mode;
            return;
        }
        if let Some(part) = self.again.next_part() {
            (self.inputs.partial, self.inputs.lanes[0], self.stale) = (true, *part, 1);
            return;
        }
        (self.stale, self.inputs.io) = self.again.present(&mut self.inputs.lanes);
    }

    /// Asks before an instruction with I/O and before an exception, once.
    #[inline]
    fn must_ask(&mut self) -> bool {
        let Some((interruption, instruction)) = self.feeder.upcoming::<Lanes<'_, LANES>>() else { return false };
        let ip = match interruption {
            Some(interruption) if interruption.kind == IntKind::Exception => interruption.from,
            Some(_) => return false,
            None if instruction.io.valid => instruction.ip,
            None => return false,
        };
        if self.asked == Some(ip) {
            return false;
        }
        let in_tx = instruction.transaction.in_tx && !self.undone;
        self.inputs.ask = Ask { valid: true, in_tx, ip };
        self.asked = Some(ip);
        true
    }

    /// The core takes the request.
    #[cold]
    fn take(&mut self, out: &Outputs) {
        self.inputs.db_ack = true;
        self.mode = self.inputs.mode;
        let asked = self.asked.take();
        if matches!(out.db_class, DbClass::Abort | DbClass::Rollback) {
            self.again.leave_region();
            self.undone = true;
        }
        if out.db_class == DbClass::Abort {
            self.aborts += 1;
            self.phase = Phase::Aborted;
            return;
        }
        let ip = if out.db_class == DbClass::Rollback { self.outside } else { self.next_ip(asked) };
        let trap = out.db_class == DbClass::Trap;
        self.inputs.int =
            Interrupted { valid: true, kind: IntKind::Exception, from: ip, trap, ..Interrupted::default() };
        let instruction = if trap { self.retired.saturating_sub(1) } else { self.retired };
        self.phase =
            Phase::Delivered(Caught { instruction, ip, at: if trap { self.last } else { ip }, class: out.db_class });
    }

    /// Address of the instruction that comes next.
    fn next_ip(&mut self, asked: Option<u64>) -> u64 {
        if let Some(ip) = asked.or_else(|| self.again.ip()) {
            return ip;
        }
        match self.feeder.upcoming::<Lanes<'_, LANES>>() {
            Some((Some(interruption), _)) => interruption.from,
            Some((None, instruction)) => instruction.ip,
            None => self.behind,
        }
    }

    /// The lane that ends a region.
    #[cold]
    fn abort(&mut self) {
        let branch = Branch { kind: BranchKind::System, taken: true, next: self.outside, ..Branch::default() };
        let retired = Retired { valid: true, counts: false, ip: self.outside };
        let transaction = Transaction { in_tx: false, tx_abort: true };
        self.inputs.lanes[0] = Lane { retired, branch, transaction, ..Lane::default() };
        self.stale = 1;
        self.phase = Phase::Program;
    }

    /// #DB is delivered: its handler begins.
    #[cold]
    fn enter(&mut self, caught: Caught, out: &Outputs) {
        let flags = Eflags::from_bits(0).with_tf(self.stepping.on).with_rf(out.frame_rf);
        self.visit = Visit::new(Task::Handle(flags), caught.ip);
        self.phase = Phase::Kernel(Some(caught));
        self.kernel(Some(caught), out);
    }

    /// A cycle of the operating system.
    #[cold]
    fn kernel(&mut self, caught: Option<Caught>, out: &Outputs) {
        match self.visit.cycle(out, &mut self.inputs) {
            Turn::Works => {}
            Turn::Returns(outcome) => {
                self.stale = 1;
                self.phase = Phase::Program;
                if let (Some(caught), Some(dr6)) = (caught, outcome.dr6) {
                    self.records.caught(&caught, dr6, self.feeder.instructions().symbols());
                }
            }
            Turn::Refused(wanted, result) => self.refused(wanted, result),
        }
    }

    #[cold]
    fn refused(&mut self, wanted: Wanted, result: RegResult) {
        let what = match wanted {
            Wanted::Read(_) => "a MOV from a debug register",
            Wanted::Write(..) => "a MOV to a debug register",
        };
        let cycle = self.cycle.saturating_sub(1);
        self.failure = Some(DebugFailure::NotDone { what, cycle, result: result.name() });
        self.over = true;
    }
}

impl<const LANES: usize, I: Instructions> Environment for Computer<LANES, I> {
    type Inputs = Inputs<LANES>;
    type Outputs = Outputs;

    #[inline]
    fn cycle(&mut self, out: &Outputs) -> &Inputs<LANES> {
        self.idle();
        self.settle(out);
        if self.over {
            return &self.inputs;
        }
        match self.phase {
            Phase::Program => self.program(out),
            Phase::Delivered(caught) => self.enter(caught, out),
            Phase::Aborted => self.abort(),
            Phase::Kernel(caught) => self.kernel(caught, out),
        }
        self.cycle += 1;
        let at_work = !matches!(self.phase, Phase::Program) || self.again.used() > 0 || self.stale > 0;
        self.over |= self.feeder.has_ended() && !at_work && !out.db_valid;
        &self.inputs
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn stop(&mut self) {
        self.feeder.stop(false);
    }
}

#[cfg(test)]
mod tests;
