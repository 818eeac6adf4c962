//! The LWP unit next to a core that this project did not write.
//!
//! [`trace`] is what a simulated machine shows: the instructions on RVFI, the accesses of the unit, the words that the kernel
//! gives to the test bench. [`Checker`] reads it and decides from the documents what each record must be, and in which
//! cycle its event can be counted again. It shares no code with the unit, its model or `lwp-regs`.

pub mod breakpoints;
pub mod checker;
pub mod counters;
pub mod instruction;
pub mod record;
pub mod trace;

pub use checker::{Checker, Setup, Totals};
