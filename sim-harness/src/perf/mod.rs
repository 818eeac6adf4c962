//! The performance counters in the harness: their environment, their sessions, their records.

pub mod capsule;
mod cosim;
pub mod count;
mod device;
pub mod environment;
pub mod leaf;
pub mod machine;
mod records;
mod report;
pub mod session;
mod situations;
pub mod tasks;

pub use records::Recorder;

use crate::unit::Unit;

/// The unit.
pub static UNIT: Unit = Unit {
    name: "perf",
    capsule: &capsule::UNIT,
    cosim: cosim::ENTRY,
    report: &report::PerfReport,
    verbs: &[&count::VERB, &leaf::VERB],
};
