//! The trace as the world wants it: annotated, limited, counted.

use sim_harness::frontend::FrontEnd;
use sim_harness::lwp::world::Instructions;
use sim_harness::report::FrontEndNumbers;
use sim_harness::trace::{BranchKind, ProgramMap, Retired, TraceError, TraceReader};
use std::fmt;

/// Instructions of a trace, through the front end if the trace does not know how loads and branches went.
pub(crate) struct Stream {
    reader: Box<dyn TraceReader + Send>,
    front_end: Option<FrontEnd>,
    left: u64,
    numbers: FrontEndNumbers,
}

impl Stream {
    /// At most `limit` instructions.
    pub(crate) fn new(reader: Box<dyn TraceReader + Send>, front_end: FrontEnd, limit: Option<u64>) -> Self {
        let from_trace = reader.annotated();
        let front_end = (!from_trace).then_some(front_end);
        let numbers = FrontEndNumbers { from_trace, ..FrontEndNumbers::default() };
        Self { reader, front_end, left: limit.unwrap_or(u64::MAX), numbers }
    }

    /// Branches and loads so far.
    pub(crate) fn numbers(&self) -> &FrontEndNumbers {
        &self.numbers
    }

    /// Bytes read so far, and all, 0 if not known.
    pub(crate) fn position(&self) -> (u64, u64) {
        self.reader.position()
    }

    /// Instructions that will come, if the trace says.
    pub(crate) fn total(&self) -> Option<u64> {
        self.reader.total().map(|total| total.min(self.left))
    }

    /// Names of addresses.
    pub(crate) fn symbols(&self) -> Option<&ProgramMap> {
        self.reader.symbols()
    }

    /// What the reader tolerated.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.reader.notes().sentences()
    }

    fn count(&mut self, retired: &Retired) {
        let numbers = &mut self.numbers;
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
    fn next(&mut self, into: &mut Retired) -> Result<bool, TraceError> {
        if self.left == 0 || !self.reader.next(into)? {
            return Ok(false);
        }
        self.left -= 1;
        if let Some(front_end) = &mut self.front_end {
            front_end.annotate(into);
        }
        self.count(into);
        Ok(true)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("left", &self.left).field("numbers", &self.numbers).finish_non_exhaustive()
    }
}
