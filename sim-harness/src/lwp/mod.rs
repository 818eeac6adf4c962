//! The Lightweight Profiling unit in the harness: its flat image, its environment, its sessions, a machine for drivers.

pub mod capsule;
mod cosim;
pub mod device;
pub mod environment;
pub mod input_fields;
pub mod machine;
pub mod records;
pub mod registers;
pub mod report;
pub mod session;
mod situations;
pub mod stages;
pub mod summary;
pub mod unflat;

pub use lwp_model::lwp::flat::{self, fields};

use crate::unit::Unit;

/// The unit.
pub static UNIT: Unit =
    Unit { name: "lwp", capsule: &capsule::UNIT, cosim: cosim::ENTRY, report: &report::LwpReport, verbs: &[] };
