//! Counter of the plain cases of a unit: nothing is steered.

use super::{Bins, Counter, Layout, Totals};
use sim_harness::rtl::BuildId;
use std::fmt::Debug;

/// Plain cases of a unit, each by its seed and the build whose sizes it has.
pub trait PlainCases: Debug + Send {
    /// Returns the bins.
    fn layout(&self) -> &'static Layout;

    /// Runs a case on the model, and on the RTL if they are to be compared. Counts what the case meets, and returns its cycles.
    ///
    /// # Errors
    ///
    /// The first difference.
    fn run(&self, seed: u64, build: BuildId, lockstep: bool, bins: &mut Bins) -> Result<u64, String>;

    /// Runs a case again and shrinks it; `None` if it passes.
    fn explain(&self, seed: u64, build: BuildId, lockstep: bool) -> Option<String>;

    /// Returns the words of a case for the RTL that counts lines and toggles.
    fn words(&self, seed: u64, build: BuildId) -> Vec<u32>;
}

/// Runs plain cases and counts.
#[derive(Clone, Debug)]
pub struct PlainCounter<C> {
    cases: C,
    bins: Bins,
    runs: u64,
    cycles: u64,
}

impl<C: PlainCases> PlainCounter<C> {
    /// Nothing counted.
    #[must_use]
    pub fn new(cases: C) -> Self {
        Self { bins: Bins::new(cases.layout()), cases, runs: 0, cycles: 0 }
    }
}

impl<C: PlainCases> Counter for PlainCounter<C> {
    fn play(&mut self, seed: u64, build: BuildId, lockstep: bool) -> Result<(), String> {
        self.runs += 1;
        self.cycles += self.cases.run(seed, build, lockstep, &mut self.bins)?;
        Ok(())
    }

    fn met(&self) -> Totals {
        self.bins.totals(self.runs, self.cycles)
    }

    fn counts(&self) -> &[u64] {
        self.bins.counts()
    }

    fn explain(&self, seed: u64, build: BuildId, lockstep: bool) -> Option<String> {
        self.cases.explain(seed, build, lockstep)
    }

    fn words(&self, seed: u64, build: BuildId) -> Vec<u32> {
        self.cases.words(seed, build)
    }
}
