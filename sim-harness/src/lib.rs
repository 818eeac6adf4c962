//! Puts a model and its RTL side by side.
//!
//! [`rtl`] runs Verilated RTL, [`lockstep`] compares it with a producer of inputs and expected outputs, cycle by cycle. Both
//! know no unit. [`lwp`] is what the Lightweight Profiling unit adds: its flat image, its model and its environment.
//! [`trace`], [`capture`] and [`frontend`] turn real programs into retired instructions.

#[macro_use]
pub mod rtl;

pub mod capsule;
pub mod capture;
pub mod frontend;
pub mod lockstep;
pub mod lwp;
pub mod report;
pub mod tier;
pub mod trace;
pub mod tsc;
