//! Recorded runs of the RTL, and the model held against them.
//!
//! A recording keeps, for each cycle of each run, what went into the RTL and what it showed. The model, given the same inputs, must
//! show the same: up to the first difference the surroundings would have answered it just so. A replay of a recording therefore tells
//! of a changed model what lockstep would tell, and in the same cycle.

mod delta;
mod error;
mod read;
mod replay;
mod write;

pub use error::RecordingError;
pub use read::{Cycle, Reader, Run};
pub use replay::{Difference, Outcome, replay};
pub use write::Writer;

/// Identifies a recording and the version of its form.
const MAGIC: u32 = u32::from_le_bytes(*b"LWR1");
/// Before a run.
const RUN: u32 = u32::from_le_bytes(*b"RUN.");
/// After the last run.
const END: u32 = u32::from_le_bytes(*b"END.");
/// Words of a run's name, which is padded with zeros.
const NAME_WORDS: usize = 8;
