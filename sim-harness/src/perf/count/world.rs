//! The environment of counting: a core that retires a trace on logical processor 0, and the event bus with all that trace and front
//! end know.

use super::facts::Facts;
use super::front::Front;
use super::source::Source;
use crate::core::{Fed, Feeder, RetirePort};
use crate::perf::environment::lane_of;
use crate::perf::machine::Machine;
use crate::traces::{Retired, TraceError};
use lwp_model::Moore;
use lwp_model::perf::{Events, Inputs, Lane, Outputs};
use lwp_model::retire::{IntKind, Interruption, Mode, OpMode};

/// A program that runs on a machine.
#[derive(Debug)]
pub(super) struct World<const LP: usize, const LANES: usize> {
    feeder: Feeder<Source>,
    front: Front,
    inputs: Inputs<LP, LANES>,
    /// What the last group brought and no cycle has shown.
    backlog: Facts,
    retired: u64,
    now: u64,
}

/// The unit's inputs as the feeder fills them in a cycle.
struct Port<'a, const LP: usize, const LANES: usize> {
    inputs: &'a mut Inputs<LP, LANES>,
    front: &'a mut Front,
    facts: &'a mut Facts,
    retired: &'a mut u64,
    /// With so many instructions the group ends.
    until: u64,
}

impl<const LP: usize, const LANES: usize> World<LP, LANES> {
    /// The core before the first instruction, in user mode: up to `lanes` instructions every `spacing` cycles.
    pub(super) fn new(source: Source, lanes: usize, spacing: u64) -> Self {
        let mut inputs = Inputs::default();
        for (number, lp) in inputs.lp.iter_mut().enumerate() {
            (lp.cpl, lp.op_mode, lp.halted) = (3, OpMode::Long64, number != 0);
        }
        let front = source.front();
        let feeder = Feeder::new(source, OpMode::Long64, lanes.clamp(1, LANES), spacing);
        Self { feeder, front, inputs, backlog: Facts::default(), retired: 0, now: 0 }
    }

    /// Instructions that have retired.
    pub(super) const fn retired(&self) -> u64 {
        self.retired
    }

    /// Why the trace could not be read to its end, if so.
    pub(super) fn take_failure(&mut self) -> Option<TraceError> {
        self.feeder.take_failure()
    }

    /// Runs until so many instructions have retired, or to the end of the trace. Whether there is more is the result. `go_on` is asked
    /// now and then.
    pub(super) fn run_to<D, const GENERAL: usize, const FIXED: usize>(
        &mut self,
        machine: &Machine<D>,
        until: u64,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> bool
    where
        D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
    {
        while self.retired < until || !self.backlog.is_empty() {
            if self.now.is_multiple_of(4096) && !go_on(self.retired) {
                return false;
            }
            if !self.cycle(until) {
                return false;
            }
            machine.run([self.inputs]);
        }
        true
    }

    /// What the core shows in a cycle; `false` behind the last instruction.
    fn cycle(&mut self, until: u64) -> bool {
        self.inputs.lanes[0] = [Lane::default(); LANES];
        let lp = &mut self.inputs.lp[0];
        (lp.int_valid, lp.int_kind) = (false, IntKind::Interrupt);
        if self.backlog.is_empty() {
            let Self { feeder, front, inputs, backlog, retired, now } = self;
            let mut port = Port { inputs, front, facts: backlog, retired, until };
            if feeder.cycle(*now, &mut port) == Fed::End {
                return false;
            }
        }
        let events = &mut self.inputs.lp[0].events;
        *events = Events::default();
        for (fact, number) in self.backlog.take_cycle().iter() {
            events.set(fact.line(), number as u8);
        }
        self.now += 1;
        true
    }
}

impl<const LP: usize, const LANES: usize> RetirePort for Port<'_, LP, LANES> {
    const MISSED_LOADS: bool = false;
    const ACCESSES: bool = false;
    const IO: bool = false;
    const INTERRUPTIONS: bool = true;
    const CS_BASE: bool = false;

    #[inline]
    fn is_in(&self, mode: Mode) -> bool {
        let lp = &self.inputs.lp[0];
        (lp.cpl, lp.op_mode) == (mode.cpl, mode.op_mode)
    }

    fn enter(&mut self, mode: Mode) {
        // The others are halted; at the same level they do not matter to AnyThread.
        for lp in &mut self.inputs.lp {
            (lp.cpl, lp.op_mode) = (mode.cpl, mode.op_mode);
        }
    }

    fn interrupt(&mut self, interruption: &Interruption) {
        let lp = &mut self.inputs.lp[0];
        (lp.int_valid, lp.int_kind) = (true, interruption.kind);
    }

    #[inline]
    fn retire(&mut self, lane: usize, retired: &Retired) -> bool {
        self.inputs.lanes[0][lane] = lane_of(retired);
        self.front.observe(retired, self.facts);
        *self.retired += 1;
        *self.retired < self.until
    }
}
