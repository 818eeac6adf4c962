//! The cases of this unit that are recorded.

use super::scenario::{Scenario, scenario};
use super::soak::case_scenario;
use crate::lockstep::recorded;
use crate::record::{Failed, Output, Runs, run, soak};
use crate::runner::draw;
use lwp_model::Unit;
use lwp_model::tsc::{Config, Inputs};
use sim_harness::rtl::BuildId;
use sim_harness::with_build;

/// The largest number of stretches of a scenario.
const STRETCHES: usize = 50;

/// Records the cases of `one_processor_agrees` and `four_processors_agree` with the same seeds, then those of the long
/// run.
pub(super) fn record(to: &mut Output, runs: &Runs, done: &dyn Fn(u64)) -> Result<(), Failed> {
    let families = [("one_processor_agrees", BuildId::TscLp1), ("four_processors_agree", BuildId::TscLp4)];
    for (name, build) in families {
        for seed in runs.seed..runs.seed + runs.cases {
            one(to, (name, seed), build, &draw(seed, &scenario(STRETCHES)))?;
            done(1);
        }
    }
    soak(to, &super::Checks, runs, done, |to, case, build| one(to, ("soak", case.number), build, &case_scenario(case)))
}

fn one(to: &mut Output, name: (&str, u64), build: BuildId, scenario: &Scenario) -> Result<(), Failed> {
    with_build!(tsc, build, |U| sized::<U>(to, name, build, scenario)).expect("a build of this unit")
}

fn sized<U: Unit<Config = Config, Inputs = Inputs>>(
    to: &mut Output,
    name: (&str, u64),
    build: BuildId,
    scenario: &Scenario,
) -> Result<(), Failed> {
    let recording = recorded::<U>(&scenario.straps, &scenario.cycles);
    run::<U>(to, name, build, &scenario.straps, &recording)
}
