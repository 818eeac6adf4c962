//! The debug unit against the processor's debug exceptions.
//!
//! A random program runs in a child under ptrace, with breakpoints in the processor's own debug registers, and on model and RTL of the
//! unit. Both give the stops that a debugger sees: cause, DR6, address, RF.

mod calibrate;
mod cases;
mod compare;
mod computer;
pub mod differences;
mod event;
mod instruction;
mod processor;
mod program;
mod strategy;
mod unit;

pub use calibrate::{CalibrationError, Facts, calibrate};
pub use cases::{Totals, cases};
pub use compare::{Compared, compare, repeated};
pub use computer::{Fault, Selectors};
pub use event::{Cause, Event, SITUATIONS, line};
pub use instruction::{Instruction, Text};
pub use processor::Processor;
pub use program::{Core, Program, Resume, Rf, Watch};
pub use strategy::program;
