//! Cases of the coverage runs: plain ones.

use super::{layout, sample};
use crate::coverage::{Bins, Layout, PlainCases};
use crate::itanium::scenario::{Scenario, scenario};
use crate::lockstep::{agree, recorded};
use crate::runner::{draw, shrink};
use lwp_model::itanium::Itanium;
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
        with_build!(itanium, build, |U| ran(PhantomData::<U>, seed, build, lockstep, bins))
            .expect("a build of this unit")
    }

    fn explain(&self, seed: u64, build: BuildId, lockstep: bool) -> Option<String> {
        with_build!(itanium, build, |U| explained(PhantomData::<U>, seed, build, lockstep))
            .expect("a build of this unit")
    }

    fn words(&self, seed: u64, build: BuildId) -> Vec<u32> {
        with_build!(itanium, build, |U| words(PhantomData::<U>, seed)).expect("a build of this unit")
    }
}

fn words<const BUNDLES: usize, const ENTRIES: usize>(_: PhantomData<Itanium<BUNDLES, ENTRIES>>, seed: u64) -> Vec<u32> {
    let scenario = draw(seed, &scenario(STRETCHES));
    recorded::<Itanium<BUNDLES, ENTRIES>>(&scenario.straps, &scenario.cycles)
        .case_words::<Itanium<BUNDLES, ENTRIES>>(&scenario.straps)
}

fn ran<const BUNDLES: usize, const ENTRIES: usize>(
    unit: PhantomData<Itanium<BUNDLES, ENTRIES>>,
    seed: u64,
    build: BuildId,
    lockstep: bool,
    bins: &mut Bins,
) -> Result<u64, String> {
    let scenario = draw(seed, &scenario(STRETCHES));
    one(unit, build, &scenario, lockstep, bins)?;
    Ok(scenario.cycles.len() as u64)
}

fn explained<const BUNDLES: usize, const ENTRIES: usize>(
    unit: PhantomData<Itanium<BUNDLES, ENTRIES>>,
    seed: u64,
    build: BuildId,
    lockstep: bool,
) -> Option<String> {
    shrink(seed, &scenario::<BUNDLES>(STRETCHES), |drawn| one(unit, build, drawn, lockstep, &mut Bins::new(layout())))
}

/// Runs a scenario with the model in the sizes of a build, and with its RTL if the two are to be compared.
fn one<const BUNDLES: usize, const ENTRIES: usize>(
    _: PhantomData<Itanium<BUNDLES, ENTRIES>>,
    build: BuildId,
    scenario: &Scenario<BUNDLES>,
    lockstep: bool,
    bins: &mut Bins,
) -> Result<(), String> {
    let recording = recorded::<Itanium<BUNDLES, ENTRIES>>(&scenario.straps, &scenario.cycles);
    sample::<BUNDLES, ENTRIES>(&scenario.straps, &recording, bins);
    if lockstep {
        agree::<Itanium<BUNDLES, ENTRIES>>(build, Flavour::Fast, &scenario.straps, &recording)
    } else {
        Ok(())
    }
}
