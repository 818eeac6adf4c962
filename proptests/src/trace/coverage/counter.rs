//! Cases of the coverage runs: plain ones. Half of them are scenarios, half are programs.

use super::{layout, sample};
use crate::coverage::{Bins, Layout, PlainCases};
use crate::lockstep::{agree, recorded};
use crate::runner::{draw, shrink};
use crate::trace::program::program;
use crate::trace::scenario::{Scenario, scenario};
use lwp_model::trace::TraceUnit;
use proptest::prelude::{BoxedStrategy, Strategy, prop_oneof};
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario, and steps of a program at most.
const STRETCHES: usize = 100;
const STEPS: usize = 120;

/// Plain cases of this unit.
#[derive(Clone, Copy, Debug)]
pub struct Cases;

impl PlainCases for Cases {
    fn layout(&self) -> &'static Layout {
        layout()
    }

    fn run(&self, seed: u64, build: BuildId, lockstep: bool, bins: &mut Bins) -> Result<u64, String> {
        with_build!(trace, build, |U| run(PhantomData::<U>, seed, build, lockstep, bins)).expect("a build of this unit")
    }

    fn explain(&self, seed: u64, build: BuildId, lockstep: bool) -> Option<String> {
        with_build!(trace, build, |U| explain(PhantomData::<U>, seed, build, lockstep)).expect("a build of this unit")
    }

    fn words(&self, seed: u64, build: BuildId) -> Vec<u32> {
        with_build!(trace, build, |U| words(PhantomData::<U>, seed)).expect("a build of this unit")
    }
}

fn cases<const LANES: usize, const ENTRIES: usize>() -> BoxedStrategy<Scenario<LANES>> {
    prop_oneof![scenario::<LANES>(ENTRIES, STRETCHES), program::<LANES, ENTRIES>(STEPS)].boxed()
}

fn run<const LANES: usize, const ENTRIES: usize>(
    unit: PhantomData<TraceUnit<LANES, ENTRIES>>,
    seed: u64,
    build: BuildId,
    lockstep: bool,
    bins: &mut Bins,
) -> Result<u64, String> {
    let scenario = draw(seed, &cases::<LANES, ENTRIES>());
    one(unit, build, &scenario, lockstep, bins)?;
    Ok(scenario.cycles.len() as u64)
}

fn explain<const LANES: usize, const ENTRIES: usize>(
    unit: PhantomData<TraceUnit<LANES, ENTRIES>>,
    seed: u64,
    build: BuildId,
    lockstep: bool,
) -> Option<String> {
    shrink(seed, &cases::<LANES, ENTRIES>(), |drawn| one(unit, build, drawn, lockstep, &mut Bins::new(layout())))
}

fn words<const LANES: usize, const ENTRIES: usize>(_: PhantomData<TraceUnit<LANES, ENTRIES>>, seed: u64) -> Vec<u32> {
    let scenario = draw(seed, &cases::<LANES, ENTRIES>());
    let recording = recorded::<TraceUnit<LANES, ENTRIES>>(&scenario.straps, &scenario.cycles);
    recording.case_words::<TraceUnit<LANES, ENTRIES>>(&scenario.straps)
}

/// Runs a scenario with the model in the sizes of a build, and with its RTL if the two are to be compared.
fn one<const LANES: usize, const ENTRIES: usize>(
    _: PhantomData<TraceUnit<LANES, ENTRIES>>,
    build: BuildId,
    scenario: &Scenario<LANES>,
    lockstep: bool,
    bins: &mut Bins,
) -> Result<(), String> {
    let recording = recorded::<TraceUnit<LANES, ENTRIES>>(&scenario.straps, &scenario.cycles);
    sample(&scenario.straps, &recording, bins);
    if lockstep {
        agree::<TraceUnit<LANES, ENTRIES>>(build, Flavour::Fast, &scenario.straps, &recording)
    } else {
        Ok(())
    }
}
