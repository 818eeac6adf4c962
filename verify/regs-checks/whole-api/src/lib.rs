//! Calls every public function of `lwp-regs` with random arguments. The calls are written by the build script from
//! `lwp-regs/public-api.txt`; a function that is neither called nor excepted, with its reason, in `except.txt` does not
//! get past the compiler.

#![allow(unsafe_code, reason = "a bus has unsafe accesses")]

pub mod by_hand;
mod dice;
mod plain;
mod values;

pub use dice::{Deep, below, draw, draw_surely, seed};

/// A type of which values can be drawn.
pub trait Draw: Sized {
    /// A value, or `None` if it could not be made of what was drawn.
    fn draw() -> Option<Self>;
}

/// A public function and its call.
#[derive(Debug)]
pub struct Call {
    /// The line that lists it.
    pub line: &'static str,
    /// The `impl` that it stands in.
    pub of: &'static str,
    /// Calls it once; `None` if an argument could not be made.
    pub call: fn() -> Option<()>,
}

#[allow(warnings, clippy::all, reason = "generated")]
mod calls {
    use super::Call;
    include!(concat!(env!("OUT_DIR"), "/calls.rs"));
}

pub use calls::CALLS;
