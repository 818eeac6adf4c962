//! The unit's environment: an operating system that programs the counters, a core that retires a trace on logical processor 0, and
//! handlers of overflows.
//!
//! Cycles and instructions count from 0. The operating system programs the counters before the first instruction, a register write
//! per cycle. The other logical processors are halted. A request for a register of its own level (RDPMC) is made in the cycle in which its
//! instruction retires, any other one by the operating system, after a change to CPL 0.

mod lanes;
mod overflow;
mod program;
mod setup;
mod visit;

pub use crate::core::{Ask, When};
pub use lanes::SUPPLIED;
pub(crate) use lanes::lane_of;
pub use setup::{Counter, Interrupt, Request, Setup, Which};

use super::records::{Asked, Recorder, Sample};
use crate::core::{Countdown, Feeder, Instructions, Schedule};
use crate::device::Environment;
use crate::traces::TraceError;
use lanes::Lanes;
use lwp_model::perf::{Apic, Events, Inputs, Lane, LpOut, Outputs};
use lwp_model::retire::{IntKind, OpMode, RegOp, RegRequest};
use miette::Diagnostic;
use overflow::Overflows;
use program::Step;
use std::collections::VecDeque;
use thiserror::Error;
use visit::{Turn, Visit};

/// Why a run cannot continue.
#[derive(Clone, Copy, Debug, Error, Diagnostic, PartialEq, Eq)]
pub enum PerfFailure {
    /// The unit has not answered.
    #[error("the request of cycle {cycle} is not answered in the next cycle")]
    #[diagnostic(code(perf::no_answer), help("the unit breaks its contract: compare it with `--engine lockstep`"))]
    NoAnswer {
        /// Cycle of the request.
        cycle: u64,
    },
}

/// The environment of a unit.
#[derive(Debug)]
pub struct Computer<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize, I> {
    inputs: Inputs<LP, LANES>,
    setup: Setup,
    feeder: Feeder<I>,
    retired: u64,
    /// Address of the last instruction that retired.
    ip: u64,
    cycle: u64,
    bus: Countdown,
    schedule: Schedule<Request>,
    /// The request of the last cycle.
    asked: Option<Asked>,
    overflows: Overflows,
    /// The operating system runs on logical processor 0.
    visit: Option<Visit>,
    /// Register writes of the other logical processors.
    others: [VecDeque<Step>; LP],
    /// Cycles until logical processor 0 takes its interrupt.
    waits: Option<u64>,
    records: Recorder,
    over: bool,
    failure: Option<PerfFailure>,
}

