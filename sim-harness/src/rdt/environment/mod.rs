//! The unit's environment: logical processors that run programs, memory, an operating system, and what happens to a package.
//!
//! Cycles count from 0. The operating system writes the unit's registers from the first cycle on, a register per cycle; the programs begin
//! behind its last write. A logical processor waits for each access. The memory of program n begins at n x 2^48, and is otherwise equal to that
//! of every other program. The window of the probe steps through all sets, a set per cycle.

mod core;
mod kernel;
mod memory;
mod program;
mod setup;
#[cfg(test)]
mod tests;

pub use self::core::Traffic;
pub use memory::{MemoryTiming, place};
pub use program::{Access, Program, Traced};
pub use setup::{Assigned, Happening, Setup, Write};

use self::core::Core;
use super::records::Recorder;
use crate::device::Environment;
use crate::traces::TraceError;
use kernel::Kernel;
use lwp_model::rdt::{Inputs, LpInputs, Memory, ModeInputs, Outputs, Power};
use lwp_model::retire::{IntKind, OpMode, RegAnswer, RegRequest};
use miette::Diagnostic;
use std::collections::VecDeque;
use thiserror::Error;

/// Cycles after which an access that is not complete is given up.
const PATIENCE: u64 = 1_000_000;

/// Reason why a run cannot continue.
#[derive(Clone, Copy, Debug, Error, Diagnostic, PartialEq, Eq)]
pub enum RdtFailure {
    /// The unit has not answered.
    #[error("the request of cycle {cycle} is not answered in the next cycle")]
    #[diagnostic(code(rdt::no_answer), help("the unit breaks its contract: compare it with `--engine lockstep`"))]
    NoAnswer {
        /// Cycle of the request.
        cycle: u64,
    },
    /// The unit refuses an access of the operating system.
    #[error("{what} {number:#x} in cycle {cycle} is not done: {result}")]
    #[diagnostic(code(rdt::not_done), help("the unit breaks its contract: compare it with `--engine lockstep`"))]
    NotDone {
        /// RDMSR or WRMSR.
        what: &'static str,
        /// Number of the register.
        number: u32,
        /// Cycle of the request.
        cycle: u64,
        /// Result, by its name in the contract.
        result: &'static str,
    },
    /// An access is never complete.
    #[error("the access of logical processor {lp} is not complete in cycle {cycle}, after {PATIENCE} cycles")]
    #[diagnostic(code(rdt::stuck), help("the unit breaks its contract: compare it with `--engine lockstep`"))]
    Stuck {
        /// Logical processor.
        lp: usize,
        /// The present cycle.
        cycle: u64,
    },
}

/// Changes of power that the unit has shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerChanges {
    /// Changes of the number of ways with power, of both caches.
    pub changes: u64,
    /// Cycles in which ways were emptied.
    pub walking: u64,
}

/// The environment of a unit with `LP` logical processors.
#[derive(Debug)]
pub struct Computer<const LP: usize, P> {
    inputs: Inputs<LP>,
    cores: Vec<Core<P>>,
    kernel: Kernel,
    memory: memory::Memory,
    events: VecDeque<(u64, Happening)>,
    /// Number of sets through which the window steps, less 1.
    sets: u16,
    /// System management interrupts that wait, and the cycles of their handlers.
    smis: VecDeque<u64>,
    /// Cycle of RSM, in system management mode.
    rsm: Option<u64>,
    /// First cycle in which monitoring data are available again.
    available: u64,
    /// The programs have begun.
    begun: bool,
    /// The last reading is asked for.
    ending: bool,
    cycle: u64,
    by_rmid: Vec<Traffic>,
    /// Ways with power in the cycle before, once the unit has been ready.
    on: Option<(u8, u8)>,
    power: PowerChanges,
    records: Recorder,
    over: bool,
    trace_failure: Option<TraceError>,
    failure: Option<RdtFailure>,
}

/// What is left of an environment.
#[derive(Debug)]
pub struct Remains<P> {
    /// The programs, each with its accesses and the cycle in which its last one was complete.
    pub programs: Vec<(P, Traffic, u64)>,
    /// Accesses by RMID.
    pub by_rmid: Vec<Traffic>,
    /// Changes of power.
    pub power: PowerChanges,
    /// Samples.
    pub records: Recorder,
    /// Events whose cycle did not come.
    pub events_left: usize,
    /// Cycles since reset.
    pub cycles: u64,
}

