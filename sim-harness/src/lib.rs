//! Co-simulation of models and their RTL.
//!
//! [`rtl`] runs Verilated RTL. [`lockstep`] compares it, cycle by cycle, with a producer of inputs and expected outputs. [`device`]
//! runs a unit in its environment, and [`cosim`] runs it with a trace. [`capsule`] keeps a failure, [`report`] explains it, and [`triage`] groups many. None of
//! these modules knows a unit: each unit has a module of its name, which provides a [`Unit`](unit::Unit).
//! [`traces`], [`capture`] and [`frontend`] turn real programs into retired instructions; [`core`](mod@core) retires them for any unit.

#[macro_use]
pub mod rtl;

pub mod capsule;
pub mod capture;
pub mod command;
pub mod core;
pub mod cosim;
pub mod cpuid_leaves;
pub mod debug;
pub mod device;
pub mod frontend;
pub mod itanium;
pub mod lockstep;
pub mod lwp;
pub mod perf;
pub mod rdt;
pub mod report;
pub mod session;
pub mod stop;
pub mod tier;
pub mod trace;
pub mod traces;
pub mod triage;
pub mod tsc;
pub mod unit;
pub mod verb;
