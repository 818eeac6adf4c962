//! What every trace reader offers.

use super::{ProgramMap, Retired, TraceError, TraceNotes};

/// A trace that is read from beginning to end, one retired instruction at a time.
pub trait TraceReader {
    /// Reads the next instruction into `into`, whose memory is reused. `Ok(false)` at the end of
    /// the trace; `into` is then meaningless.
    ///
    /// # Errors
    /// Any [`TraceError`] that says why the trace cannot be read further. What was handed out
    /// before is right; after an error the reader is not to be asked again.
    fn next(&mut self, into: &mut Retired) -> Result<bool, TraceError>;

    /// Whether the trace itself says how loads and predictions went. If so misses, latencies,
    /// sources and predictions are to be taken as they are; if not, a
    /// [front end](crate::frontend) has to supply them.
    fn annotated(&self) -> bool;

    /// How many instructions the trace holds, if it says so before it is read.
    fn total(&self) -> Option<u64>;

    /// Progress: bytes of the file read so far, and its size (0 if it has none, like a pipe).
    fn position(&self) -> (u64, u64);

    /// Where the traced program's code came from, if the trace knows.
    fn symbols(&self) -> Option<&ProgramMap>;

    /// What was tolerated so far, in numbers.
    fn notes(&self) -> TraceNotes;
}
