//! The bits of this unit's ports and registers that have changed both ways.

use super::fill::fill;
use super::pause::pause;
use super::program::program;
use super::scenario::{Scenario, entries_of, scenario};
use crate::coverage::toggles::{ToggleRuns, Toggles, Unchanging};
use crate::lockstep::{agree, recorded};
use crate::runner::draw;
use lwp_model::Choice;
use lwp_model::trace::{Depth, TraceUnit};
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most.
const STRETCHES: usize = 100;

/// Steps of a program at most.
const STEPS: usize = 80;

/// Returns the list of the bits that cannot change, of this version.
pub(super) fn unchanging() -> Result<Unchanging, String> {
    let text = include_str!("../../coverage/trace/state_unreachable.toml");
    Unchanging::new("proptests/coverage/trace/state_unreachable.toml", text)
}

/// Runs random scenarios and programs in every build, and the runs made by hand: values in every register of the stack, and pauses.
pub(super) fn toggles(runs: &ToggleRuns) -> Result<Vec<Toggles>, String> {
    let of = |build| with_build!(trace, build, |U| drawn(PhantomData::<U>, build, runs)).expect("a build of this unit");
    BuildId::of_unit("trace").map(of).collect()
}

fn drawn<const LANES: usize, const ENTRIES: usize>(
    _: PhantomData<TraceUnit<LANES, ENTRIES>>,
    build: BuildId,
    runs: &ToggleRuns,
) -> Result<Toggles, String> {
    let mut toggles = Toggles::new::<TraceUnit<LANES, ENTRIES>>(build);
    let (any, programs) = (scenario::<LANES>(ENTRIES, STRETCHES), program::<LANES, ENTRIES>(STEPS));
    let seeds = runs.seed..runs.seed + runs.cases;
    let scenarios = seeds.clone().map(|seed| (format!("scenario of seed {seed}"), draw(seed, &any)));
    let played = seeds.map(|seed| (format!("program of seed {seed}"), draw(seed, &programs)));
    for (name, scenario) in scenarios.chain(played).chain(by_hand(ENTRIES)) {
        let recording = recorded::<TraceUnit<LANES, ENTRIES>>(&scenario.straps, &scenario.cycles);
        agree::<TraceUnit<LANES, ENTRIES>>(build, Flavour::Fast, &scenario.straps, &recording)
            .map_err(|why| format!("{}, {name}: {why}", build.name()))?;
        toggles.add::<TraceUnit<LANES, ENTRIES>>(&scenario.straps, &recording);
    }
    Ok(toggles)
}

/// The runs made by hand for a unit with so many entries, by name.
fn by_hand<const LANES: usize>(entries: usize) -> impl Iterator<Item = (String, Scenario<LANES>)> {
    let depth = *Depth::ALL.iter().find(|depth| entries_of(**depth) == entries).expect("a depth");
    let fills = (0..).map_while(move |number| Some((format!("fill {number}"), fill(depth, number)?)));
    fills.chain((0..).map_while(|number| Some((format!("pause {number}"), pause(number)?))))
}
