//! Counters of all bins.

use super::layout::{Layout, MAX_AXES};
use super::totals::Totals;

/// Counters of all bins of a unit, and the number of runs and cycles that were counted.
#[derive(Clone, Debug)]
pub struct Bins {
    layout: &'static Layout,
    /// Offset and sizes of each cross, so that a hit costs little.
    places: Vec<(usize, [usize; MAX_AXES])>,
    counts: Vec<u64>,
}

impl Bins {
    /// Returns counters that are all zero.
    #[must_use]
    pub fn new(layout: &'static Layout) -> Self {
        let places = layout.crosses.iter().map(|cross| (cross.offset, cross.sizes)).collect();
        Self { layout, places, counts: vec![0; layout.total()] }
    }

    /// Counts one bin: a value on each axis of the cross with this number.
    ///
    /// # Panics
    ///
    /// If a value is outside its axis.
    pub fn hit<const N: usize>(&mut self, cross: impl Into<usize>, values: [usize; N]) {
        let cross = cross.into();
        let (offset, sizes) = &self.places[cross];
        let mut index = 0;
        for (value, size) in values.iter().zip(sizes) {
            assert!(value < size, "{}: {values:?} outside its axes", self.layout.crosses[cross].id);
            index = index * size + value;
        }
        self.counts[offset + index] += 1;
    }

    /// Returns the count of each bin, in the order of the layout.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the count of the bin of a cross with these values.
    ///
    /// # Panics
    ///
    /// If a value is outside its axis.
    #[must_use]
    pub fn count<const N: usize>(&self, cross: impl Into<usize>, values: [usize; N]) -> u64 {
        let mut alone = Self::new(self.layout);
        alone.hit(cross, values);
        alone.counts.iter().position(|count| *count == 1).map_or(0, |place| self.counts[place])
    }

    /// The counts of so many runs and cycles.
    #[must_use]
    pub fn totals(&self, runs: u64, cycles: u64) -> Totals {
        Totals { layout: self.layout, runs, cycles, counts: self.counts.clone() }
    }
}
