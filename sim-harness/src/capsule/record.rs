//! Capsules from runs that failed.

use super::error::{CapsuleError, ReplayError};
use super::file::Capsule;
use super::replay::replay_on;
use super::rows::RowWriter;
use super::target::Target;
use crate::lockstep::{Batch, Flow, Producer, Window};
use crate::rtl::BuildId;
use capsule_file::{Failure, Origin, Way};

/// Number of cycles after the failure for which a capsule has inputs, as far as the run has them. Waves show as many.
pub const AFTER: u64 = 32;

impl Capsule {
    /// Runs a producer from its beginning, and returns a capsule of its inputs until [`AFTER`] cycles after the failure.
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

    /// Replays the capsule, and returns whether it fails in its recorded way. If it does, completes the capsule with the result: all
    /// differences, the name of an assertion, the checksum of the rows. A property is not checked again. If model and RTL differ before
    /// the cycle of the property, only one of them violates it, and the capsule becomes that of a mismatch.
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
