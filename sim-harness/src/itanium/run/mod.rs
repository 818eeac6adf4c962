//! Programs of IA-64 on the unit: `lwp-sim itanium`.
//!
//! The page "See what a program executes" of the book (`docs/src/itanium/histograms.md`) is about it. A program runs once for each pair of
//! instructions that the two opcode matchers can tell apart, on the model, or on model and RTL in lockstep. What is shown comes from the
//! registers.

mod capsule;
mod command;
mod engine;
mod error;
mod histogram;
mod options;
mod passes;
mod program;
mod text;

pub(super) use command::VERB;
