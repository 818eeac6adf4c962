//! Capsules that begin in a state of the run, shortly before the failure, and not at reset.
//!
//! Model and RTL agree in every register up to the failure, so a row of the model is the state of both.

use super::error::CapsuleError;
use super::file::Capsule;
use super::rows::RowWriter;
use crate::unit::Unit;
use capsule_file::Checkpoint;

impl Capsule {
    /// Returns a capsule of the same failure that begins `before` cycles before it, in the state that the model has there; the same capsule
    /// if the failure comes earlier, or if the unit holds more than a row shows. The model plays all cycles up to there, and the RTL none. [`confirm`](Self::confirm) completes the
    /// result.
    ///
    /// # Errors
    /// As [`model`](Self::model).
    pub fn from_checkpoint(&self, before: u64) -> Result<Self, CapsuleError> {
        let (header, build) = (self.header(), self.build()?);
        let start = header.failure.cycle.checked_sub(before).filter(|start| *start > 0);
        let Some(start) = start.filter(|_| Unit::of(build).capsule.checkpoints) else {
            return Ok(self.clone());
        };
        let (mut model, mut row) = (self.model()?, vec![0; build.info().out_words]);
        let (mut rows, mut kept, mut state) = (self.rows(), RowWriter::new(header.in_words), None);
        let mut cycle = 0;
        while let Ok(Some(inputs)) = rows.next_row() {
            if cycle <= start {
                model.cycle(inputs, &mut row);
            }
            // The rest is copied.
            if cycle >= start {
                state.get_or_insert_with(|| row.clone());
                kept.push(inputs);
            }
            cycle += 1;
        }
        let earlier = header.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.cycle);
        let checkpoint = state.map(|row| Checkpoint { cycle: earlier + start, row });
        let mut failure = header.failure.clone();
        failure.cycle -= start;
        let mut later = Self::starting(build, &header.straps, checkpoint, kept, failure, header.origin.clone())?;
        later.header_mut().shrunk = header.shrunk;
        Ok(later)
    }

    /// Returns where the capsule begins, in words: `reset`, or a state of the run.
    #[must_use]
    pub fn start(&self) -> String {
        match &self.header().checkpoint {
            None => "reset".to_owned(),
            Some(checkpoint) => format!("the state of the run in cycle {}", checkpoint.cycle),
        }
    }
}
