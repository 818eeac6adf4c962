//! The integration tests of this crate: one program, a module for each file.

#![allow(missing_docs, reason = "tests")]

mod adapters;
mod guide;
mod integration;
mod packaging;
mod row;
mod synth;
mod x_check;
