//! Lockstep at length: random cases, numbered, each a function of the seed and its number, over any number of threads.

mod case;
mod progress;
mod run;

pub use case::{Case, Outcome};
pub use progress::Progress;
pub use run::{BLOCK_CASES, Failure, run};
