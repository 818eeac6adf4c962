//! The model of the Lightweight Profiling unit behind a C ABI: `include/lwp_model.h` is what its callers read.
//!
//! | file | what it does |
//! |---|---|
//! | [`abi`] | the header's structs |
//! | `limits` | what each of their bytes may hold |
//! | `config`, `inputs`, `outputs` | from and to the model's types |
//! | `builds`, `unit` | the sizes that are built in, behind one trait |
//! | `handle`, `pointer` | what callers hold; what they hand in |
//! | `failure`, `guard` | what is refused and why; no panic crosses the ABI |
//! | [`exports`] | the header's functions |
//!
//! `unsafe` is in `handle`, `pointer` and `exports` alone. The book's chapter is "The model for others".

pub mod abi;
mod builds;
mod config;
pub mod exports;
mod failure;
mod guard;
mod handle;
mod inputs;
mod limits;
mod outputs;
mod pointer;
mod unit;

pub use handle::LwpModel;
