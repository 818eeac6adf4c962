//! The performance counters, from the chapter "The unit `perf`" of the book (`docs/src/perf/`). What a register means and what a
//! write does are rules of [`lwp_regs::perf`] and [`lwp_regs::delivery`].
//!
//! A file is a step of a cycle in the contract, and has its name.

mod answer;
mod cell;
mod config;
mod control;
mod deliver;
mod events;
mod filter;
mod flat;
mod global;
mod inputs;
mod lines;
mod outputs;
mod p6_lines;
mod pin;
mod processor;
mod request;
mod select;
mod state;
mod unit;

pub use config::{Config, ConfigError, InvZero, Personality, Sel1En, X2apic};
pub use events::{Events, Line};
pub use inputs::{Apic, Inputs, Lane, Lp};
pub use outputs::{FixedOut, GeneralOut, LpOut, Outputs};
pub use select::bus_lines;
pub use state::{Answer, Fixed, General, Processor, State};
pub use unit::Perf;
