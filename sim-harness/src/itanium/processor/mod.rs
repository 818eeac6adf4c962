//! The unit's environment: a processor that runs a program of IA-64.
//!
//! Firmware writes registers at privilege level 0, then the program runs, then firmware freezes and reads the counters. Bundles are executed
//! in order, and shown in a pipeline: fetch, issue and retirement of a bundle are in cycles of their own, with as many bundles in flight as
//! the unit has entries. A taken branch forward is not foreseen: the bundle behind it is fetched, and flushed. An instruction of the unit waits
//! until what is older has retired, and what is younger waits for its answer. An interruption waits until the pipeline is empty.
//!
//! The program ends with `break 0` at level 0, or at any level if it has no table of interruptions (cr.iva is 0).

mod ask;
mod flight;
mod front;
mod pipeline;
mod setup;

pub use setup::{Ended, Setup};

use crate::device::Environment;
use crate::itanium::ia64::{Core, Fault, FaultKind};
use crate::itanium::machine::File;
use front::State;
use lwp_model::itanium::{COUNTERS, Inputs, Outputs, RegOp, RegRequest};
use miette::Diagnostic;
use pipeline::Pipeline;
use std::collections::VecDeque;
use thiserror::Error;

/// cr.iva, cr.itv, cr.pmv.
const IVA: u8 = 2;
const ITV: u8 = 72;
const PMV: u8 = 73;

/// Why a run cannot go on.
#[derive(Clone, Copy, Debug, Error, Diagnostic, PartialEq, Eq)]
pub enum ProcessorFailure {
    /// The program does what the processor lacks.
    #[error("{0}")]
    #[diagnostic(
        code(itanium::fault),
        help("the program needs a kernel that handles this, or an instruction that the executor has")
    )]
    Fault(Fault),
    /// The unit has not answered as its contract says.
    #[error("the request of cycle {cycle} is not answered in the next cycle, or not as an instruction of IA-64")]
    #[diagnostic(code(itanium::no_answer), help("the unit breaks its contract: compare it with `--engine lockstep`"))]
    NoAnswer {
        /// Cycle of the request.
        cycle: u64,
    },
    /// The program does not end.
    #[error("the program has not ended after {instructions} instructions and {interruptions} interruptions")]
    #[diagnostic(
        code(itanium::endless),
        help("give a larger --limit if it only takes long; a program ends with `break 0`")
    )]
    Endless {
        /// Instructions that have retired.
        instructions: u64,
        /// Interruptions, of which a handler that faults has no end.
        interruptions: u64,
    },
}

/// What the processor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Firmware sets up; then the level of the program is entered.
    SetsUp,
    Enters,
    /// The program runs.
    Runs,
    /// The next cycle is the first of a handler, or of firmware at the end.
    Interrupted {
        ends: bool,
    },
    /// Firmware reads.
    Reads,
}

/// The environment of a unit.
#[derive(Debug)]
pub struct Processor<const BUNDLES: usize> {
    inputs: Inputs<BUNDLES>,
    phase: Phase,
    /// Requests of firmware, those at the end behind those of the beginning.
    firmware: VecDeque<RegRequest>,
    pipeline: Pipeline,
    cpl: u8,
    /// Cycle of the request that is not answered, and whether the program made it.
    asked: Option<(u64, bool)>,
    cycle: u64,
    timer: u64,
    interruptions: u64,
    limit: u64,
    ended: Ended,
    over: bool,
    stopped: bool,
    failure: Option<ProcessorFailure>,
}

impl<const BUNDLES: usize> Processor<BUNDLES> {
    /// Returns the environment at reset, with the program in front of its first instruction. The unit has so many entries.
    #[must_use]
    pub fn new(setup: &Setup, core: Core, entries: usize) -> Self {
        let cpl = core.cpl();
        let timer = if setup.timer == 0 { u64::MAX } else { setup.timer };
        Self {
            inputs: Inputs::default(),
            phase: Phase::SetsUp,
            firmware: setup.requests.iter().copied().collect(),
            pipeline: Pipeline::new(core, entries, timer),
            cpl,
            asked: None,
            cycle: 0,
            timer,
            interruptions: 0,
            limit: setup.limit,
            ended: Ended::default(),
            over: false,
            stopped: false,
            failure: None,
        }
    }

    /// Returns the number of instructions that have retired.
    #[must_use]
    pub const fn retired(&self) -> u64 {
        self.pipeline.retired
    }

    /// Returns the reason why the run was given up, if it was.
    #[must_use]
    pub const fn failure(&self) -> Option<ProcessorFailure> {
        self.failure
    }

    /// Returns what firmware has read at the end.
    #[must_use]
    pub fn ended(&self) -> Ended {
        Ended { cycles: self.cycle, instructions: self.pipeline.retired, stopped: self.stopped, ..self.ended }
    }

    /// Returns the core as it is.
    #[must_use]
    pub const fn core(&self) -> &Core {
        &self.pipeline.front.core
    }

    const fn fail(&mut self, failure: ProcessorFailure) {
        self.failure = Some(failure);
        self.over = true;
    }

