//! Recorded runs of a unit: what went in, what the unit showed, and what each register held, cycle by cycle.
//!
//! A [`Recording`] is a run in memory. The words of a run ([`Recording::case_words`]) are the input of a program that plays the RTL by
//! itself. A file ([`Writer`], [`Reader`]) holds the rows of many runs; the rows of a unit's outputs are those that the RTL showed.

mod cycles;
mod delta;
mod error;
mod read;
mod write;

pub use cycles::{Cycle, Of, Recording, Rows};
pub use error::RecordingError;
pub use read::{Reader, RowPair, Run};
pub use write::Writer;

/// Identifies a recording and the version of its form.
const MAGIC: u32 = u32::from_le_bytes(*b"LWR2");
/// Before a run.
const RUN: u32 = u32::from_le_bytes(*b"RUN.");
/// After the last run.
const END: u32 = u32::from_le_bytes(*b"END.");
/// Words of a run's name, which is padded with zeros.
const NAME_WORDS: usize = 8;
/// Words of a unit's name, which is padded with zeros.
const UNIT_WORDS: usize = 4;
/// Sizes of a build, and words of the straps, at most.
const MOST_HEAD: u32 = 64;
/// Words of a row at most.
const MOST_ROW: u32 = 32 * delta::MASKS as u32;
