//! A unit that remembers its inputs.

use lwp_model::Moore;

/// A unit with all inputs since reset, so that another one can be stepped with the same.
#[derive(Debug)]
pub struct Recorded<D: Moore> {
    device: D,
    inputs: Vec<D::Inputs>,
}

impl<D: Moore> Recorded<D> {
    /// Wraps a unit after reset.
    #[must_use]
    pub const fn new(device: D) -> Self {
        Self { device, inputs: Vec::new() }
    }

    /// The inputs of each cycle.
    #[must_use]
    pub fn into_inputs(self) -> Vec<D::Inputs> {
        self.inputs
    }
}

impl<D: Moore> Moore for Recorded<D> {
    type Inputs = D::Inputs;
    type Outputs = D::Outputs;

    fn outputs(&self) -> D::Outputs {
        self.device.outputs()
    }

    fn step(&mut self, inputs: &D::Inputs) {
        self.inputs.push(inputs.clone());
        self.device.step(inputs);
    }
}
