//! Producer of a lockstep run: a model in its environment.

use super::environment::Environment;
use super::shown::{Shown, Shows};
use crate::lockstep::{Batch, Flow, Producer};
use std::fmt;

/// Runs the model in its environment and records, cycle by cycle, the inputs of the RTL and the outputs that it must show.
///
/// A new [`Rtl`](crate::rtl::Rtl) is in the state after reset, as a new model is. Therefore the rows contain no cycles of a reset.
pub struct ModelProducer<U: Shows, E, V> {
    model: U::Shown,
    environment: E,
    /// Function that is called with the environment once per batch, and may stop it.
    visit: V,
    /// Outputs of the model in the present cycle.
    outputs: U::Outputs,
}

impl<U, E, V> ModelProducer<U, E, V>
where
    U: Shows,
    E: Environment<Inputs = U::Inputs, Outputs = U::Outputs>,
    V: FnMut(&mut E),
{
    /// Returns a producer for a model after reset in a new environment. `visit` is called before each batch and at the end.
    pub fn new(model: U, environment: E, visit: V) -> Self {
        Self { outputs: model.outputs(), model: U::Shown::new(model), environment, visit }
    }

    /// Returns the environment in its present state, and the row that the model shows in the following cycle.
    pub fn into_parts(self) -> (E, Vec<u32>) {
        (self.environment, row::<U>(&self.model))
    }
}

impl<U, E, V> Producer for ModelProducer<U, E, V>
where
    U: Shows,
    E: Environment<Inputs = U::Inputs, Outputs = U::Outputs> + Send,
    V: FnMut(&mut E) + Send,
{
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        (self.visit)(&mut self.environment);
        while let Some(row) = batch.push() {
            self.model.write(row.expected);
            let inputs = self.environment.cycle(&self.outputs);
            U::pack_inputs(inputs, true, row.inputs);
            if self.model.step(inputs, row.inputs) {
                self.outputs = self.model.unit().outputs();
            }
            if self.environment.is_over() {
                (self.visit)(&mut self.environment);
                return Flow::End;
            }
        }
        Flow::More
    }
}

/// What a model shows.
fn row<U: Shows>(model: &U::Shown) -> Vec<u32> {
    let mut row = vec![0; U::OUTPUT_WORDS];
    model.write(&mut row);
    row
}

impl<U: Shows, E: fmt::Debug, V> fmt::Debug for ModelProducer<U, E, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelProducer")
            .field("row", &row::<U>(&self.model))
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}
