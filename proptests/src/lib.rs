//! Strategies and the properties that model and RTL must satisfy.
//!
//! A [`Scenario`](scenario::Scenario) is what software, kernel, memory and core do to a unit: a list of operations that
//! proptest draws and shrinks. The [`bench`](mod@bench) plays it against the model and keeps what went in and what every register held
//! ([`Recording`](bench::Recording)). Properties then judge recordings: that the RTL, given the same inputs, shows the same rows;
//! and the [`monitor`] families, which know the specification alone and hold of model and RTL each.
//!
//! A failure shrinks, and prints the command that repeats it ([`runner`]).

pub mod bench;
pub mod capsule;
pub mod coverage;
pub mod directed;
pub mod floor;
pub mod lockstep;
pub mod monitor;
pub mod oracle;
pub mod reading;
pub mod runner;
pub mod scenario;
pub mod soak;
pub mod steer;
pub mod tsc;
