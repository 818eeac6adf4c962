//! Tasks that share the counters of a computer: a scheduler around the per-task counters of `lwp-regs`.
//!
//! The chapter "Counters of tasks" of the book (`docs/src/perf/tasks.md`) is about them. A [`Board`] holds the unit and a time-stamp
//! counter, each of them the model or the Verilated RTL, and runs both in step. A [`Program`] is what a trace shows in each cycle. A
//! [`World`] is the operating system: it lets tasks run for so many cycles, switches between them, takes overflow interrupts, and has the
//! sampling timer of the global mode. What it does with counters is code of `lwp-regs` alone.

mod board;
mod processors;
mod program;
mod recording;
mod table;
mod world;

pub use board::{Bench, Board, BoardCore};
pub use processors::{All, AllArchitectural, Counters, architectural, p6_family};
pub use program::{Program, ProgramError};
pub use recording::Recorded;
pub use table::{TaskId, TaskTable};
pub use world::{CPUS, Called, OBJECTS, Report, World};
