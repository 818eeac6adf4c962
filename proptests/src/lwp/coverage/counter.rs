//! Cases of the coverage runs, steered to bins that earlier cases have seldom met.

use super::sampler::Sampler;
use crate::coverage::{Counter, Totals};
use crate::lwp::bench::play;
use crate::lwp::lockstep::{agree, case_words};
use crate::lwp::scenario::{Bias, Scenario, scenario_with};
use crate::lwp::steer::{self, Steer};
use crate::runner::{draw, shrink};
use lwp_model::lwp::Lwp;
use proptest::prelude::*;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;
use std::sync::Arc;

/// The largest number of operations of a scenario.
const OPERATIONS: usize = 400;

/// A counter that generates cases, runs them and counts.
#[derive(Debug)]
pub struct SteeredCounter {
    strategy: BoxedStrategy<Scenario>,
    sampler: Sampler,
}

impl SteeredCounter {
    /// Returns a counter with all counts zero; cases are generated as the property tests do, or steered by these
    /// counts.
    #[must_use]
    pub fn new(steer: Option<&Totals>) -> Self {
        let strategy = match steer {
            Some(totals) => steer::scenario(OPERATIONS, Arc::new(Steer::new(totals))),
            None => scenario_with(OPERATIONS, &Bias::default()),
        };
        Self { strategy, sampler: Sampler::new() }
    }

    /// Returns the scenario of a seed.
    #[must_use]
    pub fn scenario(&self, seed: u64) -> Scenario {
        draw(seed, &self.strategy)
    }
}

impl Counter for SteeredCounter {
    fn play(&mut self, seed: u64, build: BuildId, lockstep: bool) -> Result<(), String> {
        let scenario = self.scenario(seed);
        one(build, &scenario, lockstep, &mut self.sampler)
    }

    fn met(&self) -> Totals {
        self.sampler.totals()
    }

    fn counts(&self) -> &[u64] {
        self.sampler.counts()
    }

    fn explain(&self, seed: u64, build: BuildId, lockstep: bool) -> Option<String> {
        shrink(seed, &self.strategy, |scenario| one(build, scenario, lockstep, &mut Sampler::new()))
    }

    fn words(&self, seed: u64, build: BuildId) -> Vec<u32> {
        let scenario = self.scenario(seed);
        with_build!(lwp, build, |U| sized_words(PhantomData::<U>, &scenario)).expect("a build of this unit")
    }
}

/// Runs a scenario with the model in the sizes of a build, and with its RTL if the two are to be compared.
fn one(build: BuildId, scenario: &Scenario, lockstep: bool, sampler: &mut Sampler) -> Result<(), String> {
    with_build!(lwp, build, |U| sized(PhantomData::<U>, build, scenario, lockstep, sampler))
        .expect("a build of this unit")
}

fn sized<const W: usize, const S: usize, const LAT: u32>(
    _: PhantomData<Lwp<W, S, LAT>>,
    build: BuildId,
    scenario: &Scenario,
    lockstep: bool,
    sampler: &mut Sampler,
) -> Result<(), String> {
    let (recording, _) = play::<W, S, LAT>(scenario);
    sampler.run(&scenario.straps, LAT, &recording);
    if lockstep { agree(build, &scenario.straps, &recording) } else { Ok(()) }
}

fn sized_words<const W: usize, const S: usize, const LAT: u32>(
    _: PhantomData<Lwp<W, S, LAT>>,
    scenario: &Scenario,
) -> Vec<u32> {
    case_words(&scenario.straps, &play::<W, S, LAT>(scenario).0)
}