impl<const LP: usize, P: Program> Computer<LP, P> {
    /// Returns the environment at reset. Program n runs on logical processor n.
    ///
    /// # Panics
    /// If there are more programs than logical processors.
    #[must_use]
    pub fn new(setup: &Setup, programs: Vec<P>, records: Recorder) -> Self {
        assert!(programs.len() <= LP, "{} programs on {LP} logical processors", programs.len());
        let power = Power { l3_power: 31, l2_power: 15 };
        let mode = ModeInputs { op_mode: OpMode::Long64, cpl: 0 };
        let inputs = Inputs { power, mode, ..Inputs::default() };
        Self {
            inputs,
            cores: programs.into_iter().enumerate().map(|(number, program)| Core::new(number, program)).collect(),
            kernel: Kernel::new(setup),
            memory: memory::Memory::new(setup.memory),
            events: setup.events.iter().cloned().collect(),
            sets: setup.sets.next_power_of_two() - 1,
            smis: VecDeque::new(),
            rsm: None,
            available: 0,
            begun: false,
            ending: false,
            cycle: 0,
            by_rmid: vec![Traffic::default(); 32],
            on: None,
            power: PowerChanges::default(),
            records,
            over: false,
            trace_failure: None,
            failure: None,
        }
    }

    /// Returns the number of cycles since reset.
    #[must_use]
    pub const fn cycles(&self) -> u64 {
        self.cycle
    }

    /// Returns a program.
    ///
    /// # Panics
    /// If there is no such program.
    #[must_use]
    pub fn program(&self, number: usize) -> &P {
        &self.cores[number].program
    }

    /// Returns why a trace could not be read to its end, if so, once.
    pub fn take_trace_failure(&mut self) -> Option<TraceError> {
        self.trace_failure.take()
    }

    /// Returns why the run was given up, if it was.
    #[must_use]
    pub const fn failure(&self) -> Option<RdtFailure> {
        self.failure
    }

    /// Ends the environment.
    #[must_use]
    pub fn finish(self) -> Remains<P> {
        Remains {
            programs: self.cores.into_iter().map(|core| (core.program, core.traffic, core.end)).collect(),
            by_rmid: self.by_rmid,
            power: self.power,
            records: self.records,
            events_left: self.events.len(),
            cycles: self.cycle,
        }
    }

    /// Clears what the last cycle showed. Power and mode stay.
    #[inline]
    fn clear(&mut self) {
        self.inputs.lp = [LpInputs::default(); LP];
        self.inputs.reg = RegRequest::default();
        self.inputs.mode.cpl = 3;
        self.inputs.qm_unavailable = self.cycle < self.available;
        self.inputs.show = (self.cycle & u64::from(self.sets)) as u16;
    }

    fn fail(&mut self, failure: RdtFailure) {
        self.failure.get_or_insert(failure);
        self.over = true;
    }

    /// What happens in this cycle.
    #[cold]
    fn happen(&mut self) {
        while self.events.front().is_some_and(|(at, _)| *at <= self.cycle) {
            let Some((_, event)) = self.events.pop_front() else { break };
            match event {
                Happening::L3Power(ways) => self.inputs.power.l3_power = ways,
                Happening::L2Power(ways) => self.inputs.power.l2_power = ways,
                Happening::Smi(cycles) => self.smis.push_back(cycles),
                Happening::Unavailable(cycles) => self.available = self.available.max(self.cycle + cycles),
                Happening::Writes(writes) => self.kernel.write(&writes),
            }
        }
        self.inputs.qm_unavailable = self.cycle < self.available;
    }

    /// Enters and leaves system management mode; whether the programs and the operating system run in this cycle.
    #[inline]
    fn runs(&mut self) -> bool {
        match self.rsm {
            None if self.smis.is_empty() => true,
            _ => self.manage(),
        }
    }

