//! The Lightweight Profiling unit: scenarios, the bench that plays them, monitors, the independent reading.
//!
//! A [`Scenario`](scenario::Scenario) is what software, kernel, memory and core do to a unit. The [`bench`](mod@bench) plays it against
//! the model and records it. The [`monitor`] families and the [`reading`] check recordings of model and RTL each.

pub mod bench;
pub mod directed;
pub mod lockstep;
pub mod monitor;
pub mod oracle;
mod properties;
pub mod reading;
pub mod scenario;
pub mod steer;

pub use properties::{Properties, note_property};
