//! The cases of the property tests of the unit of branch records.

use crate::family::{ALL, FIRST, Family, drawn};
use lwp_model::trace::{Depth, TraceUnit};
use proptests::lockstep::recorded;
use proptests::trace::buffers::{areas, buffers};
use proptests::trace::fill::fill;
use proptests::trace::pause::pause;
use proptests::trace::program::program;
use proptests::trace::scenario::{Scenario, scenario};
use sim_harness::rtl::BuildId;

/// Stretches of a scenario, steps of a program and records at most, as in the tests.
const STRETCHES: usize = 50;
const STEPS: usize = 80;
const STORES: usize = 12;

const fn family(name: &'static str, build: BuildId, words: fn(u64) -> Option<Vec<u32>>) -> Family {
    Family { name, build, digested: FIRST, words }
}

/// The families, in the order in which they take turns.
pub(crate) const FAMILIES: [Family; 8] = [
    family("one_lane_agrees_in_programs", BuildId::TraceL1s4, |number| one(&drawn(number, &program::<1, 4>(STEPS)))),
    family("one_lane_agrees", BuildId::TraceL1s4, |number| one(&drawn(number, &scenario(4, STRETCHES)))),
    family("four_lanes_agree_in_programs", BuildId::TraceL4s32, |number| {
        four(&drawn(number, &program::<4, 32>(STEPS)))
    }),
    family("four_lanes_agree", BuildId::TraceL4s32, |number| four(&drawn(number, &scenario(32, STRETCHES)))),
    family("buffers_agree", BuildId::TraceL1s4, |number| one(&drawn(number, &buffers::<1, 4>(STORES)))),
    family("areas_agree", BuildId::TraceL1s4, |number| one(&drawn(number, &areas::<1, 4>(STORES)))),
    family("fills_agree", BuildId::TraceL4s32, |number| fill(Depth::ThirtyTwo, number).and_then(|fill| four(&fill))),
    Family {
        name: "pauses_agree",
        build: BuildId::TraceL1s4,
        digested: ALL,
        words: |number| pause(number as usize).and_then(|pause| one(&pause)),
    },
];

fn one(scenario: &Scenario<1>) -> Option<Vec<u32>> {
    let recording = recorded::<TraceUnit<1, 4>>(&scenario.straps, &scenario.cycles);
    Some(recording.case_words::<TraceUnit<1, 4>>(&scenario.straps))
}

fn four(scenario: &Scenario<4>) -> Option<Vec<u32>> {
    let recording = recorded::<TraceUnit<4, 32>>(&scenario.straps, &scenario.cycles);
    Some(recording.case_words::<TraceUnit<4, 32>>(&scenario.straps))
}
