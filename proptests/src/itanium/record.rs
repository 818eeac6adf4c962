//! The cases of this unit that are recorded.

use super::scenario::{Scenario, scenario};
use super::soak::case_scenario;
use crate::lockstep::recorded;
use crate::record::{Failed, Output, Runs, run, soak};
use crate::runner::draw;
use crate::soak::Case;
use lwp_model::itanium::Itanium;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Records the cases of `one_bundle_agrees` and `two_bundles_agree` with the same seeds, then those of the long run.
pub(super) fn record(to: &mut Output, runs: &Runs, done: &dyn Fn(u64)) -> Result<(), Failed> {
    let seeds = runs.seed..runs.seed + runs.cases;
    for seed in seeds.clone() {
        one::<1, 4>(to, ("one_bundle_agrees", seed), BuildId::ItaniumB1e4, &draw(seed, &scenario(super::STRETCHES)))?;
        done(1);
    }
    for seed in seeds {
        one::<2, 16>(to, ("two_bundles_agree", seed), BuildId::ItaniumB2e16, &draw(seed, &scenario(super::STRETCHES)))?;
        done(1);
    }
    soak(to, &super::Checks, runs, done, |to, case, build| {
        with_build!(itanium, build, |U| soaked(PhantomData::<U>, to, case, build)).expect("a build of this unit")
    })
}

fn soaked<const BUNDLES: usize, const ENTRIES: usize>(
    _: PhantomData<Itanium<BUNDLES, ENTRIES>>,
    to: &mut Output,
    case: &Case,
    build: BuildId,
) -> Result<(), Failed> {
    one::<BUNDLES, ENTRIES>(to, ("soak", case.number), build, &case_scenario(case))
}

fn one<const BUNDLES: usize, const ENTRIES: usize>(
    to: &mut Output,
    name: (&str, u64),
    build: BuildId,
    scenario: &Scenario<BUNDLES>,
) -> Result<(), Failed> {
    let recording = recorded::<Itanium<BUNDLES, ENTRIES>>(&scenario.straps, &scenario.cycles);
    run::<Itanium<BUNDLES, ENTRIES>>(to, name, build, &scenario.straps, &recording)
}
