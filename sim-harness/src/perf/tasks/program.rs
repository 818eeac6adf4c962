//! What a task's program shows, cycle by cycle.

use crate::core::Instructions;
use crate::cosim::Stream;
use crate::device::Environment;
use crate::frontend::{FrontEnd, FrontEndConfig};
use crate::perf::Recorder;
use crate::perf::environment::Computer;
use crate::perf::session::Session;
use crate::traces::{TraceError, open};
use lwp_model::perf::{Inputs, Outputs, Perf};
use miette::Diagnostic;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

/// Why there is no program.
#[derive(Debug, Error, Diagnostic)]
pub enum ProgramError {
    /// The trace cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Trace(#[from] TraceError),
}

/// A program of the processor: what a core with `LANES` lanes shows while it retires a trace, a cycle after the other. A cycle does
/// not depend on when it runs, so that a program is the same however it is interrupted.
#[derive(Clone, Debug)]
pub struct Program<const LANES: usize> {
    cycles: Arc<[Inputs<1, LANES>]>,
}

impl<const LANES: usize> Program<LANES> {
    /// The program of the first `limit` instructions of a trace, through caches and a predictor of its own.
    ///
    /// # Errors
    /// [`ProgramError`].
    ///
    /// # Panics
    /// Never: the default of the front end is valid.
    pub fn of_file(path: &Path, limit: u64) -> Result<Self, ProgramError> {
        let front_end = FrontEnd::new(&FrontEndConfig::default()).expect("the default is valid");
        Self::of(Stream::new(open(path)?, Some(front_end), Some(limit)))
    }

    /// The program of these instructions.
    ///
    /// # Errors
    /// [`ProgramError`] if they end with an error.
    ///
    /// # Panics
    /// Never: the default straps are legal.
    pub fn of(instructions: impl Instructions) -> Result<Self, ProgramError> {
        let mut setup = Session::default().setup(LANES, 1);
        setup.counters.clear();
        let mut computer = Computer::<1, 2, 0, LANES, _>::new(&setup, instructions, Recorder::new(None));
        // Nothing is programmed, so the unit shows in every cycle what it shows after reset.
        let idle: Outputs<1, 2, 0> = Perf::<1, 2, 0, LANES>::new(setup.straps).expect("the default is legal").outputs();
        let mut cycles = Vec::new();
        while !computer.is_over() {
            cycles.push(*computer.cycle(&idle));
        }
        match computer.take_trace_failure() {
            Some(error) => Err(error.into()),
            None => Ok(Self::of_cycles(cycles)),
        }
    }

    /// The program of these cycles, of which those outside of user mode are left out: they are the system's.
    #[must_use]
    pub fn of_cycles(cycles: Vec<Inputs<1, LANES>>) -> Self {
        Self { cycles: cycles.into_iter().filter(|cycle| cycle.lp[0].cpl == 3).collect() }
    }

    /// The cycles from `first` on, `length` of them.
    #[must_use]
    pub fn part(&self, first: usize, length: usize) -> Self {
        Self { cycles: self.cycles.iter().skip(first).take(length).copied().collect() }
    }

    /// The cycles.
    #[must_use]
    pub fn cycles(&self) -> &[Inputs<1, LANES>] {
        &self.cycles
    }

    /// How many instructions retire.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        let retired = |cycle: &Inputs<1, LANES>| cycle.lanes[0].iter().filter(|lane| lane.valid && lane.counts).count();
        self.cycles.iter().map(|cycle| retired(cycle) as u64).sum()
    }
}
