//! Cases of the coverage runs: plain ones.

use super::{layout, sample};
use crate::coverage::{Bins, Counter, Totals};
use crate::lockstep::{agree, recorded};
use crate::runner::{draw, shrink};
use crate::tsc::scenario::{Scenario, scenario};
use crate::tsc::straps::PAIRWISE;
use lwp_model::tsc::Tsc;
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most.
const STRETCHES: usize = 100;

/// Draws, plays and counts.
#[derive(Clone, Debug)]
pub struct PlainCounter {
    bins: Bins,
    runs: u64,
    cycles: u64,
}

impl Default for PlainCounter {
    fn default() -> Self {
        Self::new()
    }
}

impl PlainCounter {
    /// Nothing counted.
    #[must_use]
    pub fn new() -> Self {
        Self { bins: Bins::new(layout()), runs: 0, cycles: 0 }
    }
}

impl Counter for PlainCounter {
    fn play(&mut self, seed: u64, build: BuildId, lockstep: bool) -> Result<(), String> {
        let scenario = case(seed);
        self.runs += 1;
        self.cycles += scenario.cycles.len() as u64;
        one(build, &scenario, lockstep, &mut self.bins)
    }

    fn met(&self) -> Totals {
        self.bins.totals(self.runs, self.cycles)
    }

    fn counts(&self) -> &[u64] {
        self.bins.counts()
    }

    fn explain(&self, seed: u64, build: BuildId, lockstep: bool) -> Option<String> {
        shrink(seed, &scenario(STRETCHES), |drawn| {
            one(build, &paired(seed, drawn.clone()), lockstep, &mut Bins::new(layout()))
        })
    }

    fn words(&self, seed: u64, build: BuildId) -> Vec<u32> {
        let scenario = case(seed);
        with_build!(tsc, build, |U| recorded::<U>(&scenario.straps, &scenario.cycles).case_words::<U>(&scenario.straps))
            .expect("a build of this unit")
    }
}

/// The case of a seed.
fn case(seed: u64) -> Scenario {
    paired(seed, draw(seed, &scenario(STRETCHES)))
}

/// Every other case has straps from the set in which every two values meet: small ratios are rare among those that are drawn.
fn paired(seed: u64, scenario: Scenario) -> Scenario {
    let (sets, _) = &*PAIRWISE;
    let straps = if seed.is_multiple_of(2) { sets[(seed / 2) as usize % sets.len()] } else { scenario.straps };
    Scenario { straps, ..scenario }
}

/// Plays a scenario on the model with the sizes of a build, and on its RTL if they are to be compared.
fn one(build: BuildId, scenario: &Scenario, lockstep: bool, bins: &mut Bins) -> Result<(), String> {
    with_build!(tsc, build, |U| sized(PhantomData::<U>, build, scenario, lockstep, bins)).expect("a build of this unit")
}

fn sized<const LP: usize>(
    _: PhantomData<Tsc<LP>>,
    build: BuildId,
    scenario: &Scenario,
    lockstep: bool,
    bins: &mut Bins,
) -> Result<(), String> {
    let recording = recorded::<Tsc<LP>>(&scenario.straps, &scenario.cycles);
    sample(&scenario.straps, &recording, bins);
    if lockstep { agree::<Tsc<LP>>(build, Flavour::Fast, &scenario.straps, &recording) } else { Ok(()) }
}
