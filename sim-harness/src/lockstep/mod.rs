//! Lockstep by replay.
//!
//! A [`Producer`] (a model with its environment) runs ahead for a few hundred cycles and records the inputs that it used and the
//! outputs that it expects. The RTL then replays the same inputs, and its outputs are compared with the recorded ones. The run ends
//! at the first difference. Therefore producer and RTL can run on two threads, the RTL's loop never calls back, and a failure is a
//! list of inputs that can be replayed with waves.
//!
//! This module knows no unit: rows are words, and the unit's table of [`Field`]s gives them names.

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

/// Default number of cycles in a batch. Three batches of about 400 bytes per cycle stay in a second-level cache, and handing over a
/// batch costs little compared with replaying it.
pub const BATCH_CYCLES: usize = 256;
