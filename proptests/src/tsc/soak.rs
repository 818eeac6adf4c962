//! The cases of the long run.

use super::scenario::{Scenario, scenario};
use super::straps::{FACTORS, PAIRWISE};
use crate::lockstep::recorded;
use crate::runner::{draw, shrink};
use crate::soak::{Case, Outcome};
use crate::straps::pairs;
use crate::unit::soaked;
use lwp_model::Unit;
use lwp_model::tsc::{Config, Inputs};
use sim_harness::rtl::BuildId;
use sim_harness::with_build;

/// The largest number of stretches of a scenario.
const STRETCHES: usize = 200;

/// Runs a case.
pub(super) fn play_case(case: &Case, build: BuildId) -> Result<Outcome, String> {
    lockstep(case, build, &case_scenario(case))
}

/// Returns the scenario of a case.
pub(super) fn case_scenario(case: &Case) -> Scenario {
    with_straps(case, draw(case.mixed(), &scenario(STRETCHES)))
}

/// Runs a case again and shrinks it.
pub(super) fn explain(case: &Case, build: BuildId) -> Option<String> {
    shrink(case.mixed(), &scenario(STRETCHES), |drawn| {
        lockstep(case, build, &with_straps(case, drawn.clone())).map(|_| ())
    })
}

fn with_straps(case: &Case, scenario: Scenario) -> Scenario {
    let straps = case.straps(&PAIRWISE.0, scenario.straps);
    Scenario { straps, ..scenario }
}

fn lockstep(case: &Case, build: BuildId, scenario: &Scenario) -> Result<Outcome, String> {
    with_build!(tsc, build, |U| sized::<U>(case, build, scenario)).expect("a build of this unit")
}

fn sized<U: Unit<Config = Config, Inputs = Inputs>>(
    case: &Case,
    build: BuildId,
    scenario: &Scenario,
) -> Result<Outcome, String> {
    let recording = recorded::<U>(&scenario.straps, &scenario.cycles);
    soaked::<U>(case, build, &scenario.straps, &recording, pairs(&FACTORS, &scenario.straps))
}
