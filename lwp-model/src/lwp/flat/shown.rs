//! A unit, and the row that it shows.

use super::digest::digest;
use super::expected::{OUT_WORDS, pack_counters, pack_expected};
use super::inputs::unpack_inputs;

use crate::lwp::skip::Bounds;
use crate::lwp::{Digest, Inputs, Lwp};
use core::borrow::Borrow;

/// A unit with its row of outputs and probe, kept up to date cycle by cycle.
///
/// In most cycles a unit does no more than count. Here that is found out once for all of them that follow each other, and only the
/// counters are packed: a fraction of what [`Lwp::step`] and [`pack_expected`] take.
#[derive(Clone, Debug)]
pub struct Shown<const W: usize, const S: usize, const LAT: u32> {
    unit: Lwp<W, S, LAT>,
    /// Of the cycles in which it only counted, since the last in which it did more.
    bounds: Option<Bounds>,
    row: [u32; OUT_WORDS],
}

impl<const W: usize, const S: usize, const LAT: u32> Shown<W, S, LAT> {
    /// The unit as it is.
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

    /// What it shows in the present cycle.
    #[must_use]
    pub const fn row(&self) -> &[u32; OUT_WORDS] {
        &self.row
    }

    /// Back to the state after reset.
    pub fn reset(&mut self) {
        self.unit.reset();
        self.changed();
    }

    /// [One cycle](Lwp::step). `false`: it did no more than count, so its outputs are what they were.
    #[inline]
    pub fn step(&mut self, inputs: &Inputs<W>) -> bool {
        self.cycle(Digest::of(inputs), || inputs)
    }

    /// The same with inputs that are a row, most words of which a cycle that only counts does not read. The reset in it is the
    /// caller's affair.
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
        if counted {
            pack_counters(self.unit.state(), self.unit.config(), &mut self.row);
        } else {
            self.unit.step(inputs().borrow());
            self.changed();
        }
        !counted
    }

    /// More has changed than counters.
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
        let mut by_rows = fresh();
        let mut shown = fresh();
        for (cycle, inputs) in [idle, Inputs { ctl: write, ..idle }, idle, idle, idle, idle].iter().enumerate() {
            let mut row = [0; in_words(1)];
            pack_inputs(inputs, true, &mut row);
            let more = shown.step(inputs);
            assert_eq!(by_rows.step_row(&row), more, "cycle {cycle}");
            // It takes until the fourth cycle; a unit at rest has nothing to show.
            assert_eq!(more, (1..4).contains(&cycle), "cycle {cycle}");
            let mut packed = [0; OUT_WORDS];
            pack_expected(shown.unit().state(), shown.unit().config(), &mut packed);
            assert_eq!((shown.row(), by_rows.row()), (&packed, &packed), "cycle {cycle}");
        }
        assert_eq!(shown.unit().state().session.msr0.into_bits(), 3);
        shown.reset();
        assert_eq!((shown.unit().state(), shown.row()), (fresh().unit().state(), fresh().row()));
    }
}
