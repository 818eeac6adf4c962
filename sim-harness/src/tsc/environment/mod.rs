//! The unit's environment: a core that retires a trace, clocks, sleep, and logical processors that ask for the time.
//!
//! Cycles and instructions count from 0. In a cycle in which the core sleeps nothing retires and nobody asks. A request that is due
//! with an instruction is made in the cycle in which that instruction retires, and no other retires above it in that cycle. If several
//! are due, one is made per cycle, in the order of the session, and the trace goes on behind them.

mod clock;
mod events;
mod request;

pub use crate::core::{Ask, When};
pub use clock::{Clock, Ratio};
pub use events::{At, Pin, Sleep};
pub use request::Request;

use super::records::{Asked, Recorder};
use crate::core::{Feeder, Instructions, RetirePort, Schedule};
use crate::device::Environment;
use crate::traces::{Retired, TraceError};
use clock::Ticks;
use events::{Event, Events};
use lwp_model::retire::{Mode, OpMode, Processor, RegRequest};
use lwp_model::tsc::{Inputs, Outputs};
use miette::Diagnostic;
use thiserror::Error;

/// Everything that determines a run besides the trace and the unit itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Instructions that retire in one cycle at most.
    pub lanes: usize,
    /// Cycles from one group of instructions to the next.
    pub spacing: u64,
    /// How time passes.
    pub clock: Clock,
    /// When the core sleeps.
    pub sleeps: Vec<Sleep>,
    /// What the logical processors ask.
    pub requests: Vec<Request>,
    /// Seed of the distances between requests.
    pub seed: u64,
}

/// Why a run cannot go on.
#[derive(Clone, Copy, Debug, Error, Diagnostic, PartialEq, Eq)]
pub enum TscFailure {
    /// The unit has not answered.
    #[error("the request of cycle {cycle} is not answered in the next cycle")]
    #[diagnostic(code(tsc::no_answer), help("the unit breaks its contract: compare it with `--engine lockstep`"))]
    NoAnswer {
        /// The cycle of the request.
        cycle: u64,
    },
}

/// The environment of a unit.
#[derive(Debug)]
pub struct Computer<I> {
    inputs: Inputs,
    feeder: Feeder<I>,
    /// Privilege level of the last instruction.
    cpl: u8,
    retired: u64,
    cycle: u64,
    ticks: Ticks,
    events: Events,
    schedule: Schedule<Request>,
    /// The request of the last cycle.
    asked: Option<Asked>,
    records: Recorder,
    over: bool,
    failure: Option<TscFailure>,
}

/// What is left of an environment.
#[derive(Debug)]
pub struct Remains<I> {
    /// Where the instructions came from.
    pub instructions: I,
    /// Where the answers went.
    pub records: Recorder,
    /// Requests that were not made: their cycle or their instruction did not come.
    pub requests_left: u64,
}

impl<I: Instructions> Computer<I> {
    /// The environment at reset.
    #[must_use]
    pub fn new(setup: &Setup, instructions: I, records: Recorder) -> Self {
        let mut inputs = Inputs { op_mode: OpMode::Long64, ..Inputs::default() };
        inputs.processor.core_ratio = setup.clock.core_ratio;
        Self {
            inputs,
            feeder: Feeder::new(instructions, OpMode::Long64, setup.lanes, setup.spacing),
            cpl: 0,
            retired: 0,
            cycle: 0,
            ticks: Ticks::new(&setup.clock),
            events: Events::new(setup),
            schedule: Schedule::new(setup.requests.clone(), setup.seed),
            asked: None,
            records,
            over: false,
            failure: None,
        }
    }

    /// Instructions that have retired.
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
    pub const fn failure(&self) -> Option<TscFailure> {
        self.failure
    }

    /// Hands everything back.
    #[must_use]
    pub fn finish(self) -> Remains<I> {
        let requests_left = self.events.requests_left() + self.schedule.left();
        Remains { instructions: self.feeder.into_instructions(), records: self.records, requests_left }
    }

