//! The unit's environment: an Itanium core with its operating system, which runs an IA-32 application.
//!
//! The operating system boots: it writes the registers of the session, and starts the application with rfi. The application's
//! instructions are those of a trace. They retire with PSR.is = 1, and their loads and stores are memory records. The performance
//! interrupt and a timer interrupt the application; the handler reads PMC\[0\] and the counters, sets what overflowed to its start, thaws,
//! and returns. The application ends with a last reading.

mod application;
mod kernel;
mod memory;
mod setup;

pub(super) use memory::Hierarchy;
pub use setup::{Setup, Write};

use super::records::{Cause, Recorder};
use crate::core::Instructions;
use crate::device::Environment;
use crate::traces::TraceError;
use application::Application;
use kernel::{Done, Kernel};
use lwp_model::Choice;
use lwp_model::itanium::{Inputs, Outputs, RegResult};
use miette::Diagnostic;
use thiserror::Error;

/// Why a run cannot go on.
#[derive(Clone, Copy, Debug, Error, Diagnostic, PartialEq, Eq)]
pub enum ItaniumFailure {
    /// The unit has not answered.
    #[error("the request of cycle {cycle} is not answered in the next cycle")]
    #[diagnostic(code(itanium::no_answer), help("the unit breaks its contract: compare it with `--engine lockstep`"))]
    NoAnswer {
        /// The cycle of the request.
        cycle: u64,
    },
    /// The unit refuses what the operating system asks.
    #[error("the operating system gets a {result} in cycle {cycle}")]
    #[diagnostic(
        code(itanium::refused),
        help("a register of the session may not exist: files have the indices that the manual names")
    )]
    Refused {
        /// The cycle of the request.
        cycle: u64,
        /// The answer.
        result: &'static str,
    },
}

/// What the core does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The kernel runs.
    Kernel,
    /// The next cycle changes level and instruction set for the application.
    Enters,
    /// The application runs.
    Runs,
    /// The next cycle changes them for the kernel, which then handles this.
    Interrupted(Cause),
    /// The kernel reads the counters for the last time.
    Ends,
}

/// The environment of a unit.
#[derive(Debug)]
pub struct Platform<const BUNDLES: usize, I> {
    inputs: Inputs<BUNDLES>,
    phase: Phase,
    kernel: Kernel,
    application: Application<I>,
    /// Cycle of the request that is not answered.
    asked: Option<u64>,
    cycle: u64,
    core_clock: u64,
    timer: u64,
    /// Number of the instruction before which the timer rings.
    rings: u64,
    records: Recorder,
    over: bool,
    failure: Option<ItaniumFailure>,
}

/// What is left of an environment.
#[derive(Debug)]
pub struct Remains<I> {
    /// Where the instructions came from.
    pub instructions: I,
    /// Where the samples went.
    pub records: Recorder,
}

impl<const BUNDLES: usize, I: Instructions> Platform<BUNDLES, I> {
    /// Returns the environment at reset.
    #[must_use]
    pub fn new(setup: &Setup, instructions: I, records: Recorder) -> Self {
        Self {
            inputs: Inputs::default(),
            phase: Phase::Kernel,
            kernel: Kernel::new(setup),
            application: Application::new(setup, instructions),
            asked: None,
            cycle: 0,
            core_clock: setup.core_clock.max(1),
            timer: setup.timer,
            rings: if setup.timer == 0 { u64::MAX } else { setup.timer },
            records,
            over: false,
            failure: None,
        }
    }

    /// Returns the number of instructions of the application that have retired.
    #[must_use]
    pub const fn retired(&self) -> u64 {
        self.application.retired()
    }

    /// Returns the number of cycles since reset.
    #[must_use]
    pub const fn cycles(&self) -> u64 {
        self.cycle
    }

    /// Returns the source of the instructions.
    #[must_use]
    pub const fn instructions(&self) -> &I {
        self.application.instructions()
    }

