//! The time-stamp counter: scenarios, monitors, functional coverage, and the specification checker.

pub mod coverage;
pub mod monitor;
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
use lwp_model::tsc::{Config, Inputs, Tsc};
use sim_harness::capsule::Verdict;
use sim_harness::rtl::{BuildId, strap_words};
use sim_harness::with_build;

/// The largest number of stretches of a scenario, as in the lockstep properties.
const STRETCHES: usize = 50;

/// The checks of this unit.
#[derive(Clone, Copy, Debug)]
pub struct Checks;

impl unit::Checks for Checks {
    fn name(&self) -> &'static str {
        "tsc"
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

    /// Returns a counter without steering: the plain cases meet every bin.
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
        &[("four_processors_agree", BuildId::TscLp4)]
    }

    fn bench_case(&self, _family: usize, seed: u64) -> TimedCase {
        TimedCase::of::<Tsc<4>, _>(
            || draw(seed, &scenario::scenario(STRETCHES)),
            |scenario| (scenario.straps, recorded::<Tsc<4>>(&scenario.straps, &scenario.cycles)),
        )
    }

    fn bench_inputs(&self, build: BuildId, cycles: usize) -> (Vec<u32>, Vec<u32>) {
        with_build!(tsc, build, |U| drawn_rows::<U>(cycles)).expect("a build of this unit")
    }
}

/// Returns rows of randomly generated scenarios, one after the other under the default straps; each begins with a
/// reset.
fn drawn_rows<U: Unit<Config = Config, Inputs = Inputs>>(cycles: usize) -> (Vec<u32>, Vec<u32>) {
    let (strategy, straps) = (scenario::scenario(200), Config::default());
    let mut rows = Vec::new();
    for seed in 0.. {
        let scenario = draw(seed, &strategy);
        rows.extend(recorded::<U>(&straps, &scenario.cycles).rows::<U>(&straps).inputs);
        if rows.len() >= cycles * U::INPUT_WORDS {
            break;
        }
    }
    (rows, strap_words::<U>(&straps))
}
