//! Supply of instructions from a trace: annotated, limited and counted.

use crate::core::Instructions;
use crate::frontend::FrontEnd;
use crate::report::FrontEndNumbers;
use crate::traces::{BranchKind, ProgramMap, Retired, TraceError, TraceReader};
use std::fmt;

/// Instructions of a trace. They pass through the front end if the trace lacks the outcomes of loads and branches.
pub struct Stream {
    reader: Box<dyn TraceReader + Send>,
    front_end: Option<FrontEnd>,
    left: u64,
    numbers: FrontEndNumbers,
    present: Retired,
}

impl Stream {
    /// Returns a supply of at most `limit` instructions. Without a front end, outcomes that the trace lacks stay unknown.
    #[must_use]
    pub fn new(reader: Box<dyn TraceReader + Send>, front_end: Option<FrontEnd>, limit: Option<u64>) -> Self {
        let from_trace = reader.annotated();
        let front_end = front_end.filter(|_| !from_trace);
        let numbers = FrontEndNumbers { from_trace, ..FrontEndNumbers::default() };
        Self { reader, front_end, left: limit.unwrap_or(u64::MAX), numbers, present: Retired::default() }
    }

    /// Returns the number of branches and loads so far.
    #[must_use]
    pub fn numbers(&self) -> &FrontEndNumbers {
        &self.numbers
    }

    /// Returns the number of bytes read so far, and of all bytes, or 0 if it is not known.
    #[must_use]
    pub fn position(&self) -> (u64, u64) {
        self.reader.position()
    }

    /// Returns the number of instructions, if the trace contains it.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.reader.total().map(|total| total.min(self.left))
    }

    /// Returns the names of addresses.
    #[must_use]
    pub fn symbols(&self) -> Option<&ProgramMap> {
        self.reader.symbols()
    }

    /// Returns the notes of the reader on what it tolerated.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.reader.notes().sentences()
    }

    fn count(&mut self) {
        let (numbers, retired) = (&mut self.numbers, &self.present);
        if let Some(branch) = &retired.branch
            && branch.kind != BranchKind::System
        {
            numbers.branches += 1;
            numbers.mispredicted += u64::from(branch.predicted == Some(false));
        }
        for load in &retired.loads {
            numbers.loads += 1;
            if load.miss {
                numbers.misses += 1;
                numbers.misses_by_source[usize::from(load.source & 7)] += 1;
            }
        }
    }
}

impl Instructions for Stream {
    fn advance(&mut self) -> Result<bool, TraceError> {
        if self.left == 0 || !self.reader.next(&mut self.present)? {
            return Ok(false);
        }
        self.left -= 1;
        if let Some(front_end) = &mut self.front_end {
            front_end.annotate(&mut self.present);
        }
        self.count();
        Ok(true)
    }

    #[inline]
    fn present(&self) -> &Retired {
        &self.present
    }

    fn symbols(&self) -> Option<&ProgramMap> {
        self.symbols()
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("left", &self.left).field("numbers", &self.numbers).finish_non_exhaustive()
    }
}
