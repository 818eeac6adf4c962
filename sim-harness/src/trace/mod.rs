//! The unit of branch records in the harness: its environment, its sessions, its records, a machine for drivers.

pub mod capsule;
mod cosim;
mod device;
pub mod environment;
pub mod machine;
mod records;
mod report;
pub mod session;
mod situations;

pub use records::Recorder;

use crate::unit::Unit;

/// The unit.
pub static UNIT: Unit =
    Unit { name: "trace", capsule: &capsule::UNIT, cosim: cosim::ENTRY, report: &report::TraceReport, verbs: &[] };
