//! Co-simulation of a unit with a trace, for `lwp-sim cosim`.
//!
//! A unit provides a [`Plan`]: its model, its straps, its [environment](Watched) as the session file describes it, and the result of
//! the environment after the run. The plan is a type, so that a cycle needs no dynamic dispatch. The program sees it as a
//! [`Planned`] run, from which it makes [`Run`]s with any engine.

mod engine;
mod finished;
mod plan;
mod run;
mod session;
mod situations;
mod stream;

pub use engine::Engine;
pub use finished::{Finished, UnitSummary};
pub use plan::{Dump, Entry, MOST_CPI, Plan, Planned, Request};
pub use run::{Run, RunFailure, Visit, Visited, Watched};
pub use session::plan_of;
pub use situations::Situations;
pub use stream::Stream;
