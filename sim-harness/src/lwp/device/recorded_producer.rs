//! The model without a world, on inputs that are ready in memory.

use crate::lockstep::{Batch, Flow, Producer};
use crate::lwp::flat::{self, Shown};
use lwp_model::lwp::Lwp;

/// Plays rows of inputs that were recorded, and writes down what the RTL has to show.
///
/// What is recorded holds as long as the unit answers as it did: a world that would have answered otherwise is not asked. So
/// this tells whether model and RTL still agree on a recorded run, and what lockstep by itself costs.
#[derive(Debug)]
pub struct RecordedProducer<'a, const W: usize, const S: usize, const LAT: u32> {
    model: Shown<W, S, LAT>,
    rows: std::slice::ChunksExact<'a, u32>,
}

impl<'a, const W: usize, const S: usize, const LAT: u32> RecordedProducer<'a, W, S, LAT> {
    /// A model fresh from reset, and the rows of the flat image that are its inputs.
    ///
    /// # Panics
    /// If there is not a whole number of rows, or none.
    #[must_use]
    pub fn new(model: Lwp<W, S, LAT>, rows: &'a [u32]) -> Self {
        assert!(!rows.is_empty() && rows.len().is_multiple_of(flat::in_words(W)), "whole rows of inputs");
        Self { model: Shown::new(model), rows: rows.chunks_exact(flat::in_words(W)) }
    }
}

impl<const W: usize, const S: usize, const LAT: u32> Producer for RecordedProducer<'_, W, S, LAT> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        let cycles = batch.room();
        for inputs in self.rows.by_ref().take(cycles) {
            let row = batch.push().expect("the batch has room");
            row.inputs.copy_from_slice(inputs);
            // A reset acts at once.
            let in_reset = inputs[0] & 1 == 0;
            if in_reset {
                self.model.reset();
            }
            row.expected.copy_from_slice(self.model.row());
            if !in_reset {
                self.model.step_row(inputs);
            }
        }
        if self.rows.len() == 0 { Flow::End } else { Flow::More }
    }
}
