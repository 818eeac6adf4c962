//! Which bits of this unit's ports and registers have changed, both ways.

use super::Sizes;
use super::scenario::scenario;
use crate::coverage::toggles::{ToggleRuns, Toggles, Unchanging};
use crate::lockstep::{agree, recorded};
use crate::runner::draw;
use lwp_model::perf::Perf;
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most.
const STRETCHES: usize = 100;

/// Returns the bits that cannot change, of this version.
pub(super) fn unchanging() -> Result<Unchanging, String> {
    let text = include_str!("../../coverage/perf/state_unreachable.toml");
    Unchanging::new("proptests/coverage/perf/state_unreachable.toml", text)
}

/// Returns every build in generated runs.
pub(super) fn toggles(runs: &ToggleRuns) -> Result<Vec<Toggles>, String> {
    let of = |build| with_build!(perf, build, |U| drawn(PhantomData::<U>, build, runs)).expect("a build of this unit");
    BuildId::of_unit("perf").map(of).collect()
}

fn drawn<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    _: PhantomData<Perf<LP, GENERAL, FIXED, LANES>>,
    build: BuildId,
    runs: &ToggleRuns,
) -> Result<Toggles, String> {
    let sizes = Sizes { general: GENERAL, fixed: FIXED };
    let mut toggles = Toggles::new::<Perf<LP, GENERAL, FIXED, LANES>>(build);
    let strategy = scenario::<LP, LANES>(sizes, STRETCHES);
    for seed in runs.seed..runs.seed + runs.cases {
        let scenario = draw(seed, &strategy);
        let recording = recorded::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps, &scenario.cycles);
        agree::<Perf<LP, GENERAL, FIXED, LANES>>(build, Flavour::Fast, &scenario.straps, &recording)
            .map_err(|why| format!("{}, scenario of seed {seed}: {why}", build.name()))?;
        toggles.add::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps, &recording);
    }
    Ok(toggles)
}
