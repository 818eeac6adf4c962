//! The Lightweight Profiling unit, from the *Lightweight Profiling Proposal* (2007-07-20) and the chapter
//! "The Lightweight Profiling unit" of the book.

mod config;
mod control;
mod count;
mod decode;
mod filter;
mod gather;
mod inputs;
mod lfsr;
mod outputs;
mod port;
mod report;
mod reset;
mod session;
mod state;
mod store;
mod unit;

pub use config::{Config, ConfigError};
pub use inputs::{BranchKind, Control, CtlOp, Inputs, LOAD_PORTS, Lane, Load, Memory, Mode, OpMode};
pub use lfsr::Lfsr;
pub use outputs::Outputs;
pub use state::{
    Candidate, ControlRegs, CtlState, EventCounter, Fault, MemCmd, NUM_EVENTS, PortRegs, Record, Requests, Session,
    State, StoreState,
};
pub use unit::Lwp;
