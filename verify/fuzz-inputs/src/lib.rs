//! What one fuzzed input is held to, for everything of the project that reads bytes.
//!
//! A target is a function from bytes to nothing that panics if a promise is broken. The fuzzer (`verify/fuzz/`, `make fuzz`) calls
//! it with coverage as its guide, on a nightly Rust; the tests of this crate call it with the corpora of `verify/fuzz/corpus` and with
//! seeded mutations of them, on any. The book's chapter is "Fuzzing".
//!
//! | part | what it does |
//! |---|---|
//! | [`targets`] | one file for each reader |
//! | [`limits`] | memory and time that an input may cost; every target is called through it |
//! | [`memory`] | the allocator that counts |
//! | [`mod@file`] | bytes as a file with a path, without a disk |
//! | [`seal`] | checksums that are right, around content that need not be |
//! | [`mutate`] | changes of bytes, the same for the same seed |
//! | [`seeds`], [`corpus`] | the corpora: made, and read |

pub mod bytes;
pub mod corpus;
pub mod file;
pub mod limits;
pub mod memory;
pub mod mutate;
pub mod seal;
pub mod seeds;
pub mod targets;

pub use targets::{TARGETS, Target};
