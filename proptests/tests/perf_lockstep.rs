//! The performance counters: model and RTL agree in every output and every register in every cycle.

use lwp_model::perf::Perf;
use proptests::lockstep::{agree, recorded};
use proptests::perf::Sizes;
use proptests::perf::counting::counting;
use proptests::perf::scenario::{Scenario, scenario};
use proptests::runner::check;
use sim_harness::rtl::{BuildId, Flavour};

/// Stretches of a scenario at most.
const STRETCHES: usize = 50;
/// Counters of the builds.
const P6: Sizes = Sizes { general: 2, fixed: 0 };
const ARCHITECTURAL: Sizes = Sizes { general: 4, fixed: 3 };

fn agrees<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    build: BuildId,
    flavour: Flavour,
    scenario: &Scenario<LP, LANES>,
) -> Result<(), String> {
    let recording = recorded::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps, &scenario.cycles);
    agree::<Perf<LP, GENERAL, FIXED, LANES>>(build, flavour, &scenario.straps, &recording)
}

#[test]
fn p6_counters_agree() {
    check("perf_lockstep", "p6_counters_agree", &scenario(P6, STRETCHES), |case| {
        agrees::<1, 2, 0, 4>(BuildId::PerfC2, Flavour::Fast, case)
    });
}

#[test]
fn architectural_counters_agree() {
    check("perf_lockstep", "architectural_counters_agree", &scenario(ARCHITECTURAL, STRETCHES), |case| {
        agrees::<2, 4, 3, 2>(BuildId::PerfC4, Flavour::Fast, case)
    });
}

#[test]
fn p6_programs_agree() {
    check("perf_lockstep", "p6_programs_agree", &counting(P6, STRETCHES), |case| {
        agrees::<1, 2, 0, 4>(BuildId::PerfC2, Flavour::Fast, case)
    });
}

#[test]
fn architectural_programs_agree() {
    check("perf_lockstep", "architectural_programs_agree", &counting(ARCHITECTURAL, STRETCHES), |case| {
        agrees::<2, 4, 3, 2>(BuildId::PerfC4, Flavour::Fast, case)
    });
}

#[test]
fn p6_assertions_hold() {
    check("perf_lockstep", "p6_assertions_hold", &scenario(P6, STRETCHES), |case| {
        agrees::<1, 2, 0, 4>(BuildId::PerfC2, Flavour::Traced, case)
    });
}

#[test]
fn architectural_assertions_hold() {
    check("perf_lockstep", "architectural_assertions_hold", &scenario(ARCHITECTURAL, STRETCHES), |case| {
        agrees::<2, 4, 3, 2>(BuildId::PerfC4, Flavour::Traced, case)
    });
}
