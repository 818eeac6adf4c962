//! Strategies and the properties that model and RTL must satisfy.
//!
//! Each unit has a module of its own: scenarios that proptest draws and shrinks, what plays them against the model, monitors and an
//! independent reading of the documents. A run is kept as a [`Recording`](recording::Recording): what went in and what every register
//! held. Properties check recordings: that the RTL, given the same inputs, shows the same rows ([`lockstep`]), and that model and RTL
//! each do what the documents say.
//!
//! A failure shrinks, and prints the command that repeats it ([`runner`]).

pub mod capsule;
pub mod coverage;
pub mod floor;
pub mod lockstep;
pub mod lwp;
pub mod record;
pub mod runner;
pub mod soak;
pub mod straps;
pub mod tsc;
pub mod unit;
