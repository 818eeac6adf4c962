//! Cases of the coverage runs: plain ones.

use super::{layout, sample};
use crate::coverage::{Bins, Layout, PlainCases};
use crate::lockstep::{agree, recorded};
use crate::perf::Sizes;
use crate::perf::counting::counting;
use crate::perf::scenario::{Scenario, scenario};
use crate::runner::{draw, shrink};
use lwp_model::perf::Perf;
use proptest::prelude::*;
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most.
const STRETCHES: usize = 100;

/// Plain cases of this unit.
#[derive(Clone, Copy, Debug)]
pub struct Cases;

impl PlainCases for Cases {
    fn layout(&self) -> &'static Layout {
        layout()
    }

    fn run(&self, seed: u64, build: BuildId, lockstep: bool, bins: &mut Bins) -> Result<u64, String> {
        with_build!(perf, build, |U| played(PhantomData::<U>, build, seed, lockstep, bins))
            .expect("a build of this unit")
    }

    fn explain(&self, seed: u64, build: BuildId, lockstep: bool) -> Option<String> {
        with_build!(perf, build, |U| explained(PhantomData::<U>, build, seed, lockstep)).expect("a build of this unit")
    }

    fn words(&self, seed: u64, build: BuildId) -> Vec<u32> {
        with_build!(perf, build, |U| words(PhantomData::<U>, seed)).expect("a build of this unit")
    }
}

/// Any scenarios, and programs that count.
fn cases<const LP: usize, const LANES: usize>(sizes: Sizes) -> BoxedStrategy<Scenario<LP, LANES>> {
    prop_oneof![scenario(sizes, STRETCHES), counting(sizes, STRETCHES)].boxed()
}

fn played<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    _: PhantomData<Perf<LP, GENERAL, FIXED, LANES>>,
    build: BuildId,
    seed: u64,
    lockstep: bool,
    bins: &mut Bins,
) -> Result<u64, String> {
    let scenario = draw(seed, &cases::<LP, LANES>(Sizes { general: GENERAL, fixed: FIXED }));
    one::<LP, GENERAL, FIXED, LANES>(build, &scenario, lockstep, bins)?;
    Ok(scenario.cycles.len() as u64)
}

fn explained<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    _: PhantomData<Perf<LP, GENERAL, FIXED, LANES>>,
    build: BuildId,
    seed: u64,
    lockstep: bool,
) -> Option<String> {
    shrink(seed, &cases::<LP, LANES>(Sizes { general: GENERAL, fixed: FIXED }), |drawn| {
        one::<LP, GENERAL, FIXED, LANES>(build, drawn, lockstep, &mut Bins::new(layout()))
    })
}

fn words<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    _: PhantomData<Perf<LP, GENERAL, FIXED, LANES>>,
    seed: u64,
) -> Vec<u32> {
    let scenario = draw(seed, &cases::<LP, LANES>(Sizes { general: GENERAL, fixed: FIXED }));
    let recording = recorded::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps, &scenario.cycles);
    recording.case_words::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps)
}

/// Runs a scenario on the model with the sizes of a build, and on its RTL if they are to be compared.
fn one<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    build: BuildId,
    scenario: &Scenario<LP, LANES>,
    lockstep: bool,
    bins: &mut Bins,
) -> Result<(), String> {
    let recording = recorded::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps, &scenario.cycles);
    sample(&scenario.straps, &recording, bins);
    if lockstep {
        agree::<Perf<LP, GENERAL, FIXED, LANES>>(build, Flavour::Fast, &scenario.straps, &recording)
    } else {
        Ok(())
    }
}
