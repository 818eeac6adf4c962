//! The integration tests of this crate: one program, a module for each file.

#![allow(missing_docs, reason = "tests")]

mod checker;
mod command;
mod paths;
mod repository;
