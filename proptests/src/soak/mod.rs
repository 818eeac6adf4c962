//! Long run of the lockstep: numbered random cases, each a function of the seed and its number, on any number of threads.

mod case;
mod progress;
mod run;

pub use case::{Case, Outcome};
pub use progress::Progress;
pub use run::{BLOCK_CASES, Failure, run};