    /// Takes the reason why the trace could not be read to its end. A second call returns `None`.
    pub fn take_trace_failure(&mut self) -> Option<TraceError> {
        self.application.take_failure()
    }

    /// Returns the reason why the run was given up, if it was.
    #[must_use]
    pub const fn failure(&self) -> Option<ItaniumFailure> {
        self.failure
    }

    /// Returns what is left.
    #[must_use]
    pub fn finish(self) -> Remains<I> {
        Remains { instructions: self.application.into_instructions(), records: self.records }
    }

    /// Takes the answer to the request of the last cycle.
    fn answered(&mut self, asked: u64, out: &Outputs) {
        if !out.reg_done {
            self.fail(ItaniumFailure::NoAnswer { cycle: asked });
        } else if out.reg_result != RegResult::Done {
            self.fail(ItaniumFailure::Refused { cycle: asked, result: out.reg_result.name() });
        } else if self.kernel.take(out.reg_rdata, &mut self.records) == Done::Returned {
            self.phase = Phase::Enters;
        } else if self.phase == Phase::Ends && self.kernel.is_idle() {
            self.over = true;
        }
    }

    const fn fail(&mut self, failure: ItaniumFailure) {
        self.failure = Some(failure);
        self.over = true;
    }

    /// The application runs: it is interrupted, or retires, or has ended.
    #[inline]
    fn run(&mut self, out: &Outputs) {
        if out.irq {
            self.interrupt(Cause::Overflow);
        } else if self.application.retired() >= self.rings {
            self.rings = self.application.retired() + self.timer;
            self.interrupt(Cause::Timer);
        } else if self.application.has_ended() {
            self.interrupt(Cause::End);
        } else {
            self.application.cycle(self.cycle, &mut self.inputs);
        }
    }

    /// An interruption is a cycle of its own.
    #[cold]
    fn interrupt(&mut self, cause: Cause) {
        self.inputs.int_valid = true;
        self.inputs.irq_ack = cause == Cause::Overflow;
        self.phase = Phase::Interrupted(cause);
    }

    /// The first cycle of the kernel: nothing else happens in it.
    #[cold]
    fn enter_kernel(&mut self, cause: Cause) {
        let ended = cause == Cause::End;
        let psr = (!ended).then(|| self.application.psr());
        self.kernel.handle(cause, self.cycle - 1, self.application.retired(), psr);
        (self.inputs.cpl, self.inputs.psr_is) = (0, false);
        self.phase = if ended { Phase::Ends } else { Phase::Kernel };
    }
}

impl<const BUNDLES: usize, I: Instructions> Environment for Platform<BUNDLES, I> {
    type Inputs = Inputs<BUNDLES>;
    type Outputs = Outputs;

    #[inline]
    fn cycle(&mut self, out: &Outputs) -> &Inputs<BUNDLES> {
        let Inputs { cpl, psr_is, .. } = self.inputs;
        self.inputs = Inputs { cpl, psr_is, ..Inputs::default() };
        let was_over = self.over;
        if let Some(asked) = self.asked.take() {
            self.answered(asked, out);
        }
        if self.over {
            // The last cycle takes the last answer.
            self.cycle += u64::from(!was_over);
            return &self.inputs;
        }
        self.inputs.core_clock = self.core_clock == 1 || self.cycle.is_multiple_of(self.core_clock);
        match self.phase {
            Phase::Runs => self.run(out),
            Phase::Kernel | Phase::Ends => {
                if let Some(request) = self.kernel.ask() {
                    self.inputs.reg = request;
                    self.asked = Some(self.cycle);
                }
            }
            Phase::Enters => {
                (self.inputs.cpl, self.inputs.psr_is) = (self.application.cpl(), true);
                self.phase = Phase::Runs;
            }
            Phase::Interrupted(cause) => self.enter_kernel(cause),
        }
        self.cycle += 1;
        &self.inputs
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn stop(&mut self) {
        self.application.stop();
    }
}
