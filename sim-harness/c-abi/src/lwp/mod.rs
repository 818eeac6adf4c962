//! What LWP has besides rows of words: structs of named fields, and models of sizes that the list does not have.

pub mod abi;
mod builds;
mod config;
pub mod exports;
mod inputs;
mod limits;
mod outputs;
mod unit;

pub(crate) use unit::make;
