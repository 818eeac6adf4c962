//! What a failure report is made of, wherever the failure comes from.

use crate::lockstep::Field;
use crate::rtl::BuildId;
use crate::unit::Unit;

/// A failing run around its failure.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// What ran, in a line: a trace, a capsule, a test.
    pub source: String,
    /// The command that repeats it.
    pub repeat: Option<String>,
    /// The build of the RTL.
    pub build: BuildId,
    /// The words of the straps of the run.
    pub straps: Vec<u32>,
    /// What is wrong.
    pub cause: Cause,
    /// The first cycle in which it is wrong, counted from 0 at power-up.
    pub cycle: u64,
    /// Consecutive cycles around it, the failing one among them.
    pub rows: Vec<EvidenceRow>,
    /// The first cycle after the inputs that were recorded: from here on nothing comes in, whatever the run went on with. `None`: all
    /// rows are of the run.
    pub idle_from: Option<u64>,
}

/// What ended the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Model and RTL differ.
    Mismatch,
    /// An assertion in the RTL failed; which one, if it is known.
    Assertion(Option<String>),
    /// A property of a test does not hold.
    Property {
        /// Its name.
        name: String,
        /// What the test said.
        message: String,
    },
}

/// One cycle in words of the flat image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceRow {
    /// Its number.
    pub cycle: u64,
    /// The inputs.
    pub inputs: Vec<u32>,
    /// Outputs and registers of the model.
    pub model: Vec<u32>,
    /// Outputs and registers of the RTL.
    pub rtl: Vec<u32>,
}

/// Why there is nothing to report on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceError {
    /// The failing cycle is not among the rows.
    #[error("the failure is in cycle {0}, but no row of that cycle was kept")]
    NoFailingRow(u64),
    /// The rows are not of consecutive cycles.
    #[error("the row after cycle {0} is that of cycle {1}: rows have to be of consecutive cycles")]
    Gap(u64, u64),
    /// A row is not one of the flat image.
    #[error(
        "the row of cycle {cycle} has {inputs} words of inputs, {model} of the model and {rtl} of the RTL; the build has {in_words}, {out_words} and {out_words}"
    )]
    Words {
        /// Its number.
        cycle: u64,
        /// Words of its inputs.
        inputs: usize,
        /// Words of the model.
        model: usize,
        /// Words of the RTL.
        rtl: usize,
        /// Words of the build's inputs.
        in_words: usize,
        /// Words of the build's outputs and registers.
        out_words: usize,
    },
}

impl Evidence {
    /// Whether the rows are rows of the flat image, without gaps, and hold the failing cycle.
    ///
    /// # Errors
    /// The first thing that is not so.
    pub fn check(&self) -> Result<(), EvidenceError> {
        let (in_words, out_words) = (self.build.info().in_words, self.build.info().out_words);
        for row in &self.rows {
            let (inputs, model, rtl) = (row.inputs.len(), row.model.len(), row.rtl.len());
            if (inputs, model, rtl) != (in_words, out_words, out_words) {
                return Err(EvidenceError::Words { cycle: row.cycle, inputs, model, rtl, in_words, out_words });
            }
        }
        if let Some(pair) = self.rows.windows(2).find(|pair| pair[0].cycle.checked_add(1) != Some(pair[1].cycle)) {
            return Err(EvidenceError::Gap(pair[0].cycle, pair[1].cycle));
        }
        self.position().map(drop).ok_or(EvidenceError::NoFailingRow(self.cycle))
    }

    /// Where the failing cycle is among the rows.
    pub(super) fn position(&self) -> Option<usize> {
        self.rows.iter().position(|row| row.cycle == self.cycle)
    }

    /// The run's own inputs have ended before this cycle.
    pub(super) fn is_idle(&self, cycle: u64) -> bool {
        self.idle_from.is_some_and(|from| cycle >= from)
    }

    /// The unit.
    pub(super) fn unit(&self) -> &'static Unit {
        Unit::of(self.build)
    }

    /// Its outputs and registers.
    pub(super) fn fields(&self) -> &'static [Field] {
        (self.unit().capsule.fields)(self.build)
    }

    /// Its inputs.
    pub(super) fn input_fields(&self) -> &'static [Field] {
        (self.unit().capsule.input_fields)(self.build)
    }
}
