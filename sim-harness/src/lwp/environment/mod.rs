//! The unit's environment: the core that retires a trace, its memory, its operating system, the program that drains the ring.
//!
//! In each cycle a [`Computer`] takes the unit's outputs and gives its inputs. It knows neither model nor RTL, only the straps,
//! of which the core has to keep its side. What it does
//! is a function of the trace, the [`Setup`] and the outputs it has seen. Nothing is allocated or formatted per cycle, except
//! that memory is made on first touch.

mod again;
mod answer;
mod computer;
mod consumer;
mod failure;
mod misses;
mod operation;
mod retire;
mod ring;
mod script;
mod setup;
mod stats;
mod switch;

pub use crate::core::{GuestMemory, Instructions, MemoryTiming, ReplayList};
pub use answer::Answer;
pub(crate) use computer::mem_request;
pub use computer::{Computer, Remains};
pub use consumer::{Drain, RecordSink};
pub use failure::LwpFailure;
pub use script::Answers;
pub use setup::{Setup, Start};
pub use stats::Stats;
