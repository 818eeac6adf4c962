//! Every bit of every port and register that can change does, both ways, in lockstep.

use proptests::coverage::toggles::ToggleRuns;
use proptests::lwp::toggles::SHORT;
use proptests::unit::find;

/// Cases of each family beside the directed runs.
const CASES: u64 = 250;

fn every_bit(unit: &str, wait_bits: u32) {
    let unit = find(unit).expect("a unit");
    let claims = unit.unchanging().expect("the list is right");
    let claims = if wait_bits == 31 { claims.in_the_long_run() } else { claims };
    let runs = ToggleRuns { seed: 2007, cases: CASES, wait_bits };
    let builds = unit.toggles(&runs).expect("model and RTL agree");
    assert!(builds.len() >= 2, "two builds at least");
    for toggles in builds {
        let compared = toggles.compare(&claims);
        assert!(compared.wrong.is_empty(), "{} bits:\n{}", compared.wrong.len(), compared.wrong.join("\n"));
        assert_eq!(compared.seen + compared.out + compared.long, compared.ways);
    }
}

/// Latencies that the unit measures cross every power of two: as many bits as the quick tests have time for, or as many as
/// `LWP_WAIT_BITS` says. With 31 no bit is left out.
#[test]
fn every_bit_of_the_profiling_unit_toggles() {
    let bits = std::env::var("LWP_WAIT_BITS").map_or(SHORT, |bits| bits.parse().expect("LWP_WAIT_BITS is a number"));
    assert!((SHORT..=31).contains(&bits), "LWP_WAIT_BITS is a number from {SHORT} to 31");
    every_bit("lwp", bits);
}

#[test]
fn every_bit_of_the_time_stamp_counter_toggles() {
    every_bit("tsc", SHORT);
}

#[test]
fn every_bit_of_the_performance_counters_toggles() {
    every_bit("perf", SHORT);
}

#[test]
fn every_bit_of_the_debug_unit_toggles() {
    every_bit("debug", SHORT);
}

#[test]
fn every_bit_of_the_branch_records_toggles() {
    every_bit("trace", SHORT);
}

#[test]
fn every_bit_of_the_shared_cache_toggles() {
    every_bit("rdt", SHORT);
}

#[test]
fn every_bit_of_the_event_qualification_toggles() {
    every_bit("itanium", SHORT);
}
