//! The unit of branch records: scenarios, functional coverage, the independent reading, what is recorded.

pub mod buffers;
mod core;
pub mod coverage;
pub mod fill;
pub mod judged;
pub mod pause;
pub mod program;
mod properties;
pub mod reading;
mod record;
pub mod scenario;
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
use lwp_model::trace::{Config, TraceUnit};
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
        "trace"
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
        &[("one_lane_agrees", BuildId::TraceL1s4), ("four_lanes_agree", BuildId::TraceL4s32)]
    }

    fn bench_case(&self, family: usize, seed: u64) -> TimedCase {
        if family == 0 { timed::<1, 4>(seed) } else { timed::<4, 32>(seed) }
    }

    fn bench_inputs(&self, build: BuildId, cycles: usize) -> (Vec<u32>, Vec<u32>) {
        with_build!(trace, build, |U| drawn_rows(PhantomData::<U>, cycles)).expect("a build of this unit")
    }
}

fn timed<const LANES: usize, const ENTRIES: usize>(seed: u64) -> TimedCase {
    TimedCase::of::<TraceUnit<LANES, ENTRIES>, _>(
        || draw(seed, &scenario::scenario::<LANES>(ENTRIES, STRETCHES)),
        |scenario| (scenario.straps, recorded::<TraceUnit<LANES, ENTRIES>>(&scenario.straps, &scenario.cycles)),
    )
}

/// Rows of generated scenarios, one after the other under the default straps; each begins with a reset.
fn drawn_rows<const LANES: usize, const ENTRIES: usize>(
    _: PhantomData<TraceUnit<LANES, ENTRIES>>,
    cycles: usize,
) -> (Vec<u32>, Vec<u32>) {
    let straps = Config::default();
    let strategy = scenario::scenario::<LANES>(ENTRIES, 200);
    let words = <TraceUnit<LANES, ENTRIES> as Unit>::INPUT_WORDS;
    let mut rows = Vec::new();
    for seed in 0.. {
        let scenario = draw(seed, &strategy);
        let recording = recorded::<TraceUnit<LANES, ENTRIES>>(&straps, &scenario.cycles);
        rows.extend(recording.rows::<TraceUnit<LANES, ENTRIES>>(&straps).inputs);
        if rows.len() >= cycles * words {
            break;
        }
    }
    (rows, strap_words::<TraceUnit<LANES, ENTRIES>>(&straps))
}
