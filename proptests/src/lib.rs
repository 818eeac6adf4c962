//! Properties that model and RTL must satisfy, and the strategies that generate their cases.
//!
//! Each unit has a module: scenarios that proptest generates and shrinks, a bench that runs them with the model, monitors, and a
//! specification checker. A run is kept as a [`Recording`](recording::Recording): the inputs and every register of each cycle. Properties
//! check recordings: that the RTL shows the same rows under the same inputs ([`lockstep`]), and that model and RTL each do what the
//! documents require.
//!
//! A failure shrinks, and prints the command that repeats it ([`runner`]).

pub mod capsule;
pub mod coverage;
pub mod debug;
pub mod floor;
pub mod itanium;
pub mod lockstep;
pub mod lwp;
pub mod perf;
pub mod ports;
pub mod rdt;
mod reading_counts;
pub mod record;
pub mod runner;
pub mod soak;
pub mod state_file;
pub mod straps;
pub mod trace;
pub mod tsc;
pub mod unit;
