//! The model without a world, on inputs that are ready in memory.

use crate::lockstep::{Batch, Flow, Producer};
use crate::lwp::flat::{self, Shown};
use lwp_model::lwp::{Inputs, Lwp};

/// Plays inputs that were recorded, and writes down what the RTL has to show.
///
/// What is recorded holds as long as the unit answers as it did: a world that would have answered otherwise is not asked. So
/// this tells whether model and RTL still agree on a recorded run, and what lockstep by itself costs.
#[derive(Debug)]
pub struct ReadyProducer<'a, const W: usize, const S: usize, const LAT: u32> {
    model: Shown<W, S, LAT>,
    inputs: std::slice::Iter<'a, Inputs<W>>,
    rows: std::slice::ChunksExact<'a, u32>,
}

impl<'a, const W: usize, const S: usize, const LAT: u32> ReadyProducer<'a, W, S, LAT> {
    /// A model fresh from reset; `rows` are the rows of the flat image for `inputs`.
    ///
    /// # Panics
    /// If there is not one row for each cycle, or no cycle.
    #[must_use]
    pub fn new(model: Lwp<W, S, LAT>, inputs: &'a [Inputs<W>], rows: &'a [u32]) -> Self {
        assert!(!inputs.is_empty() && rows.len() == inputs.len() * flat::in_words(W), "a row for each cycle");
        Self { model: Shown::new(model), inputs: inputs.iter(), rows: rows.chunks_exact(flat::in_words(W)) }
    }
}

impl<const W: usize, const S: usize, const LAT: u32> Producer for ReadyProducer<'_, W, S, LAT> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        let cycles = batch.room().min(self.inputs.len());
        for (inputs, words) in self.inputs.by_ref().zip(self.rows.by_ref()).take(cycles) {
            let row = batch.push().expect("the batch has room");
            row.expected.copy_from_slice(self.model.row());
            row.inputs.copy_from_slice(words);
            self.model.step(inputs);
        }
        if self.inputs.len() == 0 { Flow::End } else { Flow::More }
    }
}
