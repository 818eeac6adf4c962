//! The integration tests of this crate: one program, a module for each file.

#![allow(missing_docs, reason = "tests")]

mod support;

mod abuse;
mod book;
mod equal;
mod examples;
mod fields;
mod layout;
mod units;