/// What is left of an environment.
#[derive(Debug)]
pub struct Remains<I> {
    /// Where the instructions came from.
    pub instructions: I,
    /// Where answers and samples went.
    pub records: Recorder,
    /// Overflows of each counter.
    pub overflows: Vec<(u8, Which, u64)>,
    /// Requests that were not made: their instruction did not come.
    pub requests_left: u64,
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize, I: Instructions>
    Computer<LP, GENERAL, FIXED, LANES, I>
{
    /// The environment at reset.
    #[must_use]
    pub fn new(setup: &Setup, instructions: I, records: Recorder) -> Self {
        let mut inputs = Inputs { core_ratio: setup.core_ratio, core_clock: true, ..Inputs::default() };
        for (number, lp) in inputs.lp.iter_mut().enumerate() {
            (lp.op_mode, lp.halted, lp.pce) = (OpMode::Long64, number != 0, setup.pce);
            (lp.freeze_on_pmi, lp.freeze_while_smm) = (setup.freeze_on_pmi, setup.freeze_while_smm);
        }
        let mut others: [VecDeque<Step>; LP] = core::array::from_fn(|lp| program::program(setup, lp as u8));
        let first = std::mem::take(&mut others[0]);
        Self {
            inputs,
            feeder: Feeder::new(instructions, OpMode::Long64, setup.lanes.clamp(1, LANES), setup.spacing),
            retired: 0,
            ip: 0,
            cycle: 0,
            bus: Countdown::new(setup.bus_period),
            schedule: Schedule::new(setup.requests.clone(), setup.seed),
            asked: None,
            overflows: Overflows::default(),
            visit: Some(Visit::beginning(first)),
            others,
            waits: None,
            records,
            over: false,
            failure: None,
            setup: setup.clone(),
        }
    }

    /// Returns the number of instructions that have retired.
    #[must_use]
    pub const fn retired(&self) -> u64 {
        self.retired
    }

    /// Returns the number of cycles since reset.
    #[must_use]
    pub const fn cycles(&self) -> u64 {
        self.cycle
    }

    /// Returns the source of the instructions.
    #[must_use]
    pub const fn instructions(&self) -> &I {
        self.feeder.instructions()
    }

    /// Returns why the trace could not be read to its end, if so, once.
    pub fn take_trace_failure(&mut self) -> Option<TraceError> {
        self.feeder.take_failure()
    }

    /// Returns why the run was given up, if it was.
    #[must_use]
    pub const fn failure(&self) -> Option<PerfFailure> {
        self.failure
    }

    /// Ends the environment.
    #[must_use]
    pub fn finish(self) -> Remains<I> {
        Remains {
            requests_left: self.schedule.left(),
            instructions: self.feeder.into_instructions(),
            records: self.records,
            overflows: self.overflows.counts(),
        }
    }

    /// Clears what the last cycle showed. Clocks, modes and control bits stay.
    #[inline]
    fn clear(&mut self) {
        self.inputs.lanes[0] = [Lane::default(); LANES];
        let lp = &mut self.inputs.lp[0];
        (lp.int_valid, lp.int_kind, lp.irq_ack, lp.events) = (false, IntKind::Interrupt, false, Events::default());
        self.inputs.reg = RegRequest::default();
        self.inputs.apic = Apic::default();
        self.inputs.bus_tick = self.bus.tick();
    }

    fn take_answer(&mut self, asked: &Asked, out: &Outputs<LP, GENERAL, FIXED>) {
        if out.reg_done {
            self.records.answered(asked, out.reg_result, out.reg_rdata);
        } else {
            self.failure = Some(PerfFailure::NoAnswer { cycle: asked.cycle });
            self.over = true;
        }
    }

    /// A cycle of logical processor 0.
    #[inline]
    fn run(&mut self, out: &LpOut) {
        if let Some(mut visit) = self.visit.take() {
            let turn = visit.cycle();
            self.visit = Some(visit);
            self.take_turn(turn);
        } else if !self.takes_interrupt(out) {
            if self.schedule.waits() {
                self.ask();
            } else if !self.feeder.has_ended() {
                self.feed();
            }
        }
    }

    #[inline]
    fn feed(&mut self) {
        let Self { feeder, inputs, retired, ip, schedule, .. } = self;
        feeder.cycle(self.cycle, &mut Lanes { inputs, retired, ip, schedule });
        if self.schedule.waits() {
            self.ask();
        }
    }

    /// Makes the first request that waits. RDPMC is executed by the program, the others by the operating system.
    #[cold]
    fn ask(&mut self) {
        let Some((request, instruction)) = self.schedule.pop() else { return };
        let asked = Asked { instruction, cycle: self.cycle, lp: request.lp, ask: request.ask };
        if request.ask.op == RegOp::Rdpmc || request.lp != 0 {
            self.request(asked);
        } else {
            self.visit = Some(Visit::asking(self.inputs.lp[0].cpl, asked));
        }
    }

    /// Shows a request.
    fn request(&mut self, asked: Asked) {
        let ask = asked.ask;
        self.inputs.reg = RegRequest { valid: true, op: ask.op, lp: asked.lp, number: ask.number, wdata: ask.value };
        self.asked = Some(Asked { cycle: self.cycle, ..asked });
    }

    #[cold]
    fn take_turn(&mut self, turn: Turn) {
        let lp = &mut self.inputs.lp[0];
        match turn {
            Turn::Enter => lp.cpl = 0,
            Turn::Wait => {}
            Turn::Write(step) => step.show(0, &mut self.inputs),
            Turn::Ask(asked) => self.request(asked),
            Turn::Resume => (lp.int_valid, lp.int_kind) = (true, IntKind::Rsm),
            Turn::Return(cpl) => {
                lp.cpl = cpl;
                self.visit = None;
            }
        }
    }

    /// Takes the performance interrupt once the core is between two instructions and as late as the session says.
    #[inline]
    fn takes_interrupt(&mut self, out: &LpOut) -> bool {
        if !out.irq {
            return false;
        }
        let left = self.waits.unwrap_or(self.setup.interrupt.latency);
        self.waits = Some(left.saturating_sub(1));
        if left > 0 || !self.feeder.is_between() {
            return false;
        }
        self.take_interrupt(out.irq_mode);
        true
    }

    #[cold]
    fn take_interrupt(&mut self, irq_mode: u8) {
        self.waits = None;
        let kind = match irq_mode {
            2 => IntKind::Smi,
            4 => IntKind::Nmi,
            _ => IntKind::Interrupt,
        };
        let lp = &mut self.inputs.lp[0];
        (lp.irq_ack, lp.int_valid, lp.int_kind) = (true, true, kind);
        let cpl = lp.cpl;
        let overflowed = self.overflows.take(0);
        for over in &overflowed {
            let (instruction, skid) = (self.retired, self.retired - over.retired);
            let sample =
                Sample { cycle: self.cycle, instruction, which: over.which, ip: self.ip, overflow_ip: over.ip, skid };
            self.records.sampled(&sample);
        }
        let which: Vec<Which> = overflowed.iter().map(|over| over.which).collect();
        let steps = program::restore(&self.setup, 0, &which);
        self.visit = Some(Visit::handling(cpl, steps, self.setup.interrupt.handler, kind == IntKind::Smi));
    }

    /// A cycle of the other logical processors: their interrupts are taken at once, and their handlers write when the port is free.
    #[inline]
    fn run_others(&mut self, out: &[LpOut; LP]) {
        for (lp, out) in out.iter().enumerate().skip(1) {
            self.inputs.lp[lp].irq_ack = out.irq && !self.inputs.lp[lp].irq_ack;
            if self.inputs.lp[lp].irq_ack {
                let which: Vec<Which> = self.overflows.take(lp as u8).iter().map(|over| over.which).collect();
                self.others[lp].extend(program::restore(&self.setup, lp as u8, &which));
            }
            if !self.inputs.reg.valid
                && !self.inputs.apic.write
                && let Some(step) = self.others[lp].pop_front()
            {
                step.show(lp as u8, &mut self.inputs);
            }
        }
    }
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize, I: Instructions> Environment
    for Computer<LP, GENERAL, FIXED, LANES, I>
{
    type Inputs = Inputs<LP, LANES>;
    type Outputs = Outputs<LP, GENERAL, FIXED>;

    #[inline]
    fn cycle(&mut self, out: &Self::Outputs) -> &Self::Inputs {
        self.overflows.note(out, self.retired, self.ip);
        if let Some(asked) = self.asked.take() {
            self.take_answer(&asked, out);
        }
        self.clear();
        if self.over {
            (self.inputs.bus_tick, self.inputs.core_clock) = (false, false);
            return &self.inputs;
        }
        self.run(&out.lp[0]);
        self.run_others(&out.lp);
        self.over = self.feeder.has_ended() && self.visit.is_none() && !self.schedule.waits() && self.asked.is_none();
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
