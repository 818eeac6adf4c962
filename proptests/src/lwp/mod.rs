//! The Lightweight Profiling unit: scenarios, the bench that runs them, monitors, and the specification checker.
//!
//! A [`Scenario`](scenario::Scenario) describes the actions of software, kernel, memory and core. The
//! [`bench`](mod@bench) runs it with the model and records it. The [`monitor`] families and the specification checker
//! ([`reading`]) check recordings of model and RTL.

pub mod bench;
pub mod coverage;
pub mod directed;
pub mod lockstep;
pub mod monitor;
pub mod oracle;
mod properties;
pub mod reading;
mod record;
pub mod scenario;
pub mod soak;
pub mod steer;
pub mod toggles;

pub use properties::{Properties, note_property};

use crate::coverage::toggles::{ToggleRuns, Toggles, Unchanging};
use crate::coverage::{Claims, Counter, Layout, RtlList, Totals};
use crate::record::{Failed, Output, Runs};
use crate::runner::draw;
use crate::soak::{Case, Outcome};
use crate::straps::{Coverage, Pair, name};
use crate::unit::{self, TimedCase};
use coverage::SteeredCounter;
use lwp_model::lwp::Lwp;
use scenario::straps::FACTORS;
use sim_harness::capsule::{Judge, Verdict};
use sim_harness::rtl::{BuildId, strap_words};
use sim_harness::with_build;
use std::marker::PhantomData;

/// The checks of this unit.
#[derive(Clone, Copy, Debug)]
pub struct Checks;

impl unit::Checks for Checks {
    fn name(&self) -> &'static str {
        "lwp"
    }

    fn check_environment(&self) -> Result<(), String> {
        steer::check_environment()
    }

    fn soak(&self, case: &Case, build: BuildId) -> Result<Outcome, String> {
        soak::play_case(case, build)
    }

    fn explain_soak(&self, case: &Case, build: BuildId) -> Option<String> {
        soak::explain(case, build)
    }

    fn strap_pairs(&self) -> &'static Coverage {
        soak::strap_pairs()
    }

    fn pair_name(&self, pair: &Pair) -> String {
        name(&FACTORS, pair)
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

    fn counter(&self, steer: Option<&Totals>) -> Box<dyn Counter> {
        Box::new(SteeredCounter::new(steer))
    }

    fn by_hand(&self, build: BuildId) -> Vec<Vec<u32>> {
        with_build!(lwp, build, |U| directed_words(PhantomData::<U>)).expect("a build of this unit")
    }

    fn rtl_list(&self) -> RtlList {
        coverage::RTL_LIST
    }

    fn record(&self, to: &mut Output, runs: &Runs, done: &dyn Fn(u64)) -> Result<(), Failed> {
        record::record(to, runs, done)
    }

    fn recorded_families(&self) -> u64 {
        3
    }

    fn judge(&self, name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict {
        Properties.judge(name, build, straps, inputs, rows)
    }

    fn bench_families(&self) -> &'static [(&'static str, BuildId)] {
        &[("four_lanes_agree", BuildId::LwpW4), ("busy_sessions_agree", BuildId::LwpW4)]
    }

    fn bench_case(&self, family: usize, seed: u64) -> TimedCase {
        let drawn = || if family == 0 { draw(seed, &scenario::scenario(120)) } else { draw(seed, &scenario::busy(80)) };
        TimedCase::of::<Lwp<4, 8, 31>, _>(drawn, |scenario| {
            let (recording, _) = bench::play::<4, 8, 31>(&scenario);
            (scenario.straps, recording)
        })
    }

    fn bench_inputs(&self, build: BuildId, cycles: usize) -> (Vec<u32>, Vec<u32>) {
        with_build!(lwp, build, |U| busy_rows(PhantomData::<U>, cycles)).expect("a build of this unit")
    }
}

/// Returns the words of the directed runs.
fn directed_words<const W: usize, const S: usize, const LAT: u32>(_: PhantomData<Lwp<W, S, LAT>>) -> Vec<Vec<u32>> {
    let words = |directed: &directed::Directed| {
        let (recording, _) = bench::play_sequence::<W, S, LAT>(&directed.sequence);
        lockstep::case_words(&directed.sequence.scenario.straps, &recording)
    };
    directed::all().iter().map(words).collect()
}

/// Returns rows of sessions that are always busy, one after the other under the straps of the first; each begins with a
/// reset.
fn busy_rows<const W: usize, const S: usize, const LAT: u32>(
    _: PhantomData<Lwp<W, S, LAT>>,
    cycles: usize,
) -> (Vec<u32>, Vec<u32>) {
    let strategy = scenario::busy(400);
    let straps = draw(0, &strategy).straps;
    let mut rows = Vec::new();
    for seed in 0.. {
        let scenario = scenario::Scenario { straps, ..draw(seed, &strategy) };
        let (recording, _) = bench::play::<W, S, LAT>(&scenario);
        rows.extend(lockstep::rows(&straps, &recording).inputs);
        if rows.len() >= cycles * sim_harness::lwp::flat::in_words(W) {
            break;
        }
    }
    (rows, strap_words::<Lwp<W, S, LAT>>(&straps))
}
