//! Lockstep by replay.
//!
//! A [`Producer`] (a model with its environment) runs ahead for a few thousand cycles and records the inputs it used and the
//! outputs it expects. The RTL then plays the same inputs back, and its outputs are compared with what was recorded. The
//! first difference is the verdict. So producer and RTL can work on two threads, the RTL's loop never calls back, and a
//! failure is a list of inputs that can be played again, with waves.
//!
//! Nothing here knows a unit: rows are words, and the unit's table of [`Field`]s gives them names.

mod batch;
mod engine;
mod field;
mod history;
mod options;
mod producer;
mod report;
mod rows;
mod waves;

pub use batch::{Batch, Row};
pub use engine::run;
pub use field::{Difference, Field, differences};
pub use history::{History, HistoryRow};
pub use options::{Options, Threads};
pub use producer::{Flow, Producer, Recording};
pub use report::{Divergence, Report};
pub use rows::{Departure, How, compare};
pub use waves::{WaveError, WaveReport, Window, replay_with_waves};

/// Cycles in a batch, unless told otherwise: three batches of some 400 bytes a cycle stay in a second-level cache, and
/// handing one over costs little against playing it.
pub const BATCH_CYCLES: usize = 256;
