//! The specification checker of the time-stamp counter, written independently from the documents: it checks what
//! software sees of the unit `tsc`.
//!
//! It is written from the document on debugging, branch records, TSC and RDT (section 7), the facts about real hardware
//! and the chapters that define the ports. It knows no register of the unit: only the straps, the inputs and the
//! results.
//!
//! Three values determine what software sees of a logical processor. The first is the time since reset (`clock`), which
//! is the same for all processors. The second is what software wrote to the counter and to `IA32_TSC_ADJUST` of this
//! one, and the third is what it wrote to its `IA32_TSC_AUX`. The counter is time + `IA32_TSC_ADJUST`, modulo 2^64:
//! after reset all three are 0, time changes the counter alone, and a write to one of the registers adds the same to
//! both. So every value that a program reads is known exactly, except for two choices (`choices`).

mod answer;
mod choices;
mod clock;
mod coverage;
mod processor;
mod row;
mod verdict;

pub use coverage::Coverage;
pub use row::outputs;

use answer::Pending;
use choices::Choices;
use clock::Clock;
use lwp_model::tsc::{Config, Inputs, Outputs};
use processor::Processor;

/// The specification checker, for a unit with `LP` logical processors.
#[derive(Debug)]
pub struct Reading<const LP: usize> {
    straps: Config,
    clock: Clock,
    processors: [Processor; LP],
    /// The request of the last cycle, whose result is valid in this one.
    pending: Option<Pending>,
    choices: Choices,
    coverage: Coverage,
}

impl<const LP: usize> Reading<LP> {
    /// Returns the checker of a unit with these straps, at reset.
    #[must_use]
    pub fn new(straps: &Config) -> Self {
        Self {
            straps: *straps,
            clock: Clock::new(straps),
            processors: [Processor::default(); LP],
            pending: None,
            choices: Choices::default(),
            coverage: Coverage::default(),
        }
    }

    /// Checks one cycle: its inputs, and the outputs `out` before the clock edge that ends the cycle. In a cycle with
    /// `rst_n` = 0 nothing is checked: the documents define the state after reset, not during it.
    ///
    /// # Errors
    ///
    /// Describes what the unit shows and what the documents define instead.
    pub fn cycle(&mut self, rst_n: bool, inputs: &Inputs, out: &Outputs) -> Result<(), String> {
        if !rst_n {
            self.reset();
            return Ok(());
        }
        match self.pending.take() {
            None => answer::none(out)?,
            Some(pending) => self.judge(&pending, out)?,
        }
        let before = self.clock.ticks();
        self.clock.cycle(&inputs.processor, &mut self.coverage);
        if inputs.reg.valid {
            self.pending = Some(Pending::new::<LP>(&self.straps, inputs, [before, self.clock.ticks()]));
        }
        Ok(())
    }

    /// Returns how much was checked.
    #[must_use]
    pub const fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Resets the state. After reset the counter (TSC-03) and `IA32_TSC_ADJUST` (TSC-20) are 0. The documents do not
    /// give a value of `IA32_TSC_AUX` after reset; a register of a unit has one, and 0 is the only one that they name
    /// for any register here.
    fn reset(&mut self) {
        self.clock = Clock::new(&self.straps);
        self.processors = [Processor::default(); LP];
        self.pending = None;
        self.coverage.resets += 1;
    }
}
