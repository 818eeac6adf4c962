//! The event qualification of Itanium: scenarios, monitors, functional coverage, the independent reading, what is recorded.

pub mod coverage;
pub mod monitor;
mod properties;
pub mod reading;
mod record;
mod registers;
pub mod scenario;
mod shown;
mod soak;
pub mod straps;
mod toggles;

use crate::coverage::toggles::{ToggleRuns, Toggles, Unchanging};
use crate::coverage::{Claims, Counter, Layout, PlainCounter, RtlList, Totals};
use crate::lockstep::recorded;
use crate::record::{Failed, Output, Runs};
use crate::runner::draw;
use crate::soak::{Case, Outcome};
use crate::straps::{Coverage, Pair, name};
use crate::unit::{self, TimedCase};
use lwp_model::Unit;
use lwp_model::itanium::{Config, Itanium};
use sim_harness::capsule::Verdict;
use sim_harness::rtl::{BuildId, strap_words};
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most, as in the lockstep properties.
const STRETCHES: usize = 50;

/// The checks of this unit.
#[derive(Clone, Copy, Debug)]
pub struct Checks;

impl unit::Checks for Checks {
    fn name(&self) -> &'static str {
        "itanium"
    }

    fn soak(&self, case: &Case, build: BuildId) -> Result<Outcome, String> {
        soak::play_case(case, build)
    }

    fn explain_soak(&self, case: &Case, build: BuildId) -> Option<String> {
        soak::explain(case, build)
    }

    fn strap_pairs(&self) -> &'static Coverage {
        &straps::PAIRWISE.1
    }

    fn pair_name(&self, pair: &Pair) -> String {
        name(&straps::FACTORS, pair)
    }

    fn toggles(&self, runs: &ToggleRuns) -> Result<Vec<Toggles>, String> {
        toggles::toggles(runs)
    }

    fn unchanging(&self) -> Result<Unchanging, String> {
        toggles::unchanging()
    }

    fn layout(&self) -> &'static Layout {
        coverage::layout()
    }

    fn claims(&self) -> Claims {
        coverage::claims()
    }

    /// Nothing is steered: the plain cases meet every bin.
    fn counter(&self, _steer: Option<&Totals>) -> Box<dyn Counter> {
        Box::new(PlainCounter::new(coverage::Cases))
    }

    fn by_hand(&self, _build: BuildId) -> Vec<Vec<u32>> {
        Vec::new()
    }

    fn rtl_list(&self) -> RtlList {
        coverage::RTL_LIST
    }

    fn record(&self, to: &mut Output, runs: &Runs, done: &dyn Fn(u64)) -> Result<(), Failed> {
        record::record(to, runs, done)
    }

    fn recorded_families(&self) -> u64 {
        2
    }

    fn judge(&self, name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict {
        properties::judge(name, build, straps, inputs, rows)
    }

    fn bench_families(&self) -> &'static [(&'static str, BuildId)] {
        &[("one_bundle_agrees", BuildId::ItaniumB1e4), ("two_bundles_agree", BuildId::ItaniumB2e16)]
    }

    fn bench_case(&self, family: usize, seed: u64) -> TimedCase {
        if family == 0 { timed::<1, 4>(seed) } else { timed::<2, 16>(seed) }
    }

    fn bench_inputs(&self, build: BuildId, cycles: usize) -> (Vec<u32>, Vec<u32>) {
        with_build!(itanium, build, |U| drawn_rows(PhantomData::<U>, cycles)).expect("a build of this unit")
    }
}

fn timed<const BUNDLES: usize, const ENTRIES: usize>(seed: u64) -> TimedCase {
    TimedCase::of::<Itanium<BUNDLES, ENTRIES>, _>(
        || draw(seed, &scenario::scenario::<BUNDLES>(STRETCHES)),
        |scenario| (scenario.straps, recorded::<Itanium<BUNDLES, ENTRIES>>(&scenario.straps, &scenario.cycles)),
    )
}

/// Rows of generated scenarios, one after the other under the default straps; each begins with a reset.
fn drawn_rows<const BUNDLES: usize, const ENTRIES: usize>(
    _: PhantomData<Itanium<BUNDLES, ENTRIES>>,
    cycles: usize,
) -> (Vec<u32>, Vec<u32>) {
    let straps = Config::default();
    let strategy = scenario::scenario::<BUNDLES>(200);
    let words = <Itanium<BUNDLES, ENTRIES> as Unit>::INPUT_WORDS;
    let mut rows = Vec::new();
    for seed in 0.. {
        let scenario = draw(seed, &strategy);
        let recording = recorded::<Itanium<BUNDLES, ENTRIES>>(&straps, &scenario.cycles);
        rows.extend(recording.rows::<Itanium<BUNDLES, ENTRIES>>(&straps).inputs);
        if rows.len() >= cycles * words {
            break;
        }
    }
    (rows, strap_words::<Itanium<BUNDLES, ENTRIES>>(&straps))
}
