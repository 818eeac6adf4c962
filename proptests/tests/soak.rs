//! Model and RTL agree over millions of random cycles and every pair of strap values. The long run is `make soak`.

use proptests::runner::first_seed;
use proptests::soak::{Case, Progress, run};
use proptests::unit::{Checks, find};
use sim_harness::rtl::BuildId;
use sim_harness::tier::Tier;
use std::thread;

/// Plays the cycles of the tier on all builds of a unit.
fn soak(unit: &'static dyn Checks) -> Progress {
    let cycles = Tier::get().pick(1_000_000, 2_000_000, 5_000_000);
    let seed = first_seed();
    let builds: Vec<_> = BuildId::of_unit(unit.name()).collect();
    let mut progress = Progress { seed, ..Progress::default() };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    if let Err(failure) = run(unit, &mut progress, &builds, cycles, threads, &|_| true) {
        let case = Case::new(unit, seed, failure.number, &builds);
        panic!(
            "seed {seed}, case {}: {}\n{}",
            failure.number,
            failure.reason,
            case.explain(&builds).unwrap_or_default()
        );
    }
    println!("{} cycles in {} cases, {} pairs of straps", progress.cycles, progress.cases, progress.pairs.len());
    assert!(builds.len() >= 2);
    assert!(progress.cycles >= cycles, "only {} cycles were run", progress.cycles);
    progress
}

/// The same, and every pair of strap values is among the cases.
fn soak_every_pair(unit: &str) {
    let unit = find(unit).expect("a unit");
    let progress = soak(unit);
    let missing: Vec<String> = progress.pairs.missing(unit.strap_pairs()).map(|pair| unit.pair_name(pair)).collect();
    assert_eq!(missing, Vec::<String>::new());
}

// LWP-FLT-02, LWP-STO-11, LWP-GAT-03, LWP-CNT-01, LWP-CNT-02, LWP-STO-01, LWP-STO-02, LWP-RPT-01, LWP-RST-08, LWP-ACC-01
#[test]
fn millions_of_cycles_and_every_pair_of_straps() {
    soak_every_pair("lwp");
}

#[test]
fn millions_of_cycles_of_the_time_stamp_counter() {
    soak_every_pair("tsc");
}

// Cases of `perf` and `trace` are long, so these are few; `make soak` has every pair.
#[test]
fn millions_of_cycles_of_the_performance_counters() {
    soak(find("perf").expect("a unit"));
}

#[test]
fn millions_of_cycles_of_the_debug_unit() {
    soak_every_pair("debug");
}

#[test]
fn millions_of_cycles_of_the_branch_records() {
    soak(find("trace").expect("a unit"));
}

#[test]
fn millions_of_cycles_of_the_shared_cache() {
    soak_every_pair("rdt");
}

#[test]
fn millions_of_cycles_of_the_event_qualification() {
    soak_every_pair("itanium");
}
