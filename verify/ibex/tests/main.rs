//! The checker on a recorded run: no core, no compiler, no Verilator.

mod breakpoints;
mod command;
mod counters;
mod instruction;
mod recorded;
mod trace;
