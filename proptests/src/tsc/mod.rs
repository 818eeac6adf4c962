//! What the unit `tsc`, the time-stamp counter, must satisfy.

pub mod reading;
