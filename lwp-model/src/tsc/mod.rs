//! The time-stamp counter, from the chapter "The unit `tsc`" of the book (`docs/src/tsc/`). The meaning of the registers and the
//! effects of writes are rules of [`lwp_regs::tsc`].

mod config;
mod flat;
mod inputs;
mod outputs;
mod rate;
mod registers;
mod request;
mod state;
mod unit;

pub use config::{Config, ConfigError, DeepSleep};
pub use inputs::Inputs;
pub use outputs::Outputs;
pub use state::{Answer, Processor, RateRegs, State};
pub use unit::Tsc;
