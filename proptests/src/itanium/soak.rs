//! The cases of the long run.

use super::scenario::{Scenario, scenario};
use super::straps::{FACTORS, PAIRWISE};
use crate::lockstep::recorded;
use crate::runner::{draw, shrink};
use crate::soak::{Case, Outcome};
use crate::straps::{Draw, pairs};
use crate::unit::soaked;
use lwp_model::itanium::Itanium;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most.
const STRETCHES: usize = 200;
/// To draw a scenario takes far longer than to play it: its cycles are played again in so many further orders.
const ORDERS: usize = 15;
/// Cycles that stay together in every order.
const TOGETHER: usize = 16;

/// Runs a case.
pub(super) fn play_case(case: &Case, build: BuildId) -> Result<Outcome, String> {
    with_build!(itanium, build, |U| sized(PhantomData::<U>, case, build)).expect("a build of this unit")
}

/// Runs a case again and shrinks it.
pub(super) fn explain(case: &Case, build: BuildId) -> Option<String> {
    with_build!(itanium, build, |U| explained(PhantomData::<U>, case, build)).expect("a build of this unit")
}

/// Returns what happens in a case in the first order, which is enough for what only replays it.
pub(super) fn case_scenario<const BUNDLES: usize>(case: &Case) -> Scenario<BUNDLES> {
    with_straps(case, draw(case.mixed(), &scenario(STRETCHES)))
}

fn with_straps<const BUNDLES: usize>(case: &Case, scenario: Scenario<BUNDLES>) -> Scenario<BUNDLES> {
    let straps = case.straps(&PAIRWISE.0, scenario.straps);
    Scenario { straps, ..scenario }
}

/// Plays the cycles of a scenario in further orders behind the first. The orders are those of the case.
fn in_orders<const BUNDLES: usize>(case: &Case, mut scenario: Scenario<BUNDLES>) -> Scenario<BUNDLES> {
    let first = scenario.cycles.clone();
    let mut parts: Vec<_> = first[1..].chunks(TOGETHER).collect();
    let mut draw = Draw::new(case.mixed());
    for _ in 0..ORDERS {
        draw.shuffle(&mut parts);
        scenario.cycles.extend(parts.iter().copied().flatten());
    }
    scenario
}

fn sized<const BUNDLES: usize, const ENTRIES: usize>(
    _: PhantomData<Itanium<BUNDLES, ENTRIES>>,
    case: &Case,
    build: BuildId,
) -> Result<Outcome, String> {
    lockstep::<BUNDLES, ENTRIES>(case, build, &in_orders(case, case_scenario(case)))
}

fn explained<const BUNDLES: usize, const ENTRIES: usize>(
    _: PhantomData<Itanium<BUNDLES, ENTRIES>>,
    case: &Case,
    build: BuildId,
) -> Option<String> {
    shrink(case.mixed(), &scenario::<BUNDLES>(STRETCHES), |drawn| {
        lockstep::<BUNDLES, ENTRIES>(case, build, &in_orders(case, with_straps(case, drawn.clone()))).map(|_| ())
    })
}

fn lockstep<const BUNDLES: usize, const ENTRIES: usize>(
    case: &Case,
    build: BuildId,
    scenario: &Scenario<BUNDLES>,
) -> Result<Outcome, String> {
    let recording = recorded::<Itanium<BUNDLES, ENTRIES>>(&scenario.straps, &scenario.cycles);
    soaked::<Itanium<BUNDLES, ENTRIES>>(case, build, &scenario.straps, &recording, pairs(&FACTORS, &scenario.straps))
}
