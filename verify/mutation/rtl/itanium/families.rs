//! The cases of the property tests of Itanium's event qualification.

use crate::family::{FIRST, Family, drawn};
use lwp_model::itanium::Itanium;
use proptests::itanium::scenario::scenario;
use proptests::lockstep::recorded;
use sim_harness::rtl::BuildId;

/// Stretches of a scenario at most, as in the tests.
const STRETCHES: usize = 50;

/// The families, in the order in which they take turns.
pub(crate) const FAMILIES: [Family; 2] = [
    Family { name: "one_bundle_agrees", build: BuildId::ItaniumB1e4, digested: FIRST, words: agree::<1, 4> },
    Family { name: "two_bundles_agree", build: BuildId::ItaniumB2e16, digested: FIRST, words: agree::<2, 16> },
];

fn agree<const BUNDLES: usize, const ENTRIES: usize>(number: u64) -> Option<Vec<u32>> {
    let drawn = drawn(number, &scenario::<BUNDLES>(STRETCHES));
    let recording = recorded::<Itanium<BUNDLES, ENTRIES>>(&drawn.straps, &drawn.cycles);
    Some(recording.case_words::<Itanium<BUNDLES, ENTRIES>>(&drawn.straps))
}
