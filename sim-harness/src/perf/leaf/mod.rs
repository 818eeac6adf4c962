//! CPUID leaf 0AH in words: `lwp-sim leaf`.

mod command;
mod error;
mod words;

pub use command::VERB;
pub use error::LeafError;
