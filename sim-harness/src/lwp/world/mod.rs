//! The unit's environment: the core that retires a trace, its memory, its operating system, the program that drains the ring.
//!
//! In each cycle a [`World`] takes the unit's outputs and gives its inputs. It knows neither model nor RTL, only the straps,
//! of which the core has to keep its side. What it does
//! is a function of the trace, the [`Setup`] and the outputs it has seen. Nothing is allocated or formatted per cycle, except
//! that memory is made on first touch.

mod again;
mod answer;
mod consumer;
mod environment;
mod failure;
mod feeder;
mod handler;
mod misses;
mod operation;
mod port;
mod ring;
mod script;
mod setup;
mod stats;
mod switch;

pub use crate::core::{GuestMemory, Instructions, ReplayList};
use crate::core::{draws, instructions, memory};
pub use answer::Answer;
pub use consumer::{Drain, RecordSink};
pub use environment::{Remains, World};
pub use failure::WorldFailure;
pub use script::Answers;
pub use setup::{MemoryTiming, Setup, Start};
pub use stats::Stats;
