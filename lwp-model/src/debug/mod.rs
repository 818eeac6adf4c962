//! The debug unit: breakpoints, single step and what comes first, from the chapter "The unit `debug`" of the book
//! (`docs/src/debug/`). What a register means, what a breakpoint waits for and what an exception leaves are rules of
//! [`lwp_regs::debug`].
//!
//! A file is a stage of the contract, and has its name.

mod arbiter;
mod compare;
mod config;
mod flags;
mod flat;
mod inputs;
mod lanes;
mod outputs;
mod registers;
mod request;
mod state;
mod unit;

pub use config::{Config, ConfigError};
pub use inputs::{Ask, Inputs, Interrupted, Lane, LaneKind, Special};
pub use outputs::Outputs;
pub use state::{
    Answer, AskRegs, Control, Cut, DbClass, Flags, Frame, Held, Registers, Request, SmmCopies, State, Status,
};
pub use unit::DebugUnit;
