//! The cases of the long run.

use super::Sizes;
use super::scenario::{Scenario, long_scenario, scenario};
use super::straps::{FACTORS, PAIRWISE};
use crate::lockstep::recorded;
use crate::runner::{draw, shrink};
use crate::soak::{Case, Outcome};
use crate::straps::pairs;
use crate::unit::soaked;
use lwp_model::perf::Perf;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most.
const STRETCHES: usize = 200;
/// Further orders in which the stretches are played.
const ORDERS: usize = 31;

/// Runs a case.
pub(super) fn play_case(case: &Case, build: BuildId) -> Result<Outcome, String> {
    with_build!(perf, build, |U| sized(PhantomData::<U>, case, build)).expect("a build of this unit")
}

/// Runs a case again and shrinks it.
pub(super) fn explain(case: &Case, build: BuildId) -> Option<String> {
    with_build!(perf, build, |U| explained(PhantomData::<U>, case, build)).expect("a build of this unit")
}

fn sized<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    _: PhantomData<Perf<LP, GENERAL, FIXED, LANES>>,
    case: &Case,
    build: BuildId,
) -> Result<Outcome, String> {
    let sizes = Sizes { general: GENERAL, fixed: FIXED };
    let drawn = draw(case.mixed(), &long_scenario(sizes, STRETCHES, ORDERS));
    lockstep::<LP, GENERAL, FIXED, LANES>(case, build, &with_straps(case, sizes, drawn))
}

fn explained<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    _: PhantomData<Perf<LP, GENERAL, FIXED, LANES>>,
    case: &Case,
    build: BuildId,
) -> Option<String> {
    let sizes = Sizes { general: GENERAL, fixed: FIXED };
    shrink(case.mixed(), &long_scenario::<LP, LANES>(sizes, STRETCHES, ORDERS), |drawn| {
        lockstep::<LP, GENERAL, FIXED, LANES>(case, build, &with_straps(case, sizes, drawn.clone())).map(|_| ())
    })
}

/// Returns what happens in a case in the first order of its stretches, which is enough for what only replays it.
pub(super) fn case_scenario<const LP: usize, const LANES: usize>(case: &Case, sizes: Sizes) -> Scenario<LP, LANES> {
    with_straps(case, sizes, draw(case.mixed(), &scenario(sizes, STRETCHES)))
}

/// The set of pairs is that of the larger build: where a case's straps are too large for this one, the generated ones stay.
fn with_straps<const LP: usize, const LANES: usize>(
    case: &Case,
    sizes: Sizes,
    scenario: Scenario<LP, LANES>,
) -> Scenario<LP, LANES> {
    let straps = case.straps(&PAIRWISE.0, scenario.straps);
    let fits = straps.validate(sizes.general, sizes.fixed).is_ok();
    Scenario { straps: if fits { straps } else { scenario.straps }, ..scenario }
}

fn lockstep<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    case: &Case,
    build: BuildId,
    scenario: &Scenario<LP, LANES>,
) -> Result<Outcome, String> {
    let recording = recorded::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps, &scenario.cycles);
    let pairs = pairs(&FACTORS, &scenario.straps);
    soaked::<Perf<LP, GENERAL, FIXED, LANES>>(case, build, &scenario.straps, &recording, pairs)
}
