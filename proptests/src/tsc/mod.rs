//! The time-stamp counter: scenarios, and the independent reading that it must satisfy.

pub mod reading;
pub mod scenario;
