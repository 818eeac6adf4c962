//! The cases of the long run.

use super::bench::play;
use super::scenario::straps::{FACTORS, pairwise};
use super::scenario::{Scenario, scenario};
use super::steer;
use crate::runner::{draw, shrink};
use crate::soak::{Case, Outcome};
use crate::straps::{Coverage, pairs};
use crate::unit::soaked;
use lwp_model::lwp::{Config, Lwp};
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;
use std::sync::LazyLock;

/// The largest number of operations of a scenario.
const OPERATIONS: usize = 400;

/// Straps in which every two values meet, and the pairs; every other case takes its straps from here.
static PAIRWISE: LazyLock<(Vec<Config>, Coverage)> = LazyLock::new(pairwise);

/// Returns the pairs of strap values that can meet.
pub(super) fn strap_pairs() -> &'static Coverage {
    &PAIRWISE.1
}

/// Returns the scenario of a case.
#[must_use]
pub fn case_scenario(case: &Case) -> Scenario {
    with_straps(case, draw(case.mixed(), &scenario(OPERATIONS)))
}

fn with_straps(case: &Case, scenario: Scenario) -> Scenario {
    // A steered case has the straps that its target needs.
    let steered = steer::from_environment().is_some();
    let straps = if steered { scenario.straps } else { case.straps(&PAIRWISE.0, scenario.straps) };
    Scenario { straps, ..scenario }
}

/// Runs a case.
pub(super) fn play_case(case: &Case, build: BuildId) -> Result<Outcome, String> {
    lockstep(case, build, &case_scenario(case))
}

/// Runs a case again and shrinks it.
pub(super) fn explain(case: &Case, build: BuildId) -> Option<String> {
    shrink(case.mixed(), &scenario(OPERATIONS), |drawn| {
        lockstep(case, build, &with_straps(case, drawn.clone())).map(|_| ())
    })
}

fn lockstep(case: &Case, build: BuildId, scenario: &Scenario) -> Result<Outcome, String> {
    with_build!(lwp, build, |U| sized(PhantomData::<U>, case, build, scenario)).expect("a build of this unit")
}

fn sized<const W: usize, const S: usize, const LAT: u32>(
    _: PhantomData<Lwp<W, S, LAT>>,
    case: &Case,
    build: BuildId,
    scenario: &Scenario,
) -> Result<Outcome, String> {
    let (recording, _) = play::<W, S, LAT>(scenario);
    soaked::<Lwp<W, S, LAT>>(case, build, &scenario.straps, &recording, pairs(&FACTORS, &scenario.straps))
}
