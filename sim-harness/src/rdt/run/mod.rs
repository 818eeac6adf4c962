//! Programs side by side on the shared caches: `lwp-sim rdt`.
//!
//! The page "See who uses the cache" of the book (`docs/src/rdt/picture.md`) is about it. A scenario is programs and session; each run of it is an
//! environment whose ports are watched, on the model, or on model and RTL in lockstep. What is shown comes from the registers.

mod capsule;
mod chart;
mod command;
mod compare;
mod engine;
mod error;
mod first_level;
mod lines;
mod measured;
mod monitor;
mod observed;
mod options;
mod page;
mod plan;
mod program;
mod progress;
mod scenario;
mod sized;
mod straps;
mod supply;
mod text;

pub use command::VERB;
