//! Comparison of the rows of a complete run.

use super::field::{Difference, Field, differences};
use crate::rtl::Rtl;
use std::fmt;

/// First cycle in which the RTL departs from the expected rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Number of the cycle, from 0 at the first row.
    pub cycle: usize,
    /// Kind of the difference.
    pub how: How,
}

/// Kind of a difference between the RTL and the expected rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// An assertion with this label failed, at the clock edge that begins the cycle.
    Assertion(String),
    /// These fields differ.
    Fields(Vec<Difference>),
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.how {
            How::Assertion(label) => {
                write!(f, "the assertion {label} of the RTL failed in cycle {}", self.cycle)
            }
            How::Fields(fields) => {
                let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
                write!(f, "model (expected) and RTL differ in cycle {}: {}", self.cycle, fields.join("; "))
            }
        }
    }
}

/// Replays rows of inputs on the RTL, and compares its outputs with the rows of `expected`, whose fields are `fields`.
///
/// # Errors
/// The first cycle whose outputs differ, or in which an assertion failed.
///
/// # Panics
/// If `inputs` and `expected` are not the same whole number of rows of the RTL's build.
pub fn compare(rtl: &mut Rtl, fields: &[Field], inputs: &[u32], expected: &[u32]) -> Result<(), Departure> {
    let Err(stop) = rtl.replay(inputs, expected) else { return Ok(()) };
    let cycle = stop.cycle_in_batch;
    let how = if stop.assertion_failed {
        How::Assertion(rtl.assertion_label().unwrap_or_default())
    } else {
        let words = rtl.out_words();
        How::Fields(differences(fields, &expected[cycle * words..][..words], &stop.actual))
    };
    Err(Departure { cycle, how })
}
