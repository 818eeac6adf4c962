//! Units of the harness.

use crate::rtl::BuildId;
use crate::{capsule, cosim, report, verb};

/// Hardware unit, as the shared modules see it.
#[derive(Debug)]
pub struct Unit {
    /// Name of the unit, which is also the name of its directories.
    pub name: &'static str,
    /// Support for failure capsules.
    pub capsule: &'static capsule::Unit,
    /// Support for co-simulation with a trace.
    pub cosim: cosim::Entry,
    /// Support for failure reports.
    pub report: &'static dyn report::UnitReport,
    /// Commands of the program that this unit alone has.
    pub verbs: &'static [&'static verb::Verb],
}

include!(concat!(env!("OUT_DIR"), "/units.rs"));

impl Unit {
    /// Returns the unit with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Unit> {
        UNITS.iter().copied().find(|unit| unit.name == name)
    }

    /// Returns the unit of a build.
    ///
    /// # Panics
    ///
    /// Never: builds and units come from one table.
    #[must_use]
    pub fn of(build: BuildId) -> &'static Unit {
        Self::named(build.info().unit).expect("builds and units come from one table")
    }

    /// Returns the names of all units, as a list in a sentence.
    #[must_use]
    pub fn names() -> String {
        UNITS.iter().map(|unit| format!("`{}`", unit.name)).collect::<Vec<_>>().join(", ")
    }
}
