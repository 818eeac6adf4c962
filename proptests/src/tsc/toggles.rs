//! The bits of this unit's ports and registers that have changed both ways.

use super::scenario::scenario;
use crate::coverage::toggles::{ToggleRuns, Toggles, Unchanging};
use crate::lockstep::{agree, recorded};
use crate::runner::draw;
use lwp_model::Unit;
use lwp_model::tsc::{Config, Inputs};
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::with_build;

/// The largest number of stretches of a scenario.
const STRETCHES: usize = 100;

/// Returns the list of the bits that cannot change, of this version.
pub(super) fn unchanging() -> Result<Unchanging, String> {
    let text = include_str!("../../coverage/tsc/state_unreachable.toml");
    Unchanging::new("proptests/coverage/tsc/state_unreachable.toml", text)
}

/// Runs random scenarios in every build.
pub(super) fn toggles(runs: &ToggleRuns) -> Result<Vec<Toggles>, String> {
    let of = |build| with_build!(tsc, build, |U| drawn::<U>(build, runs)).expect("a build of this unit");
    BuildId::of_unit("tsc").map(of).collect()
}

fn drawn<U: Unit<Config = Config, Inputs = Inputs>>(build: BuildId, runs: &ToggleRuns) -> Result<Toggles, String> {
    let (mut toggles, strategy) = (Toggles::new::<U>(build), scenario(STRETCHES));
    for seed in runs.seed..runs.seed + runs.cases {
        let scenario = draw(seed, &strategy);
        let recording = recorded::<U>(&scenario.straps, &scenario.cycles);
        agree::<U>(build, Flavour::Fast, &scenario.straps, &recording)
            .map_err(|why| format!("{}, scenario of seed {seed}: {why}", build.name()))?;
        toggles.add::<U>(&scenario.straps, &recording);
    }
    Ok(toggles)
}
