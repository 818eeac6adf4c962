//! The bits of this unit's ports and registers that have changed both ways.

use super::Build;
use super::fill::{churn, fill};
use super::scenario::scenario;
use crate::coverage::toggles::{ToggleRuns, Toggles, Unchanging};
use crate::lockstep::{agree, recorded};
use crate::runner::draw;
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most.
const STRETCHES: usize = 100;

/// Returns the list of the bits that cannot change, of this version.
pub(super) fn unchanging() -> Result<Unchanging, String> {
    let text = include_str!("../../coverage/rdt/state_unreachable.toml");
    Unchanging::new("proptests/coverage/rdt/state_unreachable.toml", text)
}

/// Runs random scenarios in every build, and those by hand.
pub(super) fn toggles(runs: &ToggleRuns) -> Result<Vec<Toggles>, String> {
    let of = |build| with_build!(rdt, build, |U| drawn(PhantomData::<U>, build, runs)).expect("a build of this unit");
    BuildId::of_unit("rdt").map(of).collect()
}

fn drawn<U: Build<LP>, const LP: usize>(
    _: PhantomData<U>,
    build: BuildId,
    runs: &ToggleRuns,
) -> Result<Toggles, String> {
    let mut toggles = Toggles::new::<U>(build);
    let strategy = scenario::<LP>(U::SIZES, STRETCHES);
    let seeds = runs.seed..runs.seed + runs.cases;
    let scenarios = seeds.map(|seed| (format!("scenario of seed {seed}"), draw(seed, &strategy)));
    let fills = (0..U::SIZES.rmids as u8).map(|rmid| (format!("fill by RMID {rmid}"), fill::<U, LP>(rmid)));
    let churned = core::iter::once_with(|| ("any lines in one set".to_owned(), churn::<U, LP>()));
    for (name, scenario) in scenarios.chain(fills).chain(churned) {
        let recording = recorded::<U>(&scenario.straps, &scenario.cycles);
        agree::<U>(build, Flavour::Fast, &scenario.straps, &recording)
            .map_err(|why| format!("{}, {name}: {why}", build.name()))?;
        toggles.add::<U>(&scenario.straps, &recording);
    }
    Ok(toggles)
}
