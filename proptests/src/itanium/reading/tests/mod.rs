//! Runs by hand: what the documents say, step by step, and one step otherwise. Runs at random.

mod bench;
mod bugs;
mod fake;
mod fake_requests;
mod freezing;
mod model;
mod modes;
mod privilege;
mod tagging;
mod wrong;
