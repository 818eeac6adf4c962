//! A unit together with the row that it shows.

use super::digest::digest;
use super::expected::{OUT_WORDS, pack_counters, pack_expected};
use super::inputs::unpack_inputs;

use crate::lwp::skip::Bounds;
use crate::lwp::{Digest, Inputs, Lwp};
use core::borrow::Borrow;

/// A unit with its row of outputs and probe, which is updated in each cycle.
///
/// In most cycles a unit only counts. This type checks that once for each run of counting cycles, and packs only the counters in
/// them, which is faster than [`Lwp::step`] and [`pack_expected`]. The counters are stored into a copy of the row: a store into the
/// row itself would delay the copy of the next cycle, whose wide loads cannot take single words out of the store buffer.
#[derive(Clone, Debug)]
pub struct Shown<const W: usize, const S: usize, const LAT: u32> {
    unit: Lwp<W, S, LAT>,
    /// Bounds of the present run of counting cycles; `None` if the last cycle did more than count.
    bounds: Option<Bounds>,
    /// Row behind the last cycle that did more than count.
    row: [u32; OUT_WORDS],
}

impl<const W: usize, const S: usize, const LAT: u32> Shown<W, S, LAT> {
    /// Wraps a unit in its present state.
    #[must_use]
    pub fn new(unit: Lwp<W, S, LAT>) -> Self {
        let mut row = [0; OUT_WORDS];
        pack_expected(unit.state(), unit.config(), &mut row);
        Self { unit, bounds: None, row }
    }

    /// The unit.
    #[must_use]
    pub const fn unit(&self) -> &Lwp<W, S, LAT> {
        &self.unit
    }

    /// Returns the row of outputs and probe of the present cycle.
    #[must_use]
    pub fn row(&self) -> [u32; OUT_WORDS] {
        let mut row = [0; OUT_WORDS];
        self.write(&mut row);
        row
    }

    /// Writes the row of outputs and probe of the present cycle.
    ///
    /// # Panics
    ///
    /// If `row` is not [`OUT_WORDS`] long.
    #[inline]
    pub fn write(&self, row: &mut [u32]) {
        let row: &mut [u32; OUT_WORDS] = row.try_into().expect("a row of outputs and probe");
        *row = self.row;
        if self.bounds.is_some() {
            pack_counters(self.unit.state(), self.unit.config(), row);
        }
    }

    /// Returns to the state after reset.
    pub fn reset(&mut self) {
        self.unit.reset();
        self.changed();
    }

    /// [Steps](Lwp::step) one cycle. Returns `false` if the unit only counted, so that its outputs are unchanged.
    #[inline]
    pub fn step(&mut self, inputs: &Inputs<W>) -> bool {
        self.cycle(Digest::of(inputs), || inputs)
    }

    /// Steps one cycle with `inputs`, of which `row` is the packed row, and returns what [`step`](Self::step) returns. Faster than both
    /// other ways: a cycle that only counts reads few words of the row, and no other cycle has to unpack it.
    ///
    /// # Panics
    ///
    /// If `row` is not [`in_words`](super::in_words) long.
    #[inline]
    pub fn step_packed(&mut self, inputs: &Inputs<W>, row: &[u32]) -> bool {
        self.cycle(digest::<W>(row), || inputs)
    }

    /// Steps one cycle with the inputs of a row, and returns what [`step`](Self::step) returns. A cycle that only counts reads few words of
    /// the row. The reset in the row is ignored.
    ///
    /// # Panics
    ///
    /// If `row` is not [`in_words`](super::in_words) long.
    #[inline]
    pub fn step_row(&mut self, row: &[u32]) -> bool {
        self.cycle(digest::<W>(row), || unpack_inputs(row).0)
    }

    #[inline]
    fn cycle<I: Borrow<Inputs<W>>>(&mut self, digest: Digest, inputs: impl Fn() -> I) -> bool {
        let counted = self.unit.step_counting(&mut self.bounds, digest, &inputs);
        if !counted {
            self.unit.step(inputs().borrow());
            self.changed();
        }
        !counted
    }

    /// Packs the whole row: more registers have changed than counters.
    fn changed(&mut self) {
        self.bounds = None;
        pack_expected(self.unit.state(), self.unit.config(), &mut self.row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::{in_words, pack_inputs};
    use crate::lwp::{Config, Control, CtlOp};

    fn fresh() -> Shown<1, 3, 10> {
        Shown::new(Lwp::new(Config::default()).expect("default straps are legal"))
    }

    // Nothing retires, then LWPMSR0 is written, in as many cycles as the operation has; then reset.
    #[test]
    fn the_row_follows_the_unit() {
        let idle = Inputs::<1>::default();
        let write = Control { valid: true, op: CtlOp::WriteMsr0, wdata: 3, ..Control::default() };
        let mut shown = fresh();
        let (mut by_rows, mut by_both) = (fresh(), fresh());
        for (cycle, inputs) in [idle, Inputs { ctl: write, ..idle }, idle, idle, idle, idle].iter().enumerate() {
            let mut row = [0; in_words(1)];
            pack_inputs(inputs, true, &mut row);
            let more = shown.step(inputs);
            assert_eq!(by_rows.step_row(&row), more, "cycle {cycle}");
            assert_eq!(by_both.step_packed(inputs, &row), more, "cycle {cycle}");
            // It takes until the fourth cycle; a unit at rest has nothing to show.
            assert_eq!(more, (1..4).contains(&cycle), "cycle {cycle}");
            let mut packed = [0; OUT_WORDS];
            pack_expected(shown.unit().state(), shown.unit().config(), &mut packed);
            let rows = [shown.row(), by_rows.row(), by_both.row()];
            assert_eq!(rows, [packed; 3], "cycle {cycle}");
        }
        assert_eq!(shown.unit().state().session.msr0.into_bits(), 3);
        shown.reset();
        assert_eq!((shown.unit().state(), shown.row()), (fresh().unit().state(), fresh().row()));
    }
}
