//! The bits of this unit's ports and registers that have changed both ways.

use super::scenario::scenario;
use crate::coverage::toggles::{ToggleRuns, Toggles, Unchanging};
use crate::lockstep::{agree, recorded};
use crate::runner::draw;
use lwp_model::itanium::Itanium;
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most.
const STRETCHES: usize = 100;

/// Returns the list of the bits that cannot change, of this version.
pub(super) fn unchanging() -> Result<Unchanging, String> {
    let text = include_str!("../../coverage/itanium/state_unreachable.toml");
    Unchanging::new("proptests/coverage/itanium/state_unreachable.toml", text)
}

/// Runs random scenarios in every build.
pub(super) fn toggles(runs: &ToggleRuns) -> Result<Vec<Toggles>, String> {
    let of =
        |build| with_build!(itanium, build, |U| drawn(PhantomData::<U>, build, runs)).expect("a build of this unit");
    BuildId::of_unit("itanium").map(of).collect()
}

fn drawn<const BUNDLES: usize, const ENTRIES: usize>(
    _: PhantomData<Itanium<BUNDLES, ENTRIES>>,
    build: BuildId,
    runs: &ToggleRuns,
) -> Result<Toggles, String> {
    let (mut toggles, strategy) = (Toggles::new::<Itanium<BUNDLES, ENTRIES>>(build), scenario::<BUNDLES>(STRETCHES));
    for seed in runs.seed..runs.seed + runs.cases {
        let scenario = draw(seed, &strategy);
        let recording = recorded::<Itanium<BUNDLES, ENTRIES>>(&scenario.straps, &scenario.cycles);
        agree::<Itanium<BUNDLES, ENTRIES>>(build, Flavour::Fast, &scenario.straps, &recording)
            .map_err(|why| format!("{}, scenario of seed {seed}: {why}", build.name()))?;
        toggles.add::<Itanium<BUNDLES, ENTRIES>>(&scenario.straps, &recording);
    }
    Ok(toggles)
}
