//! What the monitoring hardware does, a cycle at a time.
//!
//! Each [`Unit`] is a Moore machine with one clock: its [`Inputs`](Moore::Inputs) go in, every register of its
//! [`State`](Unit::State) changes once, its [`Outputs`](Moore::Outputs) are read from the registers alone. The contract of a
//! unit is the chapter of the same name in the book (`docs/src/<unit>/`); the RTL in `rtl/<unit>/` is written from the same
//! contract.
//!
//! | module | unit |
//! |---|---|
//! | [`debug`] | breakpoints, single step and the order of debug exceptions |
//! | [`itanium`] | Itanium event qualification: what is counted, by address, opcode, level, process and instruction set |
//! | [`lwp`] | AMD's Lightweight Profiling, compared with the RTL in every bit of state in every cycle |
//! | [`perf`] | the performance counters, P6 and architectural |
//! | [`rdt`] | the shared cache that counts and enforces |
//! | [`trace`] | branch records, the debug store and precise samples |
//! | [`tsc`] | the time-stamp counter |
//!
//! The crate is `no_std`, allocates nothing and holds no `unsafe`.
//!
//! ```
//! use lwp_model::lwp::{Config, CtlOp, Inputs, Lwp};
//!
//! // A unit with one retire lane, eight event slots and 31-bit latencies.
//! let mut unit = Lwp::<1, 8, 31>::new(Config::default()).unwrap();
//! // The operating system enables LWP and the instructions-retired event.
//! let mut inputs = Inputs::<1>::default();
//! inputs.ctl.valid = true;
//! inputs.ctl.op = CtlOp::WriteMsr0;
//! inputs.ctl.wdata = 0b11;
//! unit.step(&inputs);
//! inputs.ctl.valid = false;
//! while !unit.outputs().rsp_valid {
//!     unit.step(&inputs);
//! }
//! assert_eq!(unit.outputs().msr0, 0b11);
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod choice;
pub mod debug;
pub mod flat;
pub mod itanium;
pub mod lwp;
pub mod perf;
pub mod rdt;
pub mod retire;
pub mod trace;
pub mod tsc;
mod unit;

pub use choice::Choice;
pub use unit::{Moore, Unit};
