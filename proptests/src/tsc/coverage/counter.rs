//! Cases of the coverage runs: plain ones.

use super::{layout, sample};
use crate::coverage::{Bins, Layout, PlainCases};
use crate::lockstep::{agree, recorded};
use crate::runner::{draw, shrink};
use crate::tsc::scenario::{Scenario, scenario};
use crate::tsc::straps::PAIRWISE;
use lwp_model::tsc::Tsc;
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::with_build;
use std::marker::PhantomData;

/// The largest number of stretches of a scenario.
const STRETCHES: usize = 100;

/// Plain cases of this unit.
#[derive(Clone, Copy, Debug)]
pub struct Cases;

impl PlainCases for Cases {
    fn layout(&self) -> &'static Layout {
        layout()
    }

    fn run(&self, seed: u64, build: BuildId, lockstep: bool, bins: &mut Bins) -> Result<u64, String> {
        let scenario = case(seed);
        one(build, &scenario, lockstep, bins)?;
        Ok(scenario.cycles.len() as u64)
    }

    fn explain(&self, seed: u64, build: BuildId, lockstep: bool) -> Option<String> {
        shrink(seed, &scenario(STRETCHES), |drawn| {
            one(build, &paired(seed, drawn.clone()), lockstep, &mut Bins::new(layout()))
        })
    }

    fn words(&self, seed: u64, build: BuildId) -> Vec<u32> {
        let scenario = case(seed);
        with_build!(tsc, build, |U| recorded::<U>(&scenario.straps, &scenario.cycles).case_words::<U>(&scenario.straps))
            .expect("a build of this unit")
    }
}

/// Returns the case of a seed.
fn case(seed: u64) -> Scenario {
    paired(seed, draw(seed, &scenario(STRETCHES)))
}

/// Gives every other case of a build straps from the set in which every two values meet: small ratios are rare among those that
/// are generated at random. Builds take turns.
fn paired(seed: u64, scenario: Scenario) -> Scenario {
    let (sets, _) = &*PAIRWISE;
    let round = seed / BuildId::of_unit("tsc").count() as u64;
    let straps = if round.is_multiple_of(2) { sets[(round / 2) as usize % sets.len()] } else { scenario.straps };
    Scenario { straps, ..scenario }
}

/// Runs a scenario with the model in the sizes of a build, and with its RTL if the two are to be compared.
fn one(build: BuildId, scenario: &Scenario, lockstep: bool, bins: &mut Bins) -> Result<(), String> {
    with_build!(tsc, build, |U| sized(PhantomData::<U>, build, scenario, lockstep, bins)).expect("a build of this unit")
}

fn sized<const LP: usize>(
    _: PhantomData<Tsc<LP>>,
    build: BuildId,
    scenario: &Scenario,
    lockstep: bool,
    bins: &mut Bins,
) -> Result<(), String> {
    let recording = recorded::<Tsc<LP>>(&scenario.straps, &scenario.cycles);
    sample(&scenario.straps, &recording, bins);
    if lockstep { agree::<Tsc<LP>>(build, Flavour::Fast, &scenario.straps, &recording) } else { Ok(()) }
}
