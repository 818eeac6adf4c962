//! Producer of a lockstep run: a model on recorded inputs.

use super::shown::{Shown, Shows};
use crate::lockstep::{Batch, Flow, Producer};
use std::fmt;

/// Runs the model on recorded rows of inputs, and records the outputs that the RTL must show.
///
/// The inputs do not react to the unit's outputs. They show whether model and RTL still agree on a recorded run, and the cost of
/// lockstep without an environment.
pub struct RecordedProducer<'a, U: Shows> {
    model: U::Shown,
    rows: std::slice::ChunksExact<'a, u32>,
}

impl<'a, U: Shows> RecordedProducer<'a, U> {
    /// Returns a producer for a model after reset and the rows that are its inputs.
    ///
    /// # Panics
    /// If there is no whole number of rows, or no row.
    #[must_use]
    pub fn new(model: U, rows: &'a [u32]) -> Self {
        assert!(!rows.is_empty() && rows.len().is_multiple_of(U::INPUT_WORDS), "whole rows of inputs");
        Self { model: U::Shown::new(model), rows: rows.chunks_exact(U::INPUT_WORDS) }
    }
}

impl<U: Shows> Producer for RecordedProducer<'_, U> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        let cycles = batch.room();
        for inputs in self.rows.by_ref().take(cycles) {
            let row = batch.push().expect("the batch has room");
            row.inputs.copy_from_slice(inputs);
            // A reset acts at once. `rst_n` is the first field of every unit.
            let in_reset = inputs[0] & 1 == 0;
            if in_reset {
                self.model.reset();
            }
            self.model.write(row.expected);
            if !in_reset {
                self.model.step_row(inputs);
            }
        }
        if self.rows.len() == 0 { Flow::End } else { Flow::More }
    }
}

impl<U: Shows> fmt::Debug for RecordedProducer<'_, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordedProducer").field("rows_left", &self.rows.len()).finish_non_exhaustive()
    }
}
