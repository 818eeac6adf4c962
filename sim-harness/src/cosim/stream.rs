//! The trace as an environment wants it: annotated, limited, counted.

use crate::core::Instructions;
use crate::frontend::FrontEnd;
use crate::report::FrontEndNumbers;
use crate::trace::{BranchKind, ProgramMap, Retired, TraceError, TraceReader};
use std::fmt;

/// Instructions of a trace, through the front end if the trace does not know how loads and branches went.
pub struct Stream {
    reader: Box<dyn TraceReader + Send>,
    front_end: Option<FrontEnd>,
    left: u64,
    numbers: FrontEndNumbers,
    present: Retired,
}

impl Stream {
    /// At most `limit` instructions. Without a front end, what the trace does not know of loads and branches stays unknown.
    #[must_use]
    pub fn new(reader: Box<dyn TraceReader + Send>, front_end: Option<FrontEnd>, limit: Option<u64>) -> Self {
        let from_trace = reader.annotated();
        let front_end = front_end.filter(|_| !from_trace);
        let numbers = FrontEndNumbers { from_trace, ..FrontEndNumbers::default() };
        Self { reader, front_end, left: limit.unwrap_or(u64::MAX), numbers, present: Retired::default() }
    }

    /// Branches and loads so far.
    #[must_use]
    pub fn numbers(&self) -> &FrontEndNumbers {
        &self.numbers
    }

    /// Bytes read so far, and all, 0 if not known.
    #[must_use]
    pub fn position(&self) -> (u64, u64) {
        self.reader.position()
    }

    /// Instructions that will come, if the trace says.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.reader.total().map(|total| total.min(self.left))
    }

    /// Names of addresses.
    #[must_use]
    pub fn symbols(&self) -> Option<&ProgramMap> {
        self.reader.symbols()
    }

    /// What the reader tolerated.
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
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("left", &self.left).field("numbers", &self.numbers).finish_non_exhaustive()
    }
}
