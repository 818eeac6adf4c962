//! A sampler of the cycles of a run.

use super::cover::Cover;
use super::moment::{History, Moment, Seen};
use super::{families, layout};
use crate::coverage::{Bins, Totals};
use crate::lwp::bench::{Cycle, Recording};
use crate::lwp::scenario::straps::FACTORS;
use lwp_model::lwp::Config;

/// A sampler that counts what runs meet. It allocates all its memory when it is made.
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
    /// Returns a sampler with all counts zero.
    #[must_use]
    pub fn new() -> Self {
        Self { bins: Bins::new(layout()), strap_values: Vec::with_capacity(FACTORS.len()), runs: 0, cycles: 0 }
    }

    /// Counts a run, from power-up on, of a unit with these straps and this number of latency bits.
    pub fn run<const W: usize>(&mut self, straps: &Config, latency_bits: u32, recording: &Recording<W>) {
        self.strap_values.clear();
        let mut first = 0;
        for factor in FACTORS.iter() {
            self.strap_values.push(first + factor.level(straps));
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
            // The effects of the cycle before a reset are never visible.
            families::sample_reset(&now.state, &mut self.bins);
        }
    }

    /// Returns the count of each bin, in the order of the layout.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        self.bins.counts()
    }

    /// Returns the count of the bin of `cover` with these values.
    ///
    /// # Panics
    ///
    /// Panics if a value is outside its axis.
    #[must_use]
    pub fn count<const N: usize>(&self, cover: Cover, values: [usize; N]) -> u64 {
        self.bins.count(cover, values)
    }

    /// Returns the number of runs counted.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Returns the number of cycles counted.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Returns all counts.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.bins.totals(self.runs, self.cycles)
    }
}
