//! The unit's environment: memory with the debug store's area, an operating system that starts the unit and drains its buffers, and a core that
//! retires a trace.
//!
//! Cycles and instructions count from 0. The unit is started before the first instruction. A performance interrupt is delivered before the
//! next instruction: its handler stops the unit, reads the LBR stack, takes the records out of the buffers and goes on. Behind the last
//! instruction the same is done once more.

mod kernel;
mod lanes;
mod memory;
mod setup;

pub use setup::{Buffer, Event, Levels, Sampling, Setup, Sink, TraceFailure};

use super::records::Recorder;
use crate::core::{Feeder, Instructions};
use crate::device::Environment;
use crate::traces::TraceError;
use kernel::{Access, Stack, Task, Turn, Visit};
use lanes::{Lanes, Shown};
use lwp_model::Choice;
use lwp_model::retire::{Branch, BranchKind, IntKind, Interruption, Mode, OpMode, RegRequest, Retired, Transaction};
use lwp_model::trace::{Config, Inputs, Lane, Outputs};
use memory::Memory;
use setup::Plan;

/// Address of the interrupt handler.
const HANDLER: u64 = 0xFFFF_FFFF_8100_0000;
/// The same of an operating system of 32 bits.
const HANDLER_32: u64 = 0xC100_0000;
/// Vector of the performance interrupt.
const VECTOR: u8 = 0xEE;

/// What the core does.
#[derive(Debug)]
enum Phase {
    /// The trace goes on.
    Program,
    /// Level 0 begins in this cycle, and then the task.
    Enter(Task),
    /// The operating system is at work.
    Kernel(Visit),
    /// The handler returns.
    Return,
}

/// A precise counter as `perf` has it: its value, and what it showed last.
#[derive(Clone, Copy, Debug, Default)]
struct Counter {
    value: u64,
    overflowed: bool,
}

/// The environment of a unit.
#[derive(Debug)]
pub struct Computer<const LANES: usize, I> {
    inputs: Inputs<LANES>,
    feeder: Feeder<I>,
    memory: Memory,
    stack: Stack,
    plan: Plan,
    circular: bool,
    pebs: Option<Sampling>,
    /// Cycles that a message waits for the bus, and that the present one has waited.
    latency: u64,
    waited: u64,
    phase: Phase,
    shown: Shown,
    counter: Counter,
    /// A buffer has asked for an interrupt.
    due: bool,
    /// The mode of the program, while the handler runs.
    mode: Mode,
    retired: u64,
    cycle: u64,
    stalled: u64,
    records: Recorder,
    over: bool,
    failure: Option<TraceFailure>,
}

/// What is left of an environment.
#[derive(Debug)]
pub struct Remains<I> {
    /// Where the instructions came from.
    pub instructions: I,
    /// Where the records went.
    pub records: Recorder,
    /// Cycles in which the unit stalled the core.
    pub stalled: u64,
}

