//! A model, and the row that it shows.

use lwp_model::Unit;

/// A unit of the harness: its model, and how the row that it shows is made.
pub trait Shows: Unit {
    /// The model with its row. [`PackedRow`] serves every unit.
    type Shown: Shown<Self>;
}

/// A model with its row of outputs and registers, cycle by cycle.
pub trait Shown<U: Unit>: Send {
    /// The unit as it is.
    fn new(unit: U) -> Self;

    /// The unit.
    fn unit(&self) -> &U;

    /// Writes what it shows in the present cycle.
    fn write(&self, row: &mut [u32]);

    /// Back to the state after reset.
    fn reset(&mut self);

    /// Steps one cycle with `inputs`, which are also packed in `row`: either may be read. Returns `false` if the outputs are
    /// unchanged.
    fn step(&mut self, inputs: &U::Inputs, row: &[u32]) -> bool;

    /// The same with inputs that are a row. The reset in it is the caller's affair.
    fn step_row(&mut self, row: &[u32]) -> bool;
}

/// A model whose whole row is packed in every cycle, into its place.
#[derive(Clone, Debug)]
pub struct PackedRow<U: Unit> {
    unit: U,
    /// Inputs of the last row that was read.
    inputs: U::Inputs,
}

impl<U: Unit> Shown<U> for PackedRow<U> {
    fn new(unit: U) -> Self {
        Self { unit, inputs: U::Inputs::default() }
    }

    #[inline]
    fn unit(&self) -> &U {
        &self.unit
    }

    #[inline]
    fn write(&self, row: &mut [u32]) {
        U::pack_expected(self.unit.state(), self.unit.config(), row);
    }

    fn reset(&mut self) {
        self.unit.reset();
    }

    #[inline]
    fn step(&mut self, inputs: &U::Inputs, _row: &[u32]) -> bool {
        self.unit.step(inputs);
        true
    }

    #[inline]
    fn step_row(&mut self, row: &[u32]) -> bool {
        U::read_inputs(row, &mut self.inputs);
        self.unit.step(&self.inputs);
        true
    }
}