    /// Takes the answer to the request of the last cycle.
    fn take(&mut self, (asked, by_program): (u64, bool), out: &Outputs) {
        let Some(answer) = ask::answer(out) else { return self.fail(ProcessorFailure::NoAnswer { cycle: asked }) };
        if by_program {
            self.pipeline.front.watch(out);
            self.pipeline.answered(answer);
        } else if self.phase == Phase::Reads {
            self.read(out.reg_rdata);
        }
    }

    /// Takes what firmware reads at the end: PMC\[0\], then, behind the write that freezes, the counters.
    fn read(&mut self, rdata: u64) {
        match self.firmware.len() {
            left if left == COUNTERS + 1 => self.ended.pmc0 = rdata,
            left if left < COUNTERS => self.ended.counts[COUNTERS - 1 - left] = rdata,
            _ => {}
        }
        self.over = self.firmware.is_empty();
    }

    /// Firmware makes its next request; whether there was one.
    fn firmware(&mut self) -> bool {
        let Some(request) = self.firmware.pop_front() else { return false };
        self.inputs.reg = request;
        self.asked = Some((self.cycle, false));
        true
    }

    /// The program runs: it is interrupted, or the pipeline moves.
    #[inline]
    fn run(&mut self, out: &Outputs) {
        let cause = self.pipeline.cause(out.irq);
        if self.pipeline.is_empty() && (self.stopped || cause.is_some() || self.pipeline.faults()) {
            self.interrupt(out, cause);
        } else {
            let fetches = !self.stopped && cause.is_none();
            if let Some(request) = self.pipeline.cycle(&mut self.inputs, self.cycle, fetches) {
                self.inputs.reg = ask::port(request);
                self.asked = Some((self.cycle, true));
            }
            let (instructions, interruptions) = (self.pipeline.retired, self.interruptions);
            if instructions + interruptions > self.limit {
                self.fail(ProcessorFailure::Endless { instructions, interruptions });
            }
        }
    }

    /// An interruption is a cycle of its own.
    #[cold]
    fn interrupt(&mut self, out: &Outputs, cause: Option<Cause>) {
        self.pipeline.front.watch(out);
        let mut ends = self.stopped;
        if let Some(cause) = cause.filter(|_| !ends) {
            self.inputs.irq_ack = cause.of_monitors;
            if !cause.of_monitors {
                self.pipeline.front.left = self.timer;
            }
            self.pipeline.front.core.interrupt(cause.vector);
        } else if let State::Faults(fault) = self.pipeline.front.state {
            let core = &mut self.pipeline.front.core;
            let is_exit = matches!(fault.kind, FaultKind::Break { immediate: 0 });
            let handled = core.control(IVA) != 0;
            if is_exit && (!handled || core.cpl() == 0) {
                ends = true;
            } else if !handled || core.deliver(&fault).is_none() {
                return self.fail(ProcessorFailure::Fault(fault));
            }
        }
        self.inputs.int_valid = true;
        self.interruptions += 1;
        self.phase = Phase::Interrupted { ends };
    }

    /// The first cycle behind an interruption: the core sees what the interruption made of the PSR.
    #[cold]
    fn handle(&mut self, ends: bool, out: &Outputs) {
        self.inputs.cpl = 0;
        self.pipeline.front.watch(out);
        self.pipeline.flush();
        if !ends {
            self.pipeline.front.state = State::Runs;
            self.phase = Phase::Runs;
            return;
        }
        let read = |number| RegRequest { valid: true, op: RegOp::ReadFile, lp: 0, number, wdata: 0 };
        self.firmware.push_back(read(File::Pmc.number(0)));
        self.firmware.push_back(RegRequest { op: RegOp::WriteFile, wdata: 1, ..read(File::Pmc.number(0)) });
        self.firmware.extend((4..).take(COUNTERS).map(|index| read(File::Pmd.number(index))));
        self.phase = Phase::Reads;
    }
}

/// An external interrupt: of the monitors or of the timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cause {
    of_monitors: bool,
    vector: u8,
}

impl<const BUNDLES: usize> Environment for Processor<BUNDLES> {
    type Inputs = Inputs<BUNDLES>;
    type Outputs = Outputs;

    #[inline]
    fn cycle(&mut self, out: &Outputs) -> &Inputs<BUNDLES> {
        self.inputs = Inputs { cpl: self.inputs.cpl, ..Inputs::default() };
        let was_over = self.over;
        if let Some(asked) = self.asked.take() {
            self.take(asked, out);
        }
        if self.over {
            // The last cycle takes the last answer.
            self.cycle += u64::from(!was_over);
            return &self.inputs;
        }
        self.inputs.core_clock = true;
        match self.phase {
            Phase::Runs => self.run(out),
            Phase::SetsUp => {
                if !self.firmware() {
                    self.pipeline.front.watch(out);
                    self.phase = Phase::Enters;
                }
            }
            Phase::Enters => {
                self.inputs.cpl = self.cpl;
                self.phase = Phase::Runs;
            }
            Phase::Interrupted { ends } => self.handle(ends, out),
            Phase::Reads => {
                self.firmware();
            }
        }
        self.cycle += 1;
        &self.inputs
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn stop(&mut self) {
        self.stopped = true;
    }
}
