//! The cases of this unit that are recorded.

use super::scenario::{Scenario, scenario};
use super::soak::case_scenario;
use super::{Build, Large, Small};
use crate::lockstep::recorded;
use crate::record::{Failed, Output, Runs, run, soak};
use crate::runner::draw;
use crate::soak::Case;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Records the cases of `the_small_build_agrees` and `the_large_build_agrees` with the same seeds, then those of the long run.
pub(super) fn record(to: &mut Output, runs: &Runs, done: &dyn Fn(u64)) -> Result<(), Failed> {
    family::<Small, 2>(to, "the_small_build_agrees", BuildId::RdtS8w4, runs, done)?;
    family::<Large, 4>(to, "the_large_build_agrees", BuildId::RdtS64w16, runs, done)?;
    soak(to, &super::Checks, runs, done, |to, case, build| {
        with_build!(rdt, build, |U| soaked(PhantomData::<U>, to, case, build)).expect("a build of this unit")
    })
}

fn family<U: Build<LP>, const LP: usize>(
    to: &mut Output,
    name: &str,
    build: BuildId,
    runs: &Runs,
    done: &dyn Fn(u64),
) -> Result<(), Failed> {
    let strategy = scenario::<LP>(U::SIZES, super::STRETCHES);
    for seed in runs.seed..runs.seed + runs.cases {
        one::<U, LP>(to, (name, seed), build, &draw(seed, &strategy))?;
        done(1);
    }
    Ok(())
}

fn soaked<U: Build<LP>, const LP: usize>(
    _: PhantomData<U>,
    to: &mut Output,
    case: &Case,
    build: BuildId,
) -> Result<(), Failed> {
    one::<U, LP>(to, ("soak", case.number), build, &case_scenario::<U, LP>(case))
}

fn one<U: Build<LP>, const LP: usize>(
    to: &mut Output,
    name: (&str, u64),
    build: BuildId,
    scenario: &Scenario<LP>,
) -> Result<(), Failed> {
    let recording = recorded::<U>(&scenario.straps, &scenario.cycles);
    run::<U>(to, name, build, &scenario.straps, &recording)
}
