//! The interface of every trace reader.

use super::{ProgramMap, Retired, TraceError, TraceNotes};

/// A part of what retires that a format may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The stores of an instruction.
    Stores,
    /// The interruptions before an instruction.
    Interruptions,
}

/// A trace that is read from beginning to end, one retired instruction at a time.
pub trait TraceReader {
    /// Reads the next instruction into `into`, whose memory is reused. Returns `Ok(false)` at the end of the trace;
    /// `into` is then meaningless.
    ///
    /// # Errors
    /// Any [`TraceError`] that describes why the trace cannot be read further. The instructions returned before are
    /// correct; after an error the reader must not be used again.
    fn next(&mut self, into: &mut Retired) -> Result<bool, TraceError>;

    /// Whether the trace itself contains the outcomes of loads and predictions. If so, misses, latencies, sources and
    /// predictions are to be used unchanged; if not, a [front end](crate::frontend) has to supply them.
    fn annotated(&self) -> bool;

    /// Returns the parts that no instruction of this trace has, whatever the program did.
    fn lacks(&self) -> &'static [Part] {
        &[]
    }

    /// Returns the number of instructions in the trace, if it is known before the trace is read.
    fn total(&self) -> Option<u64>;

    /// Returns the number of bytes of the file read so far, and its size (0 if it has none, like a pipe), to show
    /// progress.
    fn position(&self) -> (u64, u64);

    /// Returns the files that the traced program's code came from, if the trace contains them.
    fn symbols(&self) -> Option<&ProgramMap>;

    /// Returns the numbers of oddities tolerated so far.
    fn notes(&self) -> TraceNotes;
}
