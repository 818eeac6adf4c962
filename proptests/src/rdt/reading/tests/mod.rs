//! Runs by hand: what the documents say, step by step, and one step otherwise.

mod allocation;
mod bench;
mod fake;
mod model;
mod monitoring;
mod pacing;
mod power;
mod random;
mod registers;
mod wrong;
