//! Branch records: the last branches in registers (LBR), on the bus (BTM) and in memory (BTS), and precise samples (PEBS), from the
//! chapter "The unit `trace`" of the book (`docs/src/trace/`). What a register means, what a write does and where a record goes are rules
//! of [`lwp_regs::trace`].
//!
//! A file is a stage of the contract, and has its name.

mod collect;
mod config;
mod control;
mod flat;
mod inputs;
mod now;
mod outputs;
mod pebs;
mod port;
mod queue;
mod request;
mod stack;
mod state;
mod store;
mod unit;

pub use config::{Config, ConfigError, Depth, Format, Linear, Numbers};
pub use inputs::{Inputs, Lane, Precise};
pub use outputs::Outputs;
pub use state::{
    Answer, Control, Entry, Lbr, Notice, Pebs, Port, QUEUE_ENTRIES, Queue, Record, Reload, State, Step, Store,
};
pub use unit::TraceUnit;
