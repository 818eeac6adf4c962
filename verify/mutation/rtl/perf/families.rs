//! The cases of the property tests of the performance counters.

use crate::family::{ALL, FIRST, Family, drawn};
use lwp_model::perf::Perf;
use proptests::lockstep::recorded;
use proptests::perf::Sizes;
use proptests::perf::counting::counting;
use proptests::perf::events::listed;
use proptests::perf::scenario::{Scenario, scenario};
use sim_harness::rtl::BuildId;

/// Stretches of a scenario at most, as in the tests.
const STRETCHES: usize = 50;
const P6: Sizes = Sizes { general: 2, fixed: 0 };
const ARCHITECTURAL: Sizes = Sizes { general: 4, fixed: 3 };

const fn family(name: &'static str, build: BuildId, words: fn(u64) -> Option<Vec<u32>>) -> Family {
    Family { name, build, digested: FIRST, words }
}

/// The families, in the order in which they take turns.
pub(crate) const FAMILIES: [Family; 5] = [
    family("architectural_programs_agree", BuildId::PerfC4, |number| {
        words::<2, 4, 3, 2>(&drawn(number, &counting(ARCHITECTURAL, STRETCHES)))
    }),
    family("p6_programs_agree", BuildId::PerfC2, |number| {
        words::<1, 2, 0, 4>(&drawn(number, &counting(P6, STRETCHES)))
    }),
    family("architectural_counters_agree", BuildId::PerfC4, |number| {
        words::<2, 4, 3, 2>(&drawn(number, &scenario(ARCHITECTURAL, STRETCHES)))
    }),
    family("p6_counters_agree", BuildId::PerfC2, |number| {
        words::<1, 2, 0, 4>(&drawn(number, &scenario(P6, STRETCHES)))
    }),
    Family { name: "listed_events_agree", build: BuildId::PerfC2, digested: ALL, words: events },
];

fn events(number: u64) -> Option<Vec<u32>> {
    let (straps, cycles) = listed(number)?;
    Some(recorded::<Perf<1, 2, 0, 4>>(&straps, &cycles).case_words::<Perf<1, 2, 0, 4>>(&straps))
}

fn words<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    scenario: &Scenario<LP, LANES>,
) -> Option<Vec<u32>> {
    let recording = recorded::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps, &scenario.cycles);
    Some(recording.case_words::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps))
}