    #[cold]
    fn manage(&mut self) -> bool {
        let kind = match (self.rsm, self.smis.front()) {
            (Some(rsm), _) if rsm > self.cycle => return false,
            (Some(_), _) => {
                self.rsm = None;
                IntKind::Rsm
            }
            (None, Some(&cycles)) => {
                self.smis.pop_front();
                self.rsm = Some(self.cycle + cycles.max(1));
                IntKind::Smi
            }
            (None, None) => return true,
        };
        for lp in &mut self.inputs.lp {
            (lp.int_valid, lp.int_kind) = (true, kind);
        }
        false
    }

    /// Notes which ways have power.
    #[inline]
    fn watch(&mut self, out: &Outputs<LP>) {
        self.power.walking += u64::from(out.walking);
        let on = (out.l3_on, out.l2_on);
        match self.on {
            Some(before) if before != on => (self.on, self.power.changes) = (Some(on), self.power.changes + 1),
            None if out.lp.iter().any(|lp| lp.req_ready) => self.on = Some(on),
            _ => {}
        }
    }

    /// The logical processors take what is complete, and request what is due.
    #[inline]
    fn run(&mut self, out: &Outputs<LP>, runs: bool) {
        let Self { cores, by_rmid, kernel, inputs, cycle, trace_failure, .. } = self;
        for (number, core) in cores.iter_mut().enumerate() {
            if let Some(done) = core.take(*cycle, &out.lp[number]) {
                by_rmid[usize::from(done.rmid & 31)].add(&done);
                if let Err(failure) = core.read(*cycle) {
                    trace_failure.get_or_insert(failure);
                }
            }
            if runs {
                core.request(*cycle, kernel.assigned(number), &out.lp[number], &mut inputs.lp[number]);
            }
        }
    }

    /// The operating system has made its first writes.
    #[cold]
    fn begin(&mut self) {
        self.begun = true;
        for core in &mut self.cores {
            if !core.has_ended()
                && let Err(failure) = core.read(self.cycle)
            {
                self.trace_failure.get_or_insert(failure);
            }
        }
    }

    /// Ends the run once the programs are over and the counters are read.
    #[inline]
    fn end(&mut self, out: &Outputs<LP>) {
        if out.walking || !self.cores.iter().all(Core::has_ended) {
            return;
        }
        self.kernel.stop_timers();
        if !self.kernel.is_idle() {
            return;
        }
        if self.ending {
            self.over = true;
        } else {
            self.ending = true;
            self.kernel.read();
        }
    }
}

/// What the unit answers.
fn answer<const LP: usize>(out: &Outputs<LP>) -> RegAnswer {
    RegAnswer { done: out.reg_done, result: out.reg_result, rdata: out.reg_rdata }
}

impl<const LP: usize, P: Program> Environment for Computer<LP, P> {
    type Inputs = Inputs<LP>;
    type Outputs = Outputs<LP>;

    #[inline]
    fn cycle(&mut self, out: &Outputs<LP>) -> &Inputs<LP> {
        self.clear();
        let pending = out.mem_req.then_some((out.mem_addr, out.mem_write));
        let memory = self.memory.cycle(self.cycle, pending);
        self.inputs.mem = Memory { mem_gnt: memory.grant, mem_local: memory.local, mem_rvalid: memory.arrives };
        if self.over {
            return &self.inputs;
        }
        if let Err(failure) = self.kernel.take(&answer(out), &mut self.records) {
            self.fail(failure);
            return &self.inputs;
        }
        self.watch(out);
        if self.events.front().is_some_and(|(at, _)| *at <= self.cycle) {
            self.happen();
        }
        let runs = self.runs();
        if runs && let Some(request) = self.kernel.cycle(self.cycle) {
            (self.inputs.reg, self.inputs.mode.cpl) = (request, 0);
        }
        if !self.begun && self.kernel.is_idle() {
            self.begin();
        }
        self.run(out, runs);
        if let Some(lp) = self.cores.iter().position(|core| core.waits_for(self.cycle, PATIENCE)) {
            self.fail(RdtFailure::Stuck { lp, cycle: self.cycle });
        }
        if self.begun {
            self.end(out);
        }
        self.cycle += 1;
        &self.inputs
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn stop(&mut self) {
        self.cores.iter_mut().for_each(Core::stop);
    }
}
