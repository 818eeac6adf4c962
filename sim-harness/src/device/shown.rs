//! A model, and the row that it shows.

use lwp_model::Unit;
use std::fmt;

/// A unit of the harness: its model, and how the row that it shows is kept up to date.
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

    /// What it shows in the present cycle.
    fn row(&self) -> &[u32];

    /// Back to the state after reset.
    fn reset(&mut self);

    /// One cycle. `false`: the outputs are what they were.
    fn step(&mut self, inputs: &U::Inputs) -> bool;

    /// The same with inputs that are a row. The reset in it is the caller's affair.
    fn step_row(&mut self, row: &[u32]) -> bool;
}

/// A model whose whole row is packed in every cycle.
#[derive(Clone)]
pub struct PackedRow<U> {
    unit: U,
    row: Vec<u32>,
}

impl<U: Unit> PackedRow<U> {
    #[inline]
    fn pack(&mut self) {
        U::pack_expected(self.unit.state(), self.unit.config(), &mut self.row);
    }
}

impl<U: Unit> Shown<U> for PackedRow<U> {
    fn new(unit: U) -> Self {
        let mut shown = Self { unit, row: vec![0; U::OUTPUT_WORDS] };
        shown.pack();
        shown
    }

    fn unit(&self) -> &U {
        &self.unit
    }

    #[inline]
    fn row(&self) -> &[u32] {
        &self.row
    }

    fn reset(&mut self) {
        self.unit.reset();
        self.pack();
    }

    #[inline]
    fn step(&mut self, inputs: &U::Inputs) -> bool {
        self.unit.step(inputs);
        self.pack();
        true
    }

    #[inline]
    fn step_row(&mut self, row: &[u32]) -> bool {
        self.step(&U::unpack_inputs(row).0)
    }
}

impl<U> fmt::Debug for PackedRow<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackedRow").field("row", &self.row).finish_non_exhaustive()
    }
}
