//! Resource Director Technology: the tags of a shared cache, which count for each RMID and enforce the masks and delays of each class, from
//! the chapter "The unit `rdt`" of the book (`docs/src/rdt/`). What a register takes and means are rules of [`lwp_regs::rdt`].
//!
//! A file is a stage of the contract, and has its name.

mod choice;
mod config;
mod config_error;
mod counts;
mod cpuid;
mod entry;
mod fill;
mod flat;
mod inputs;
mod line;
mod memory;
mod outputs;
mod pace;
mod request;
mod set;
mod state;
mod steps;
mod transfer;
mod unit;
mod validate;
mod walk;
mod write;

pub use config::{Config, Scope, Select, Sizes, Vendor};
pub use config_error::ConfigError;
pub use inputs::{Inputs, LpInputs, Memory, ModeInputs, Power};
pub use line::{L2Line, L3Line, Word};
pub use outputs::{LpOutputs, Outputs};
pub use state::{Answer, Cache, Cdp, Class, Job, Lp, PowerOn, Rmid, Show, Stage, State, Step};
pub use unit::Rdt;
