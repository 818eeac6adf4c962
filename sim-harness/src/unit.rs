//! The units that the harness knows.

use crate::rtl::BuildId;
use crate::{capsule, cosim, report};

/// A hardware unit, as far as what is shared by all has to know it.
#[derive(Debug)]
pub struct Unit {
    /// Its name, which its folders carry.
    pub name: &'static str,
    /// How it is kept in capsules.
    pub capsule: &'static capsule::Unit,
    /// How it takes part in co-simulation.
    pub cosim: cosim::Entry,
    /// How its failures are explained.
    pub report: &'static dyn report::UnitReport,
}

include!(concat!(env!("OUT_DIR"), "/units.rs"));

impl Unit {
    /// The unit of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Unit> {
        UNITS.iter().copied().find(|unit| unit.name == name)
    }

    /// The unit of a build.
    ///
    /// # Panics
    ///
    /// Never: builds and units come from one table.
    #[must_use]
    pub fn of(build: BuildId) -> &'static Unit {
        Self::named(build.info().unit).expect("builds and units come from one table")
    }

    /// The names of all units, as a list in a sentence.
    #[must_use]
    pub fn names() -> String {
        UNITS.iter().map(|unit| format!("`{}`", unit.name)).collect::<Vec<_>>().join(", ")
    }
}
