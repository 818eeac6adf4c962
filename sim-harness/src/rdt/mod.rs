//! The shared cache with Resource Director Technology in the harness: its environment, its sessions, its records, a machine for drivers.

pub mod capsule;
mod cosim;
mod device;
pub mod environment;
pub mod machine;
mod records;
mod report;
pub mod run;
pub mod session;
mod situations;
mod summary;

pub use records::{Reading, Recorder, Sample};

use crate::unit::Unit;

/// The unit.
pub static UNIT: Unit = Unit {
    name: "rdt",
    capsule: &capsule::UNIT,
    cosim: cosim::ENTRY,
    report: &report::RdtReport,
    verbs: &[&run::VERB],
};
