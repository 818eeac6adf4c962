//! Interrupts of counters that overflow, for statistical sampling.
//!
//! | to | use |
//! |---|---|
//! | prepare the processor, in order | [`OverflowSetup`], giving an [`OverflowHandler`] |
//! | let a counter interrupt | [`EventSelect::interrupt`](super::EventSelect::interrupt), which wants that handler |
//! | start it a period before its overflow | [`PerfCtr::preset`](super::PerfCtr::preset) |
//! | take a sample and go on | [`OverflowSampler`], giving a [`SampleRecord`] |

mod sample;
mod setup;

pub use sample::{Interrupted, OverflowSampler, SampleRecord};
pub use setup::{
    LvtInitialised, OverflowPlatform, OverflowSetup, OverflowVector, StubInstalled, VectorError, VectorProvided,
};

pub use crate::perf::OverflowHandler;
