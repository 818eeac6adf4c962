//! The cases of the property tests of the shared cache.

use crate::family::{ALL, FIRST, Family, drawn};
use proptests::lockstep::recorded;
use proptests::rdt::fill::{churn, fill};
use proptests::rdt::scenario::{Scenario, scenario};
use proptests::rdt::sweep::{carries, masks, periods, resources};
use proptests::rdt::{Build, Large, Small};
use sim_harness::rtl::BuildId;

/// Stretches of a scenario at most, as in the tests.
const STRETCHES: usize = 50;

const fn family(name: &'static str, build: BuildId, words: fn(u64) -> Option<Vec<u32>>) -> Family {
    Family { name, build, digested: FIRST, words }
}

/// A family of runs by hand, all of which are digested.
const fn listed(name: &'static str, build: BuildId, words: fn(u64) -> Option<Vec<u32>>) -> Family {
    Family { name, build, digested: ALL, words }
}

/// The families, in the order in which they take turns.
pub(crate) const FAMILIES: [Family; 9] = [
    family("the_small_build_agrees", BuildId::RdtS8w4, |number| {
        words::<Small, 2>(&drawn(number, &scenario(Small::SIZES, STRETCHES)))
    }),
    family("the_large_build_agrees", BuildId::RdtS64w16, |number| {
        words::<Large, 4>(&drawn(number, &scenario(Large::SIZES, STRETCHES)))
    }),
    listed("one_set_agrees", BuildId::RdtS8w4, |number| {
        (number == 0).then(churn::<Small, 2>).and_then(|run| words::<Small, 2>(&run))
    }),
    listed("one_large_set_agrees", BuildId::RdtS64w16, |number| {
        (number == 0).then(churn::<Large, 4>).and_then(|run| words::<Large, 4>(&run))
    }),
    listed("full_caches_agree", BuildId::RdtS64w16, |number| {
        let rmid = u8::try_from(number).ok().filter(|rmid| usize::from(*rmid) < Large::SIZES.rmids)?;
        words::<Large, 4>(&fill::<Large, 4>(rmid))
    }),
    listed("carries_agree", BuildId::RdtS64w16, |number| words::<Large, 4>(&carries::<Large, 4>(number)?)),
    listed("periods_agree", BuildId::RdtS8w4, |number| words::<Small, 2>(&periods::<Small, 2>(number)?)),
    listed("resources_agree", BuildId::RdtS8w4, |number| words::<Small, 2>(&resources::<Small, 2>(number)?)),
    listed("masks_agree", BuildId::RdtS64w16, |number| {
        (number == 0).then(masks::<Large, 4>).and_then(|run| words::<Large, 4>(&run))
    }),
];

fn words<U: Build<LP>, const LP: usize>(scenario: &Scenario<LP>) -> Option<Vec<u32>> {
    let recording = recorded::<U>(&scenario.straps, &scenario.cycles);
    Some(recording.case_words::<U>(&scenario.straps))
}
