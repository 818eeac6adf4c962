//! Event qualification of Itanium in the harness: its environment, its sessions, its records, a machine for drivers.

pub mod capsule;
mod cosim;
mod device;
pub mod environment;
mod events;
pub mod ia64;
pub mod machine;
pub mod processor;
mod records;
mod report;
mod run;
pub mod session;
mod situations;
mod summary;

pub use records::{Cause, Recorder, Sample};

use crate::unit::Unit;

/// The unit.
pub static UNIT: Unit = Unit {
    name: "itanium",
    capsule: &capsule::UNIT,
    cosim: cosim::ENTRY,
    report: &report::ItaniumReport,
    verbs: &[&run::VERB],
};
