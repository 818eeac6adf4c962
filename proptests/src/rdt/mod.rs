//! The shared cache: scenarios, monitors, functional coverage, what is recorded.

pub mod coverage;
pub mod delay;
pub mod drive;
pub mod fill;
pub mod isolation;
pub mod monitor;
pub mod paced;
mod properties;
mod random;
pub mod reading;
mod record;
pub mod registers;
pub mod requests;
pub mod scenario;
mod soak;
pub mod straps;
pub mod sweep;
mod toggles;
pub mod traffic;
pub mod whole;

pub use registers::Registers;

use crate::coverage::toggles::{ToggleRuns, Toggles, Unchanging};
use crate::coverage::{Claims, Counter, Layout, PlainCounter, RtlList, Totals};
use crate::lockstep::recorded;
use crate::record::{Failed, Output, Runs};
use crate::runner::draw;
use crate::soak::{Case, Outcome};
use crate::straps::{Coverage, Pair, name};
use crate::unit::{self, TimedCase};
use lwp_model::Unit;
use lwp_model::rdt::{Config, Inputs, Outputs, Rdt, Sizes};
use sim_harness::capsule::Verdict;
use sim_harness::rtl::{BuildId, strap_words};
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most, as in the lockstep properties.
const STRETCHES: usize = 50;

/// The unit in the sizes of a build with `LP` logical processors.
pub trait Build<const LP: usize>: Unit<Config = Config, Inputs = Inputs<LP>, Outputs = Outputs<LP>> {
    /// The sizes.
    const SIZES: Sizes;

    /// Returns the registers of a state.
    fn registers(state: &Self::State) -> Registers<'_>;
}

impl<
    const LP: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> Build<LP> for Rdt<LP, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS, RMIDS, CLASSES>
{
    const SIZES: Sizes = Sizes {
        l3_sets: L3_SETS,
        l3_ways: L3_WAYS,
        l2_sets: L2_SETS,
        l2_ways: L2_WAYS,
        rmids: RMIDS,
        classes: CLASSES,
    };

    fn registers(state: &Self::State) -> Registers<'_> {
        Registers::of(state)
    }
}

/// The build of two logical processors.
pub type Small = Rdt<2, 8, 4, 4, 2, 4, 4>;
/// The build of four logical processors.
pub type Large = Rdt<4, 64, 16, 16, 8, 16, 8>;

/// The checks of this unit.
#[derive(Clone, Copy, Debug)]
pub struct Checks;

impl unit::Checks for Checks {
    fn name(&self) -> &'static str {
        "rdt"
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
        &[("the_small_build_agrees", BuildId::RdtS8w4), ("the_large_build_agrees", BuildId::RdtS64w16)]
    }

    fn bench_case(&self, family: usize, seed: u64) -> TimedCase {
        if family == 0 { timed::<Small, 2>(seed) } else { timed::<Large, 4>(seed) }
    }

    fn bench_inputs(&self, build: BuildId, cycles: usize) -> (Vec<u32>, Vec<u32>) {
        with_build!(rdt, build, |U| drawn_rows(PhantomData::<U>, cycles)).expect("a build of this unit")
    }
}

fn timed<U: Build<LP>, const LP: usize>(seed: u64) -> TimedCase {
    TimedCase::of::<U, _>(
        || draw(seed, &scenario::scenario::<LP>(U::SIZES, STRETCHES)),
        |scenario| (scenario.straps, recorded::<U>(&scenario.straps, &scenario.cycles)),
    )
}

/// Rows of generated scenarios, one after the other under the default straps; each begins with a reset.
fn drawn_rows<U: Build<LP>, const LP: usize>(_: PhantomData<U>, cycles: usize) -> (Vec<u32>, Vec<u32>) {
    let (straps, strategy) = (Config::default(), scenario::under::<LP>(Config::default(), 200));
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
