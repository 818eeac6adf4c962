//! The models of all units behind a C ABI: `include/lwp_model.h` is what its callers read.
//!
//! | file | what it does |
//! |---|---|
//! | [`abi`] | version, status codes, what the header says of builds and fields |
//! | `builds`, `unit` | the units and sizes that are built in, behind one trait |
//! | `handle`, `pointer` | what callers hold; what they hand in |
//! | `failure`, `guard` | what is refused and why; no panic crosses the ABI |
//! | `difference` | what a comparison says |
//! | `recorder`, `capsule` | the inputs of every cycle, and the failure capsule that holds them |
//! | [`exports`] | the header's functions for every unit, in rows of words |
//! | [`lwp`] | the header's structs and functions of one unit: named fields, their limits |
//!
//! `unsafe` is in `handle`, `pointer` and the `exports` alone. The book's chapter is "The model for others".

pub mod abi;
mod builds;
pub mod capsule;
mod difference;
pub mod exports;
mod failure;
mod guard;
mod handle;
pub mod lwp;
mod pointer;
mod recorder;
mod unit;

/// The header: structs, constants and functions of all units.
pub mod api {
    pub use crate::abi::*;
    pub use crate::capsule::exports::*;
    pub use crate::exports::*;
    pub use crate::lwp::abi::*;
    pub use crate::lwp::exports::*;
}

pub use handle::Model as LwpModel;
