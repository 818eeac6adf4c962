//! How a lockstep run is carried out.

use super::field::Field;
use std::fmt;
use std::sync::atomic::AtomicBool;

/// How many threads share the work. Both give the same report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Producer and RTL take turns: best when several runs share the machine.
    One,
    /// The producer works on the next batches while the RTL plays the last one.
    Two,
}

/// How [`run`](super::run) goes about it.
pub struct Options<'a> {
    /// The unit's table of fields, for naming differences.
    pub fields: &'a [Field],
    /// Default: two.
    pub threads: Threads,
    /// Looked at once a batch; true ends the run.
    pub stop: &'a AtomicBool,
    /// Called once a batch, on the caller's thread, with the number of cycles so far.
    pub on_progress: Option<&'a mut dyn FnMut(u64)>,
    /// How many cycles before a divergence to keep. Default: none.
    pub history: usize,
    /// Cycles in a batch. Default: [`BATCH_CYCLES`](super::BATCH_CYCLES).
    pub batch_cycles: usize,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> Options<'a> {
    /// The defaults, for a unit with these fields.
    #[must_use]
    pub fn new(fields: &'a [Field]) -> Self {
        Options {
            fields,
            threads: Threads::Two,
            stop: &NEVER,
            on_progress: None,
            history: 0,
            batch_cycles: super::BATCH_CYCLES,
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("threads", &self.threads)
            .field("stop", self.stop)
            .field("history", &self.history)
            .field("batch_cycles", &self.batch_cycles)
            .finish_non_exhaustive()
    }
}
