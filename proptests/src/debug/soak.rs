//! The cases of the long run.

use super::scenario::{Scenario, long_scenario, scenario};
use super::straps::{FACTORS, PAIRWISE};
use crate::lockstep::recorded;
use crate::runner::{draw, shrink};
use crate::soak::{Case, Outcome};
use crate::straps::pairs;
use crate::unit::soaked;
use lwp_model::debug::DebugUnit;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most.
const STRETCHES: usize = 200;
/// Further orders in which the stretches are played.
const ORDERS: usize = 31;

/// Runs a case.
pub(super) fn play_case(case: &Case, build: BuildId) -> Result<Outcome, String> {
    with_build!(debug, build, |U| sized(PhantomData::<U>, case, build)).expect("a build of this unit")
}

/// Runs a case again and shrinks it.
pub(super) fn explain(case: &Case, build: BuildId) -> Option<String> {
    with_build!(debug, build, |U| explained(PhantomData::<U>, case, build)).expect("a build of this unit")
}

/// Returns what happens in a case in the first order of its stretches, which is enough for what only replays it.
pub(super) fn case_scenario<const LANES: usize>(case: &Case) -> Scenario<LANES> {
    with_straps(case, draw(case.mixed(), &scenario(STRETCHES)))
}

fn with_straps<const LANES: usize>(case: &Case, scenario: Scenario<LANES>) -> Scenario<LANES> {
    let straps = case.straps(&PAIRWISE.0, scenario.straps);
    Scenario { straps, ..scenario }
}

fn sized<const LANES: usize, const ACCESSES: usize>(
    _: PhantomData<DebugUnit<LANES, ACCESSES>>,
    case: &Case,
    build: BuildId,
) -> Result<Outcome, String> {
    let drawn = draw(case.mixed(), &long_scenario(STRETCHES, ORDERS));
    lockstep::<LANES, ACCESSES>(case, build, &with_straps(case, drawn))
}

fn explained<const LANES: usize, const ACCESSES: usize>(
    _: PhantomData<DebugUnit<LANES, ACCESSES>>,
    case: &Case,
    build: BuildId,
) -> Option<String> {
    shrink(case.mixed(), &long_scenario::<LANES>(STRETCHES, ORDERS), |drawn| {
        lockstep::<LANES, ACCESSES>(case, build, &with_straps(case, drawn.clone())).map(|_| ())
    })
}

fn lockstep<const LANES: usize, const ACCESSES: usize>(
    case: &Case,
    build: BuildId,
    scenario: &Scenario<LANES>,
) -> Result<Outcome, String> {
    let recording = recorded::<DebugUnit<LANES, ACCESSES>>(&scenario.straps, &scenario.cycles);
    soaked::<DebugUnit<LANES, ACCESSES>>(case, build, &scenario.straps, &recording, pairs(&FACTORS, &scenario.straps))
}