    /// The answer to the request of the last cycle.
    fn take_answer(&mut self, asked: &Asked, out: &Outputs) {
        if out.reg_done {
            self.records.answered(asked, out);
        } else {
            self.failure = Some(TscFailure::NoAnswer { cycle: asked.cycle });
            self.over = true;
        }
    }

    /// What happens in this cycle by the clock.
    #[cold]
    fn happen(&mut self) {
        while let Some(event) = self.events.pop(self.cycle) {
            match event {
                Event::Pin(pin, asserted) => self.events.set(pin, asserted, &mut self.inputs.processor),
                Event::Ratio(ratio) => self.inputs.processor.core_ratio = ratio,
                Event::Ask(request) => self.schedule.wait(request, None),
            }
        }
    }

    /// Retires as many instructions as fit.
    #[inline]
    fn retire(&mut self) {
        let Self { feeder, inputs, cpl, retired, events, schedule, .. } = self;
        let mut port = Port { cpl, retired, processor: &mut inputs.processor, events, schedule };
        feeder.cycle(self.cycle, &mut port);
    }

    /// Makes the first request that waits.
    #[cold]
    fn ask(&mut self) {
        let Some((request, instruction)) = self.schedule.pop() else { return };
        let Request { lp, ask, cpl, mode, tsd, .. } = request;
        self.inputs.reg = RegRequest { valid: true, op: ask.op, lp, number: ask.number, wdata: ask.value };
        (self.inputs.cpl, self.inputs.op_mode, self.inputs.tsd) = (cpl.unwrap_or(self.cpl), mode, tsd);
        self.asked = Some(Asked { instruction, cycle: self.cycle, lp, ask });
    }
}

/// What retirement changes. The unit watches no lanes: it is shown the level of the last instruction, in any mode.
struct Port<'a> {
    cpl: &'a mut u8,
    retired: &'a mut u64,
    processor: &'a mut Processor,
    events: &'a mut Events,
    schedule: &'a mut Schedule<Request>,
}

impl RetirePort for Port<'_> {
    const MISSED_LOADS: bool = false;
    const ACCESSES: bool = false;
    const IO: bool = false;
    const INTERRUPTIONS: bool = false;
    const CS_BASE: bool = false;

    #[inline]
    fn is_in(&self, _mode: Mode) -> bool {
        true
    }

    fn enter(&mut self, _mode: Mode) {}

    /// An instruction with which something is due is the last of its cycle.
    #[inline]
    fn retire(&mut self, _lane: usize, retired: &Retired) -> bool {
        let number = *self.retired;
        (*self.cpl, *self.retired) = (retired.cpl & 3, number + 1);
        if self.events.is_due(number) {
            self.events.ratios(number, self.processor);
        }
        let due = self.schedule.is_due(number);
        if due {
            self.schedule.due(number);
        }
        !due
    }
}

impl<I: Instructions> Environment for Computer<I> {
    type Inputs = Inputs;
    type Outputs = Outputs;

    #[inline]
    fn cycle(&mut self, out: &Outputs) -> &Inputs {
        if let Some(asked) = self.asked.take() {
            self.take_answer(&asked, out);
            let Inputs { processor, .. } = self.inputs;
            self.inputs = Inputs { processor, cpl: self.cpl, op_mode: OpMode::Long64, ..Inputs::default() };
        }
        if self.over {
            self.ticks.none(&mut self.inputs.processor);
            return &self.inputs;
        }
        self.ticks.cycle(&mut self.inputs.processor);
        if self.events.comes(self.cycle) {
            self.happen();
        }
        if !self.events.asleep() || self.feeder.has_ended() {
            if !self.schedule.waits() && !self.feeder.has_ended() && self.feeder.is_due(self.cycle) {
                self.retire();
            }
            self.inputs.cpl = self.cpl;
            if self.schedule.waits() {
                self.ask();
            }
        }
        self.over = self.feeder.has_ended() && self.asked.is_none();
        self.cycle += 1;
        &self.inputs
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn stop(&mut self) {
        self.schedule.stop();
        self.feeder.stop(false);
    }
}
