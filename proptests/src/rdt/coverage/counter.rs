//! Cases of the coverage runs: plain ones.

use super::{layout, sample};
use crate::coverage::{Bins, Layout, PlainCases};
use crate::lockstep::{agree, recorded};
use crate::rdt::Build;
use crate::rdt::scenario::{Scenario, scenario};
use crate::runner::{draw, shrink};
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
        with_build!(rdt, build, |U| run(PhantomData::<U>, seed, build, lockstep, bins)).expect("a build of this unit")
    }

    fn explain(&self, seed: u64, build: BuildId, lockstep: bool) -> Option<String> {
        with_build!(rdt, build, |U| explain(PhantomData::<U>, seed, build, lockstep)).expect("a build of this unit")
    }

    fn words(&self, seed: u64, build: BuildId) -> Vec<u32> {
        with_build!(rdt, build, |U| words(PhantomData::<U>, seed)).expect("a build of this unit")
    }
}

fn run<U: Build<LP>, const LP: usize>(
    _: PhantomData<U>,
    seed: u64,
    build: BuildId,
    lockstep: bool,
    bins: &mut Bins,
) -> Result<u64, String> {
    let scenario = draw(seed, &scenario::<LP>(U::SIZES, STRETCHES));
    one::<U, LP>(build, &scenario, lockstep, bins)?;
    Ok(scenario.cycles.len() as u64)
}

fn explain<U: Build<LP>, const LP: usize>(
    _: PhantomData<U>,
    seed: u64,
    build: BuildId,
    lockstep: bool,
) -> Option<String> {
    shrink(seed, &scenario::<LP>(U::SIZES, STRETCHES), |drawn| {
        one::<U, LP>(build, drawn, lockstep, &mut Bins::new(layout()))
    })
}

fn words<U: Build<LP>, const LP: usize>(_: PhantomData<U>, seed: u64) -> Vec<u32> {
    let scenario = draw(seed, &scenario::<LP>(U::SIZES, STRETCHES));
    recorded::<U>(&scenario.straps, &scenario.cycles).case_words::<U>(&scenario.straps)
}

/// Runs a scenario with the model in the sizes of a build, and with its RTL if the two are to be compared.
fn one<U: Build<LP>, const LP: usize>(
    build: BuildId,
    scenario: &Scenario<LP>,
    lockstep: bool,
    bins: &mut Bins,
) -> Result<(), String> {
    let recording = recorded::<U>(&scenario.straps, &scenario.cycles);
    sample::<U, LP>(&scenario.straps, &recording, bins);
    if lockstep { agree::<U>(build, Flavour::Fast, &scenario.straps, &recording) } else { Ok(()) }
}
