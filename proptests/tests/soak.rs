//! Model and RTL agree over ten million random cycles and every pair of strap values. The long run is `make soak`.

use proptests::scenario::straps::pairwise;
use proptests::soak::{Build, Case, Progress, run};
use std::thread;

/// Cycles of this test.
const CYCLES: u64 = 10_000_000;

// LWP-FLT-02, LWP-STO-11, LWP-GAT-03, LWP-CNT-01, LWP-CNT-02, LWP-STO-01, LWP-STO-02, LWP-RPT-01, LWP-RST-08, LWP-ACC-01
#[test]
fn ten_million_cycles_and_every_pair_of_straps() {
    let builds = Build::all();
    let mut progress = Progress { seed: 2007, ..Progress::default() };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    if let Err(failure) = run(&mut progress, &builds, CYCLES, threads, &|_| true) {
        let case = Case { seed: 2007, number: failure.number };
        panic!("case {}: {}\n{}", failure.number, failure.reason, case.explain(&builds).unwrap_or_default());
    }
    let (_, all) = pairwise();
    println!("{} cycles in {} cases, {} pairs of straps", progress.cycles, progress.cases, progress.pairs.len());
    assert!(builds.len() >= 2);
    assert_eq!(progress.pairs.missing(&all), Vec::<String>::new());
}