impl<const LANES: usize, I: Instructions> Computer<LANES, I> {
    /// Returns the environment at reset.
    #[must_use]
    pub fn new(setup: &Setup, straps: &Config, instructions: I, records: Recorder) -> Self {
        let plan = setup.plan(straps);
        let op_mode = if plan.long { OpMode::Long64 } else { OpMode::Protected };
        let pebs = setup.pebs.filter(|_| straps.pebs_counters > 0);
        let counter = Counter { value: pebs.map_or(0, |pebs| pebs.period.wrapping_neg()), overflowed: false };
        let memory = Memory::new(&Setup { pebs, ..setup.clone() }, &plan);
        let start = kernel::start(straps.ds.then_some(memory.area()), pebs.is_some(), plan.debugctl);
        let mode = Mode { cpl: 0, smm: false, op_mode };
        Self {
            inputs: Inputs { mode, core_clock: true, btm_ready: true, far_long: plan.long, ..Inputs::default() },
            feeder: Feeder::new(instructions, op_mode, setup.lanes.clamp(1, LANES), setup.spacing),
            memory,
            stack: Stack::new(straps),
            plan,
            circular: setup.buffer.circular,
            pebs,
            latency: setup.latency,
            waited: 0,
            phase: Phase::Kernel(Visit::new(Task::Start, start)),
            shown: Shown { event: pebs.map(|pebs| pebs.event), levels: setup.levels, ..Shown::default() },
            counter,
            due: false,
            mode: Mode { cpl: 3, ..mode },
            retired: 0,
            cycle: 0,
            stalled: 0,
            records,
            over: false,
            failure: None,
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
    pub const fn failure(&self) -> Option<&TraceFailure> {
        self.failure.as_ref()
    }

    /// Hands everything back.
    #[must_use]
    pub fn finish(self) -> Remains<I> {
        Remains { instructions: self.feeder.into_instructions(), records: self.records, stalled: self.stalled }
    }

    /// What the last cycle showed is taken back; mode and segments stay.
    #[inline]
    fn idle(&mut self) {
        let inputs = &mut self.inputs;
        inputs.lanes[..self.shown.lanes].fill(Lane::default());
        self.shown.lanes = 0;
        inputs.int.valid = false;
        inputs.pebs.event = 0;
        inputs.reg = RegRequest::default();
    }

    /// Memory, bus, and the counter's side of PEBS.
    #[inline]
    fn surroundings(&mut self, out: &Outputs) {
        if out.mem.req || self.memory.is_busy() {
            self.inputs.mem = self.memory.cycle(&out.mem);
        } else if self.inputs.mem.gnt || self.inputs.mem.rvalid {
            self.inputs.mem = lwp_model::retire::MemAnswer::default();
        }
        self.inputs.pebs.overflow = u8::from(self.counter.overflowed);
        self.counter.overflowed = false;
        if out.reload_valid {
            self.counter.value = out.reload_value;
        }
        self.inputs.pebs.state_value = match out.state_index {
            1 => self.next_ip(),
            22 => self.shown.last,
            24 => self.cycle,
            _ => 0,
        };
        if out.btm_valid {
            self.bus(out);
        }
        if out.stored || out.lost {
            self.records.store(out.stored, out.lost);
        }
    }

    /// The bus takes a message, or lets it wait.
    #[inline]
    fn bus(&mut self, out: &Outputs) {
        self.inputs.btm_ready = self.waited >= self.latency;
        if self.inputs.btm_ready {
            self.records.message(out.btm_from, out.btm_to, out.btm_predicted);
            self.waited = 0;
        } else {
            self.waited += 1;
        }
    }

    /// The trace goes on, unless the unit stalls it or an interrupt comes.
    #[inline]
    fn program(&mut self, out: &Outputs) {
        if out.stall {
            self.stalled += 1;
            return;
        }
        if self.due {
            return self.interrupt();
        }
        self.shown.armed = out.pebs_armed != 0 || self.inputs.pebs.overflow != 0;
        (self.shown.fires, self.shown.events) = (false, 0);
        let mut lanes = Lanes { inputs: &mut self.inputs, shown: &mut self.shown };
        self.feeder.cycle(self.cycle, &mut lanes);
        self.retired += self.shown.lanes as u64;
        self.inputs.pebs.event = u8::from(self.shown.fires);
        if self.shown.events > 0 {
            let (value, overflowed) = self.counter.value.overflowing_add(self.shown.events);
            self.counter = Counter { value, overflowed };
        }
        if self.feeder.has_ended() && self.shown.lanes == 0 {
            self.phase = Phase::Enter(Task::End);
        }
    }

    /// Address of the instruction that comes next.
    fn next_ip(&mut self) -> u64 {
        match self.feeder.upcoming::<Lanes<'_, LANES>>() {
            Some((Some(interruption), _)) => interruption.from,
            Some((None, instruction)) => instruction.ip,
            None => self.shown.behind,
        }
    }

    /// The performance interrupt is delivered.
    #[cold]
    fn interrupt(&mut self) {
        self.due = false;
        self.mode = self.inputs.mode;
        let from = self.next_ip();
        self.shown.behind = from;
        let to = if self.plan.long { HANDLER } else { HANDLER_32 };
        self.inputs.int = Interruption { valid: true, kind: IntKind::Interrupt, vector: VECTOR, from, to };
        self.records.interrupt();
        self.phase = Phase::Enter(Task::Stop);
    }

    #[cold]
    fn begin(&mut self, task: Task) {
        self.inputs.mode.cpl = 0;
        let accesses = match task {
            Task::Stop | Task::End => self.stack.stop(self.pebs.is_some()),
            Task::Resume => kernel::resume(self.pebs.is_some(), self.plan.debugctl),
            Task::Start => Vec::new(),
        };
        self.phase = Phase::Kernel(Visit::new(task, accesses));
    }

    #[cold]
    fn kernel(&mut self, out: &Outputs) {
        let Phase::Kernel(visit) = &mut self.phase else { return };
        let (turn, request) = visit.cycle(out);
        self.inputs.reg = request;
        match turn {
            Turn::Works => {}
            Turn::Refused(access, result) => {
                let (what, number) = match access {
                    Access::Read(number) => ("RDMSR", number),
                    Access::Write(number, _) => ("WRMSR", number),
                };
                let cycle = self.cycle.saturating_sub(1);
                self.fail(TraceFailure::NotDone { what, number, cycle, result: result.name() });
            }
            Turn::Done => self.done(),
        }
    }

    /// A task has made its last access.
    #[cold]
    fn done(&mut self) {
        let Phase::Kernel(visit) = std::mem::replace(&mut self.phase, Phase::Program) else { return };
        if matches!(visit.task, Task::Stop | Task::End) {
            self.drain();
            let Self { stack, records, retired, .. } = self;
            stack.decode(visit.values(), |exception, record| records.stack(*retired, exception, &record));
        }
        match visit.task {
            Task::Start => self.inputs.mode.cpl = 3,
            Task::Stop => {
                self.restart_counter();
                self.begin(Task::Resume);
            }
            Task::Resume => self.phase = Phase::Return,
            Task::End => self.over = true,
        }
    }

    /// The records are taken out of the buffers.
    #[cold]
    fn drain(&mut self) {
        // The local APIC has masked its entry since the interrupt: what was asked for meanwhile is drained here as well.
        self.due = false;
        let Self { memory, records, .. } = self;
        let branches = memory.drain_branches(self.circular, |record| records.branch(&record));
        let precise = memory.drain_precise(|record| records.precise(&record));
        let bases = [memory.bts.base, memory.pebs.map_or(0, |pebs| pebs.base)];
        for (result, base) in [branches, precise].into_iter().zip(bases) {
            if let Err(index) = result {
                self.fail(TraceFailure::Index { base, index, cycle: self.cycle });
            }
        }
    }

    /// A counter whose overflow has left no record, since PEBS was switched off meanwhile, is set by software.
    #[cold]
    fn restart_counter(&mut self) {
        if let Some(pebs) = self.pebs.filter(|_| self.counter.value >> 63 == 0) {
            self.counter = Counter { value: pebs.period.wrapping_neg(), overflowed: false };
        }
    }

    fn fail(&mut self, failure: TraceFailure) {
        self.failure.get_or_insert(failure);
        self.over = true;
    }

    /// The IRET of the handler.
    #[cold]
    fn leave(&mut self, out: &Outputs) {
        if out.stall {
            self.stalled += 1;
            return;
        }
        let ip = if self.plan.long { HANDLER } else { HANDLER_32 } + 0x40;
        let branch = Branch { kind: BranchKind::System, taken: true, next: self.shown.behind, ..Branch::default() };
        let retired = Retired { valid: true, counts: true, ip };
        self.inputs.lanes[0] = Lane { retired, branch, transaction: Transaction::default() };
        self.shown.lanes = 1;
        self.phase = Phase::Program;
    }
}

impl<const LANES: usize, I: Instructions> Environment for Computer<LANES, I> {
    type Inputs = Inputs<LANES>;
    type Outputs = Outputs;

    #[inline]
    fn cycle(&mut self, out: &Outputs) -> &Inputs<LANES> {
        self.idle();
        if self.over {
            return &self.inputs;
        }
        self.surroundings(out);
        match self.phase {
            Phase::Program => self.program(out),
            Phase::Enter(task) => self.begin(task),
            Phase::Kernel(_) => self.kernel(out),
            Phase::Return => self.leave(out),
        }
        // The local APIC takes a cycle, in which the stack freezes.
        self.due |= out.ds_pmi;
        self.cycle += 1;
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
