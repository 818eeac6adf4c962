//! From a run that failed to a capsule.

use super::error::{CapsuleError, ReplayError};
use super::file::Capsule;
use super::header::{Failure, Origin, Way};
use super::replay::replay_on;
use super::rows::RowWriter;
use super::target::Target;
use crate::lockstep::{Batch, Flow, Producer, Window};
use crate::rtl::BuildId;

/// Cycles after the failure that a capsule has inputs for, if the run has: waves go on for as long.
pub const AFTER: u64 = 32;

impl Capsule {
    /// Runs a producer from its beginning and keeps its inputs until [`AFTER`] cycles after the failure.
    ///
    /// # Errors
    /// As [`new`](Capsule::new).
    pub fn record(
        build: BuildId,
        straps: &[u32],
        producer: &mut dyn Producer,
        failure: Failure,
        origin: Origin,
    ) -> Result<Self, CapsuleError> {
        let info = build.info();
        let mut batch = Batch::new(info.in_words, info.out_words, crate::lockstep::BATCH_CYCLES);
        let mut rows = RowWriter::new(info.in_words);
        let mut flow = Flow::More;
        while flow == Flow::More && rows.cycles() <= failure.cycle + AFTER {
            batch.clear();
            flow = producer.fill(&mut batch);
            for row in batch.inputs().chunks_exact(info.in_words) {
                if rows.cycles() <= failure.cycle + AFTER {
                    rows.push(row);
                }
            }
        }
        Self::new(build, straps, rows, failure, origin)
    }

    /// Replays the capsule and writes into it what it shows, if it fails in the way that it says: all differences, the name of an
    /// assertion, the rows' checksum. False if it does not. A property is believed, unless model and RTL differ before it shows: then
    /// it was violated by what one of them shows alone, and the capsule becomes that of a mismatch.
    ///
    /// # Errors
    /// If it cannot be replayed, or the two builds of the RTL do not fail alike.
    pub fn confirm(&mut self, target: &dyn Target) -> Result<bool, ReplayError> {
        let recorded = self.header().failure.way.clone();
        let found = replay_on(target, self, Window { before: 0, after: 0 })?.found;
        let same = |found: &Way| match (found, &recorded) {
            // Its name is known only now.
            (Way::Assertion { .. }, Way::Assertion { label }) if label.is_empty() => true,
            _ => *found == recorded,
        };
        let recorded_cycle = self.header().failure.cycle;
        match found {
            Some(found) if matches!(recorded, Way::Property { .. }) => {
                if found.cycle <= recorded_cycle {
                    let mut failure = found.failure();
                    failure.text = format!("{recorded}: {}\n{}", self.header().failure.text, failure.text);
                    self.header_mut().failure = failure;
                }
            }
            Some(found) if same(&found.way) => self.header_mut().failure = found.failure(),
            None if matches!(recorded, Way::Property { .. }) => {}
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Failure {
    /// A failure of which way and cycle are known; [`Capsule::confirm`] finds the rest.
    #[must_use]
    pub fn new(way: Way, cycle: u64) -> Self {
        Self { way, cycle, values: [0; 2], rows_crc: 0, text: String::new() }
    }
}
