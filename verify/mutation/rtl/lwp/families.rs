//! The cases of the property tests of LWP.

use crate::family::{ALL, FIRST, Family, drawn};
use proptests::lwp::bench::{play, play_noise, play_sequence};
use proptests::lwp::directed::{self, Directed};
use proptests::lwp::lockstep::case_words;
use proptests::lwp::scenario::{busy, noise, scenario, sequence};
use sim_harness::rtl::BuildId;
use std::sync::LazyLock;

/// The families, in the order in which they take turns.
pub(crate) const FAMILIES: [Family; 7] = [
    Family { name: "four_lanes_agree", build: BuildId::LwpW4, digested: FIRST, words: four_lanes },
    Family { name: "one_lane_agrees", build: BuildId::LwpW1, digested: FIRST, words: one_lane },
    Family { name: "noise_agrees", build: BuildId::LwpW4, digested: FIRST, words: noise_agrees },
    Family { name: "busy_sessions_agree", build: BuildId::LwpW4, digested: FIRST, words: busy_sessions },
    Family { name: "sequences_agree", build: BuildId::LwpW4, digested: FIRST, words: sequences },
    Family {
        name: "sequences_agree_in_one_lane",
        build: BuildId::LwpW1,
        digested: FIRST,
        words: sequences_in_one_lane,
    },
    Family { name: "directed_sequences_agree", build: BuildId::LwpW4, digested: ALL, words: directed_sequences },
];

fn four_lanes(number: u64) -> Option<Vec<u32>> {
    let drawn = drawn(number, &scenario(120));
    Some(case_words(&drawn.straps, &play::<4, 8, 31>(&drawn).0))
}

fn one_lane(number: u64) -> Option<Vec<u32>> {
    let drawn = drawn(number, &scenario(120));
    Some(case_words(&drawn.straps, &play::<1, 3, 10>(&drawn).0))
}

fn noise_agrees(number: u64) -> Option<Vec<u32>> {
    let (straps, inputs) = drawn(number, &noise());
    let recording = play_noise(&straps, &inputs).expect("straps that are drawn are legal");
    Some(case_words(&straps, &recording))
}

fn busy_sessions(number: u64) -> Option<Vec<u32>> {
    let drawn = drawn(number, &busy(80));
    Some(case_words(&drawn.straps, &play::<4, 8, 31>(&drawn).0))
}

fn sequences(number: u64) -> Option<Vec<u32>> {
    let drawn = drawn(number, &sequence(20));
    Some(case_words(&drawn.scenario.straps, &play_sequence::<4, 8, 31>(&drawn).0))
}

fn sequences_in_one_lane(number: u64) -> Option<Vec<u32>> {
    let drawn = drawn(number, &sequence(20));
    Some(case_words(&drawn.scenario.straps, &play_sequence::<1, 3, 10>(&drawn).0))
}

/// These are not drawn: there are so many and no more.
fn directed_sequences(number: u64) -> Option<Vec<u32>> {
    static RUNS: LazyLock<Vec<Directed>> = LazyLock::new(directed::all);
    let sequence = &RUNS.get(usize::try_from(number).ok()?)?.sequence;
    Some(case_words(&sequence.scenario.straps, &play_sequence::<4, 8, 31>(sequence).0))
}
