//! What the monitoring hardware does, a cycle at a time.
//!
//! Each unit is a Moore machine with one clock: [`Inputs`](lwp::Inputs) go in, every register of the
//! [`State`](lwp::State) changes once, [`Outputs`](lwp::Outputs) are read from the registers alone. The contract of a unit is
//! the chapter of the same name in the book (`docs/src/<unit>/`); the RTL in `rtl/<unit>/` is written from the same contract,
//! and the two are compared in every bit of state in every cycle.
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

pub mod flat;
pub mod lwp;
