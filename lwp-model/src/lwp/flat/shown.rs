//! A unit, and the row that it shows.

use super::expected::{OUT_WORDS, pack_counters, pack_expected};
use super::read_inputs::{digest, unpack_inputs};
use crate::lwp::skip::Bounds;
use crate::lwp::{Digest, Inputs, Lwp};

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
        let more = !self.unit.step_counting(&mut self.bounds, Digest::of(inputs), || inputs);
        if more {
            self.unit.step(inputs);
            self.changed();
        } else {
            pack_counters(self.unit.state(), self.unit.config(), &mut self.row);
        }
        more
    }

    /// The same with inputs that are a row, most words of which a cycle that only counts does not read. The reset in it is the
    /// caller's affair.
    ///
    /// # Panics
    ///
    /// If `row` is not [`in_words`](super::in_words) long.
    #[inline]
    pub fn step_row(&mut self, row: &[u32]) -> bool {
        let inputs = || unpack_inputs(row).0;
        let more = !self.unit.step_counting(&mut self.bounds, digest::<W>(row), inputs);
        if more {
            self.unit.step(&inputs());
            self.changed();
        } else {
            pack_counters(self.unit.state(), self.unit.config(), &mut self.row);
        }
        more
    }

    /// More has changed than counters.
    fn changed(&mut self) {
        self.bounds = None;
        pack_expected(self.unit.state(), self.unit.config(), &mut self.row);
    }
}
