//! Result of a lockstep run.

use super::field::{Difference, Field, differences};
use super::history::HistoryRow;
use crate::rtl;
use std::fmt;

/// Result of [`run`](super::run).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Number of cycles from the beginning of the run in which RTL and producer agreed.
    pub cycles: u64,
    /// First cycle in which RTL and producer disagreed.
    pub divergence: Option<Divergence>,
    /// Whether the stop flag ended the run, before the producer or a divergence did.
    pub stopped: bool,
}

/// First cycle in which RTL and producer disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Number of the cycle, from 0 at the beginning of the run.
    pub cycle: u64,
    /// Fields that differ, in the order of the unit's table. Empty if only an assertion failed.
    pub differences: Vec<Difference>,
    /// Whether an assertion in the RTL failed in this cycle or at the clock edge before it (traced flavour only).
    pub assertion_failed: bool,
    /// The assertion that failed first, by its place and label.
    pub assertion: Option<String>,
    /// Inputs of this cycle.
    pub inputs: Vec<u32>,
    /// Row of outputs that the producer expects.
    pub expected: Vec<u32>,
    /// Row of outputs that the RTL shows.
    pub actual: Vec<u32>,
    /// The last cycles including this one, as many as the options request.
    pub history: Vec<HistoryRow>,
}

impl Divergence {
    /// Returns the divergence for an RTL that stopped at `stop` in a batch whose first cycle is `base`.
    pub(super) fn new(base: u64, stop: rtl::Divergence, inputs: &[u32], expected: &[u32], fields: &[Field]) -> Self {
        Divergence {
            cycle: base + stop.cycle_in_batch as u64,
            differences: differences(fields, expected, &stop.actual),
            assertion_failed: stop.assertion_failed,
            assertion: None,
            inputs: inputs.to_vec(),
            expected: expected.to_vec(),
            actual: stop.actual,
            history: Vec::new(),
        }
    }

    /// Returns the first field that differs.
    #[must_use]
    pub fn first(&self) -> Option<&Difference> {
        self.differences.first()
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cycle {}:", self.cycle)?;
        if self.assertion_failed {
            match &self.assertion {
                Some(label) => write!(f, " the assertion {label} failed in the RTL")?,
                None => write!(f, " an assertion in the RTL failed")?,
            }
        }
        for difference in &self.differences {
            write!(f, "\n  {difference}")?;
        }
        Ok(())
    }
}
