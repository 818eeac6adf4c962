//! The cases of this unit that are recorded.

use super::scenario::{Scenario, scenario};
use super::soak::case_scenario;
use crate::lockstep::recorded;
use crate::record::{Failed, Output, Runs, run, soak};
use crate::runner::draw;
use crate::soak::Case;
use lwp_model::trace::TraceUnit;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Records the cases of `one_lane_agrees` and `four_lanes_agree` with the same seeds, then those of the long run.
pub(super) fn record(to: &mut Output, runs: &Runs, done: &dyn Fn(u64)) -> Result<(), Failed> {
    for seed in runs.seed..runs.seed + runs.cases {
        one::<1, 4>(to, ("one_lane_agrees", seed), BuildId::TraceL1s4, &draw(seed, &scenario(4, super::STRETCHES)))?;
        done(1);
    }
    for seed in runs.seed..runs.seed + runs.cases {
        one::<4, 32>(
            to,
            ("four_lanes_agree", seed),
            BuildId::TraceL4s32,
            &draw(seed, &scenario(32, super::STRETCHES)),
        )?;
        done(1);
    }
    soak(to, &super::Checks, runs, done, |to, case, build| {
        with_build!(trace, build, |U| soaked(PhantomData::<U>, to, case, build)).expect("a build of this unit")
    })
}

fn soaked<const LANES: usize, const ENTRIES: usize>(
    _: PhantomData<TraceUnit<LANES, ENTRIES>>,
    to: &mut Output,
    case: &Case,
    build: BuildId,
) -> Result<(), Failed> {
    one::<LANES, ENTRIES>(to, ("soak", case.number), build, &case_scenario::<LANES, ENTRIES>(case))
}

fn one<const LANES: usize, const ENTRIES: usize>(
    to: &mut Output,
    name: (&str, u64),
    build: BuildId,
    scenario: &Scenario<LANES>,
) -> Result<(), Failed> {
    let recording = recorded::<TraceUnit<LANES, ENTRIES>>(&scenario.straps, &scenario.cycles);
    run::<TraceUnit<LANES, ENTRIES>>(to, name, build, &scenario.straps, &recording)
}
