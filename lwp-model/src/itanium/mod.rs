//! Itanium event qualification: which events are counted, from the chapter "The unit `itanium`" of the book (`docs/src/itanium/`). What a
//! register means, what passes a tag and when a monitor is on are rules of [`lwp_regs::itanium`].
//!
//! A file is a stage of the contract, and has its name.

mod config;
mod counter;
mod data;
mod decoded;
mod flat;
mod freeze;
mod inputs;
mod monitor;
mod opcode;
mod operation;
mod outputs;
mod range;
mod register;
mod request;
mod select;
mod state;
mod status;
mod tags;
mod unit;

pub use config::{Config, IsmOrder, UpOnInterruption};
pub use inputs::{Fetch, Inputs, Issue, MEM_PORTS, Mem, RegRequest, Retire};
pub use operation::{RegOp, RegResult};
pub use outputs::Outputs;
pub use state::{
    Answer, COUNTERS, Counter, Dbr, Ear, Freeze, Ibr, MAX_ENTRIES, Matcher, PAIRS, Pmc10, Pmc11, Pmc12, Pmc13, State,
    Status, TagEntry,
};
pub use unit::Itanium;
