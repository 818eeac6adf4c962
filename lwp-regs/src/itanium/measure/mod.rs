//! A driver: measurements, checked together, written into every register, read and stopped.

#[cfg(test)]
mod check_tests;
mod configuration;
mod error;
mod measurement;
mod pairs;
#[cfg(test)]
mod run_tests;
#[allow(clippy::result_large_err, reason = "without an allocator there is no smaller way to give back what failed")]
mod running;
#[cfg(test)]
mod script;

pub use configuration::Configuration;
pub use error::{MeasurementError, Shared, StartError};
pub use measurement::Measurement;
pub use running::{Counts, RunningMonitors, SuspendedMonitors};
