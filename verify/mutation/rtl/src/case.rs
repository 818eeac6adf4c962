//! The cases of the property tests, as words for the program with mutants.

use crate::program::{Sizes, W1, W4};
use proptest::strategy::Strategy;
use proptests::lwp::bench::{play, play_noise, play_sequence};
use proptests::lwp::directed::{self, Directed};
use proptests::lwp::lockstep::case_words;
use proptests::lwp::scenario::{busy, noise, scenario, sequence};
use proptests::runner::draw;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// Seed of the first case, as in the tests.
const SEED: u64 = 2007;

/// A property test that holds the RTL to the model: its cases, drawn as the test draws them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Family {
    /// The test in proptests/tests/lockstep.rs.
    pub(crate) name: &'static str,
    pub(crate) sizes: Sizes,
    digested: u64,
    words: fn(u64) -> Option<Vec<u32>>,
}

/// How many cases that are drawn stand for all of them in a digest.
const FIRST: u64 = 40;
/// All there are.
const ALL: u64 = u64::MAX;

impl Family {
    /// Case `number`: how many cycles it has, and its words. None: the family has no such case.
    pub(crate) fn case(&self, number: u64) -> Option<(u64, Vec<u32>)> {
        let words = (self.words)(number)?;
        Some((u64::from(words[0]), words))
    }

    /// A digest of its cases: generators, bench and model all show in them.
    pub(crate) fn digest(&self) -> impl AsRef<[u8]> + use<> {
        let mut hasher = Sha256::new();
        for (_, words) in (0..self.digested).map_while(|number| self.case(number)) {
            words.iter().for_each(|word| hasher.update(word.to_le_bytes()));
        }
        hasher.finalize()
    }
}

/// The families, in the order in which they take turns.
pub(crate) const FAMILIES: [Family; 7] = [
    Family { name: "four_lanes_agree", sizes: W4, digested: FIRST, words: four_lanes },
    Family { name: "one_lane_agrees", sizes: W1, digested: FIRST, words: one_lane },
    Family { name: "noise_agrees", sizes: W4, digested: FIRST, words: noise_agrees },
    Family { name: "busy_sessions_agree", sizes: W4, digested: FIRST, words: busy_sessions },
    Family { name: "sequences_agree", sizes: W4, digested: FIRST, words: sequences },
    Family { name: "sequences_agree_in_one_lane", sizes: W1, digested: FIRST, words: sequences_in_one_lane },
    Family { name: "directed_sequences_agree", sizes: W4, digested: ALL, words: directed_sequences },
];

/// Case `number` of a property: what a test draws from the seed of that case.
fn drawn<S: Strategy>(number: u64, strategy: &S) -> S::Value {
    draw(SEED + number, strategy)
}

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
