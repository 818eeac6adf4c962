//! The integration tests of this crate: one program, a module for each file.

#![allow(missing_docs, reason = "tests")]

mod setters;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod zero_cost;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[allow(unsafe_code, reason = "a bus has unsafe accesses")]
mod zero_cost_of;
