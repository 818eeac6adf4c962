//! Models together with the rows that they show.

use lwp_model::Unit;
use std::fmt;

/// Model of a unit, with a type that updates the row that it shows.
pub trait Shows: Unit {
    /// Model with its row. [`PackedRow`] works for every unit.
    type Shown: Shown<Self>;
}

/// Model with its row of outputs and registers, which is updated in each cycle.
pub trait Shown<U: Unit>: Send {
    /// Wraps a unit in its present state.
    fn new(unit: U) -> Self;

    /// Returns the unit.
    fn unit(&self) -> &U;

    /// Returns the row of outputs and registers of the present cycle.
    fn row(&self) -> &[u32];

    /// Returns to the state after reset.
    fn reset(&mut self);

    /// Steps one cycle. Returns `false` if the outputs are unchanged.
    fn step(&mut self, inputs: &U::Inputs) -> bool;

    /// Steps one cycle with the inputs of a row, and returns what [`step`](Self::step) returns. The reset in the row is ignored.
    fn step_row(&mut self, row: &[u32]) -> bool;
}

/// Model whose whole row is packed in every cycle.
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
