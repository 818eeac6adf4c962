//! Violations of the documents.

use std::fmt;

/// Something that the unit shows and that the documents forbid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Requirement, or `ports` and the heading of the ports page.
    pub row: &'static str,
    /// Cycle in which it was seen; the first after reset is 0.
    pub cycle: u64,
    /// What is shown, and what the documents define.
    pub text: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: cycle {}: {}", self.row, self.cycle, self.text)
    }
}

impl std::error::Error for Violation {}

/// A violation whose cycle is not filled in yet.
pub(super) type Fault = (&'static str, String);

/// Returns a violation of `row`.
pub(super) fn fault<T>(row: &'static str, text: impl Into<String>) -> Result<T, Fault> {
    Err((row, text.into()))
}

/// Returns a violation of `row` unless `holds`.
pub(super) fn check(holds: bool, row: &'static str, text: impl FnOnce() -> String) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err((row, text())) }
}
