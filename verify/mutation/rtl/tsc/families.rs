//! The cases of the property tests of the time-stamp counter.

use crate::family::{FIRST, Family, drawn};
use lwp_model::tsc::Tsc;
use proptests::lockstep::recorded;
use proptests::tsc::scenario::scenario;
use sim_harness::rtl::BuildId;

/// The families, in the order in which they take turns.
pub(crate) const FAMILIES: [Family; 2] = [
    Family { name: "four_processors_agree", build: BuildId::TscLp4, digested: FIRST, words: agree::<4> },
    Family { name: "one_processor_agrees", build: BuildId::TscLp1, digested: FIRST, words: agree::<1> },
];

fn agree<const LP: usize>(number: u64) -> Option<Vec<u32>> {
    let drawn = drawn(number, &scenario(300));
    Some(recorded::<Tsc<LP>>(&drawn.straps, &drawn.cycles).case_words::<Tsc<LP>>(&drawn.straps))
}
