//! Puts a model and its RTL side by side.
//!
//! [`rtl`] runs Verilated RTL, [`lockstep`] compares it with a producer of inputs and expected outputs, cycle by cycle. [`device`]
//! runs a unit in its environment, [`cosim`] with a trace; [`capsule`] keeps a failure, [`report`] explains it. All of them know no
//! unit: what they need of one is a [`Unit`](unit::Unit), which the module of that name gives.
//! [`trace`], [`capture`] and [`frontend`] turn real programs into retired instructions; [`core`](mod@core) retires them, for any unit.

#[macro_use]
pub mod rtl;

pub mod capsule;
pub mod capture;
pub mod command;
pub mod core;
pub mod cosim;
pub mod device;
pub mod frontend;
pub mod lockstep;
pub mod lwp;
pub mod report;
pub mod session;
pub mod tier;
pub mod trace;
pub mod tsc;
pub mod unit;
