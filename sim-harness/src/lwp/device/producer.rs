//! Model and world as the producer of a lockstep run.

use crate::lockstep::{Batch, Flow, Producer};
use crate::lwp::flat::{self, Shown};
use crate::lwp::world::{Instructions, RecordSink, World};
use lwp_model::lwp::{Lwp, Outputs};
use std::fmt;

/// Runs the model in its world and writes down, cycle by cycle, what the RTL has to be given and what it has to show.
///
/// A new [`Rtl`](crate::rtl::Rtl) has been through its reset, as a new model has, so the rows are the world's cycles alone.
pub struct ModelProducer<const W: usize, const S: usize, const LAT: u32, I, R, V> {
    model: Shown<W, S, LAT>,
    world: World<W, I, R>,
    /// Looks at the world once a batch, and may stop it.
    visit: V,
    /// The model's in the present cycle.
    outputs: Outputs,
}

impl<const W: usize, const S: usize, const LAT: u32, I, R, V> ModelProducer<W, S, LAT, I, R, V>
where
    I: Instructions,
    R: RecordSink,
    V: FnMut(&mut World<W, I, R>),
{
    /// A model fresh from reset in a fresh world. `visit` is called before each batch and at the end.
    pub fn new(model: Lwp<W, S, LAT>, world: World<W, I, R>, visit: V) -> Self {
        Self { outputs: model.outputs(), model: Shown::new(model), world, visit }
    }

    /// The world, as far as it has run.
    pub fn into_world(self) -> World<W, I, R> {
        self.world
    }
}

impl<const W: usize, const S: usize, const LAT: u32, I, R, V> Producer for ModelProducer<W, S, LAT, I, R, V>
where
    I: Instructions + Send,
    R: RecordSink + Send,
    V: FnMut(&mut World<W, I, R>) + Send,
{
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        (self.visit)(&mut self.world);
        while let Some(row) = batch.push() {
            row.expected.copy_from_slice(self.model.row());
            let inputs = self.world.cycle(&self.outputs);
            flat::pack_inputs(inputs, true, row.inputs);
            if self.model.step(inputs) {
                self.outputs = self.model.unit().outputs();
            }
            if self.world.is_over() {
                (self.visit)(&mut self.world);
                return Flow::End;
            }
        }
        Flow::More
    }
}

impl<const W: usize, const S: usize, const LAT: u32, I: fmt::Debug, R: fmt::Debug, V> fmt::Debug
    for ModelProducer<W, S, LAT, I, R, V>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelProducer").field("model", &self.model).field("world", &self.world).finish_non_exhaustive()
    }
}
