//! Samples of a run: kept for the summary, and written down if asked.

use crate::report::{JsonLines, Output, OutputError};
use lwp_model::itanium::COUNTERS;
use serde::Serialize;

/// Why the operating system has read the counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// A counter overflowed.
    Overflow,
    /// The timer rang.
    Timer,
    /// The program ended.
    #[default]
    End,
}

/// What the operating system has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// Cycle of the interruption, or of the first read at the end.
    pub cycle: u64,
    /// Instructions that had retired.
    pub instructions: u64,
    /// Why.
    pub cause: Cause,
    /// PMC\[0\].fr.
    pub frozen: bool,
    /// Overflow bits of PMC\[0\], one for each counter.
    pub overflow: [bool; COUNTERS],
    /// Events since the beginning, by counter: what PMD\[4\] to PMD\[7\] have counted, beyond their 32 bits.
    pub counts: [u64; COUNTERS],
}

/// Takes the samples.
#[derive(Debug, Default)]
pub struct Recorder {
    lines: JsonLines,
    total: u64,
    overflows: u64,
    last: Sample,
}

impl Recorder {
    /// Returns a recorder that writes to this file, if there is one.
    #[must_use]
    pub fn new(output: Option<Output>) -> Self {
        Self { lines: JsonLines::new(output), ..Self::default() }
    }

    pub(super) fn sampled(&mut self, sample: Sample) {
        self.lines.push(|| sample);
        self.total += 1;
        self.overflows += u64::from(sample.cause == Cause::Overflow);
        self.last = sample;
    }

    /// Returns the number of samples.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Returns the number of interruptions by an overflow.
    #[must_use]
    pub const fn overflows(&self) -> u64 {
        self.overflows
    }

    /// Returns the last sample.
    #[must_use]
    pub const fn last(&self) -> &Sample {
        &self.last
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// If a sample could not be written, or the file not completed.
    pub fn commit(self) -> Result<(), OutputError> {
        self.lines.commit()
    }
}

#[cfg(test)]
mod tests {
    use super::{Cause, Sample};

    #[test]
    fn a_line_has_every_counter() {
        let sample = Sample {
            cycle: 7,
            instructions: 5,
            cause: Cause::Overflow,
            frozen: true,
            overflow: [true, false, false, false],
            counts: [1 << 32, 2, 3, 4],
        };
        let line = r#"{"cycle":7,"instructions":5,"cause":"overflow","frozen":true,"overflow":[true,false,false,false],"counts":[4294967296,2,3,4]}"#;
        assert_eq!(serde_json::to_string(&sample).unwrap(), line);
    }
}
