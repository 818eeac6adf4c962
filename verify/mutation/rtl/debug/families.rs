//! The cases of the property tests of the debug unit.

use crate::family::{FIRST, Family, drawn};
use lwp_model::debug::DebugUnit;
use proptests::debug::program::program;
use proptests::debug::scenario::{Scenario, scenario};
use proptests::lockstep::recorded;
use sim_harness::rtl::BuildId;

/// Stretches of a scenario and steps of a program at most, as in the tests.
const STRETCHES: usize = 50;
const STEPS: usize = 80;

const fn family(name: &'static str, build: BuildId, words: fn(u64) -> Option<Vec<u32>>) -> Family {
    Family { name, build, digested: FIRST, words }
}

/// The families, in the order in which they take turns.
pub(crate) const FAMILIES: [Family; 4] = [
    family("four_lanes_agree_in_programs", BuildId::DebugL4a2, |number| {
        four(&drawn(number, &program::<4, 2>(STEPS)))
    }),
    family("four_lanes_agree", BuildId::DebugL4a2, |number| four(&drawn(number, &scenario(STRETCHES)))),
    family("one_lane_agrees_in_programs", BuildId::DebugL1a1, |number| one(&drawn(number, &program::<1, 1>(STEPS)))),
    family("one_lane_agrees", BuildId::DebugL1a1, |number| one(&drawn(number, &scenario(STRETCHES)))),
];

fn four(scenario: &Scenario<4>) -> Option<Vec<u32>> {
    Some(recorded::<DebugUnit<4, 2>>(&scenario.straps, &scenario.cycles).case_words::<DebugUnit<4, 2>>(&scenario.straps))
}

fn one(scenario: &Scenario<1>) -> Option<Vec<u32>> {
    Some(recorded::<DebugUnit<1, 1>>(&scenario.straps, &scenario.cycles).case_words::<DebugUnit<1, 1>>(&scenario.straps))
}
