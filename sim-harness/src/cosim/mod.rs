//! What `lwp-sim cosim` needs of a unit.
//!
//! A unit gives a [`Plan`]: its model, its straps, its [environment](Watched) as the session describes it, and what is left of it
//! after the run. The plan is a type, so that nothing is looked up in a cycle. The program sees it as a [`Planned`] run, and makes
//! [`Run`]s of it, with any engine.

mod finished;
mod plan;
mod run;
mod session;
mod situations;
mod stream;

pub use finished::{Finished, UnitSummary};
pub use plan::{Dump, Entry, Plan, Planned, Request};
pub use run::{Run, RunFailure, Visit, Visited, Watched};
pub use session::plan_of;
pub use situations::Situations;
pub use stream::Stream;
