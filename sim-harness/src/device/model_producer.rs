//! Model and environment as the producer of a lockstep run.

use super::environment::Environment;
use super::shown::{Shown, Shows};
use crate::lockstep::{Batch, Flow, Producer};
use std::fmt;

/// Runs the model in its environment and writes down, cycle by cycle, what the RTL has to be given and what it has to show.
///
/// A new [`Rtl`](crate::rtl::Rtl) has been through its reset, as a new model has, so the rows are the environment's cycles alone.
pub struct ModelProducer<U: Shows, E, V> {
    model: U::Shown,
    environment: E,
    /// Looks at the environment once a batch, and may stop it.
    visit: V,
    /// The model's in the present cycle.
    outputs: U::Outputs,
}

impl<U, E, V> ModelProducer<U, E, V>
where
    U: Shows,
    E: Environment<Inputs = U::Inputs, Outputs = U::Outputs>,
    V: FnMut(&mut E),
{
    /// A model fresh from reset in a fresh environment. `visit` is called before each batch and at the end.
    pub fn new(model: U, environment: E, visit: V) -> Self {
        Self { outputs: model.outputs(), model: U::Shown::new(model), environment, visit }
    }

    /// The environment as far as it has run, and what the model shows in the cycle that follows.
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
            if self.model.step(inputs) {
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
