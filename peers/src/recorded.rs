//! The model on recorded inputs: what the peers do, as a producer of the lockstep.

use crate::work::{LANES, Model};
use sim_harness::lockstep::{Batch, Flow, Producer};
use sim_harness::lwp::flat;

/// Steps the model on the rows of `inputs`.
pub(crate) struct Recorded<'a> {
    model: Model,
    inputs: std::slice::ChunksExact<'a, u32>,
}

impl<'a> Recorded<'a> {
    pub(crate) fn new(model: Model, inputs: &'a [u32]) -> Self {
        Recorded { model, inputs: inputs.chunks_exact(flat::in_words(LANES)) }
    }
}

impl Producer for Recorded<'_> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        while self.inputs.len() > 0 {
            let Some(row) = batch.push() else { return Flow::More };
            let inputs = self.inputs.next().expect("there is one");
            flat::pack_expected(self.model.state(), self.model.config(), row.expected);
            row.inputs.copy_from_slice(inputs);
            match flat::unpack_inputs(inputs) {
                (inputs, true) => self.model.step(&inputs),
                (_, false) => self.model.reset(),
            }
        }
        Flow::End
    }
}
