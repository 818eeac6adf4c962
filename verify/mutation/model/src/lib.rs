//! The model compared with recorded runs of the RTL.
//!
//! A recording keeps, for each cycle of each run, what went into the RTL and what it showed. The model, given the same inputs, must
//! show the same: up to the first difference the surroundings would have answered it just so. A replay of a recording therefore tells
//! of a changed model what lockstep would tell, and in the same cycle.

mod lwp;
mod replay;

pub use replay::{Difference, Outcome, replay};
