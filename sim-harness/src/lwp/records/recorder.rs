//! Takes the records of a run: counts them, and writes them down if asked.

use super::record_line::RecordLine;
use crate::lwp::environment::RecordSink;
use crate::report::{IpCounts, JsonLines, Output, OutputError};
use lwp_regs::lwp::EventRecord;
use serde::Serialize;

/// Records by event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecordCounts {
    /// EventId 1.
    pub instructions_retired: u64,
    /// EventId 2.
    pub branches_retired: u64,
    /// EventId 3.
    pub dcache_misses: u64,
    /// All, those included that were in the buffer before the session.
    pub total: u64,
}

/// A sink that counts records and streams them to a file as JSON Lines, in bounded memory.
#[derive(Debug, Default)]
pub struct Recorder {
    counts: RecordCounts,
    ips: IpCounts,
    lines: JsonLines,
}

impl Recorder {
    /// Writes to this file, if there is one.
    #[must_use]
    pub fn new(output: Option<Output>) -> Self {
        Self { lines: JsonLines::new(output), ..Self::default() }
    }

    /// How many records of each event.
    #[must_use]
    pub fn counts(&self) -> &RecordCounts {
        &self.counts
    }

    /// How many records at each instruction.
    #[must_use]
    pub fn ips(&self) -> &IpCounts {
        &self.ips
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If a record could not be written, or the file not completed.
    pub fn commit(self) -> Result<(), OutputError> {
        self.lines.commit()
    }
}

impl RecordSink for Recorder {
    fn record(&mut self, record: &EventRecord) {
        let counts = &mut self.counts;
        self.lines.push(|| RecordLine::new(counts.total, record));
        counts.total += 1;
        match record.word().event_id() {
            1 => counts.instructions_retired += 1,
            2 => counts.branches_retired += 1,
            3 => counts.dcache_misses += 1,
            _ => {}
        }
        self.ips.add(record.address());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_disk_that_fills_up_during_the_run_is_one_error() {
        let mut recorder = Recorder::new(Some(Output::create(Path::new("/dev/full")).unwrap()));
        // More than any buffer holds.
        for index in 0..10_000 {
            recorder.record(&EventRecord::from_words([index % 5, index, 0, 0]));
        }
        let counts =
            RecordCounts { instructions_retired: 2000, branches_retired: 2000, dcache_misses: 2000, total: 10_000 };
        assert_eq!(*recorder.counts(), counts, "counting goes on");
        let error = recorder.commit().unwrap_err().to_string();
        assert!(error.starts_with("cannot write `/dev/full`: No space left"), "{error}");
    }
}
