//! The time-stamp counter: scenarios.

pub mod scenario;
