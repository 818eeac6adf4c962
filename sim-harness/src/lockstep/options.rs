//! Options of a lockstep run.

use super::field::Field;
use std::fmt;
use std::sync::atomic::AtomicBool;

/// Number of threads of a run. The report does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Producer and RTL alternate on one thread: best if several runs share the machine.
    One,
    /// The producer fills the next batches while the RTL replays the last one.
    Two,
}

/// Options of [`run`](super::run).
pub struct Options<'a> {
    /// Table of the unit's fields, which names differences.
    pub fields: &'a [Field],
    /// Number of threads. Default: two.
    pub threads: Threads,
    /// Stop flag, which is read once per batch; `true` ends the run.
    pub stop: &'a AtomicBool,
    /// Function that is called once per batch, on the caller's thread, with the number of cycles so far.
    pub on_progress: Option<&'a mut dyn FnMut(u64)>,
    /// Number of cycles to keep before a divergence. Default: 0.
    pub history: usize,
    /// Cycles in a batch. Default: [`BATCH_CYCLES`](super::BATCH_CYCLES).
    pub batch_cycles: usize,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> Options<'a> {
    /// Returns the defaults for a unit with these fields.
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
