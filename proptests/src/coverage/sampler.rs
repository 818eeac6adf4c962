//! Looks at the cycles of a run and counts.

use super::cover::Cover;
use super::families;
use super::layout::{Layout, MAX_AXES};
use super::moment::{History, Moment, Seen};
use crate::lwp::bench::{Cycle, Recording};
use crate::lwp::scenario::straps::FACTORS;
use lwp_model::lwp::Config;

/// The counters of all bins.
#[derive(Clone, Debug)]
pub(super) struct Bins {
    /// Offset and sizes of each cross, so that a hit costs no look-up.
    places: [(usize, [usize; MAX_AXES]); Cover::COUNT],
    counts: Vec<u64>,
}

impl Bins {
    fn new() -> Self {
        let layout = Layout::get();
        let places = core::array::from_fn(|at| (layout.crosses[at].offset, layout.crosses[at].sizes));
        Self { places, counts: vec![0; layout.total()] }
    }

    /// Counts one bin: a value on each axis of the cross.
    pub(super) fn hit<const N: usize>(&mut self, cover: Cover, values: [usize; N]) {
        let (offset, sizes) = &self.places[cover as usize];
        let mut index = 0;
        for (value, size) in values.iter().zip(sizes) {
            assert!(value < size, "{}: {values:?} outside its axes", cover.id());
            index = index * size + value;
        }
        self.counts[offset + index] += 1;
    }
}

/// Counts what runs meet. Everything it needs is allocated when it is made.
#[derive(Clone, Debug)]
pub struct Sampler {
    bins: Bins,
    strap_values: Vec<usize>,
    runs: u64,
    cycles: u64,
}

impl Default for Sampler {
    fn default() -> Self {
        Self::new()
    }
}

impl Sampler {
    /// Nothing counted.
    #[must_use]
    pub fn new() -> Self {
        Self { bins: Bins::new(), strap_values: Vec::with_capacity(FACTORS.len()), runs: 0, cycles: 0 }
    }

    /// Counts a run of a unit with these straps and so many latency bits, from power-up on.
    pub fn run<const W: usize>(&mut self, straps: &Config, latency_bits: u32, recording: &Recording<W>) {
        self.strap_values.clear();
        let mut first = 0;
        for factor in FACTORS {
            self.strap_values.push(first + (factor.level)(straps));
            first += factor.levels;
        }
        self.runs += 1;
        self.cycles += recording.cycles.len() as u64;
        families::sample_run(&self.strap_values, &mut self.bins);
        let mut history = History::default();
        let mut mode_before = recording.cycles.first().map(|cycle| cycle.inputs.mode);
        for pair in recording.cycles.windows(2) {
            self.cycle(straps, latency_bits, &pair[0], &pair[1], mode_before.unwrap_or_default(), &mut history);
            mode_before = Some(pair[0].inputs.mode);
        }
    }

    fn cycle<const W: usize>(
        &mut self,
        straps: &Config,
        latency_bits: u32,
        now: &Cycle<W>,
        next: &Cycle<W>,
        mode_before: lwp_model::lwp::Mode,
        history: &mut History,
    ) {
        if !now.rst_n {
            *history = History::default();
        } else if next.rst_n {
            let seen = Seen::of(&now.inputs);
            let moment = Moment::of(
                straps,
                &self.strap_values,
                latency_bits,
                seen,
                &now.state,
                &next.state,
                mode_before,
                history,
            );
            families::sample(&moment, &mut self.bins);
        } else {
            // The cycle before a reset: what it decides is never seen.
            families::sample_reset(&now.state, &mut self.bins);
        }
    }

    /// How often each bin was met, in the order of the layout.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.bins.counts
    }

    /// How often the bin of `cover` with these values was met.
    ///
    /// # Panics
    ///
    /// If a value is outside its axis.
    #[must_use]
    pub fn count<const N: usize>(&self, cover: Cover, values: [usize; N]) -> u64 {
        let mut alone = Bins { places: self.bins.places, counts: vec![0; self.bins.counts.len()] };
        alone.hit(cover, values);
        alone.counts.iter().position(|count| *count == 1).map_or(0, |place| self.bins.counts[place])
    }

    /// Runs counted.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Cycles counted.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.cycles
    }
}
