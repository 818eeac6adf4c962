//! The cases of the long run.

use super::Build;
use super::scenario::{Scenario, scenario, under};
use super::straps::{FACTORS, PAIRWISE, fitted};
use crate::lockstep::recorded;
use crate::runner::{draw, shrink};
use crate::soak::{Case, Outcome};
use crate::straps::pairs;
use crate::unit::soaked;
use proptest::strategy::{BoxedStrategy, Strategy};
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most.
const STRETCHES: usize = 150;

/// Runs a case.
pub(super) fn play_case(case: &Case, build: BuildId) -> Result<Outcome, String> {
    with_build!(rdt, build, |U| sized(PhantomData::<U>, case, build)).expect("a build of this unit")
}

/// Runs a case again and shrinks it.
pub(super) fn explain(case: &Case, build: BuildId) -> Option<String> {
    with_build!(rdt, build, |U| explained(PhantomData::<U>, case, build)).expect("a build of this unit")
}

/// Returns the scenario of a case.
pub(super) fn case_scenario<U: Build<LP>, const LP: usize>(case: &Case) -> Scenario<LP> {
    draw(case.mixed(), &strategy::<U, LP>(case))
}

/// Scenarios under the straps whose turn it is, or under any.
fn strategy<U: Build<LP>, const LP: usize>(case: &Case) -> BoxedStrategy<Scenario<LP>> {
    match case.paired(&PAIRWISE.0) {
        Some(straps) => under(fitted(*straps, U::SIZES), STRETCHES).boxed(),
        None => scenario(U::SIZES, STRETCHES).boxed(),
    }
}

fn sized<U: Build<LP>, const LP: usize>(_: PhantomData<U>, case: &Case, build: BuildId) -> Result<Outcome, String> {
    lockstep::<U, LP>(case, build, &case_scenario::<U, LP>(case))
}

fn explained<U: Build<LP>, const LP: usize>(_: PhantomData<U>, case: &Case, build: BuildId) -> Option<String> {
    shrink(case.mixed(), &strategy::<U, LP>(case), |drawn| lockstep::<U, LP>(case, build, drawn).map(|_| ()))
}

fn lockstep<U: Build<LP>, const LP: usize>(
    case: &Case,
    build: BuildId,
    scenario: &Scenario<LP>,
) -> Result<Outcome, String> {
    let recording = recorded::<U>(&scenario.straps, &scenario.cycles);
    soaked::<U>(case, build, &scenario.straps, &recording, pairs(&FACTORS, &scenario.straps))
}
