//! Event qualification: model and RTL agree in every output and every register in every cycle.

use lwp_model::itanium::Itanium;
use proptests::itanium::scenario::{Scenario, scenario};
use proptests::lockstep::{agree, recorded};
use proptests::runner::check;
use sim_harness::rtl::{BuildId, Flavour};

/// Stretches of a scenario at most.
const STRETCHES: usize = 50;

fn agrees<const BUNDLES: usize, const ENTRIES: usize>(
    build: BuildId,
    flavour: Flavour,
    scenario: &Scenario<BUNDLES>,
) -> Result<(), String> {
    let recording = recorded::<Itanium<BUNDLES, ENTRIES>>(&scenario.straps, &scenario.cycles);
    agree::<Itanium<BUNDLES, ENTRIES>>(build, flavour, &scenario.straps, &recording)
}

#[test]
fn one_bundle_agrees() {
    check("itanium_lockstep", "one_bundle_agrees", &scenario(STRETCHES), |case| {
        agrees::<1, 4>(BuildId::ItaniumB1e4, Flavour::Fast, case)
    });
}

#[test]
fn two_bundles_agree() {
    check("itanium_lockstep", "two_bundles_agree", &scenario(STRETCHES), |case| {
        agrees::<2, 16>(BuildId::ItaniumB2e16, Flavour::Fast, case)
    });
}

#[test]
fn assertions_hold_with_one_bundle() {
    check("itanium_lockstep", "assertions_hold_with_one_bundle", &scenario(STRETCHES), |case| {
        agrees::<1, 4>(BuildId::ItaniumB1e4, Flavour::Traced, case)
    });
}

#[test]
fn assertions_hold_with_two_bundles() {
    check("itanium_lockstep", "assertions_hold_with_two_bundles", &scenario(STRETCHES), |case| {
        agrees::<2, 16>(BuildId::ItaniumB2e16, Flavour::Traced, case)
    });
}
