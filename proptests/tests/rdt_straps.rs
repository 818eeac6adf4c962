//! Straps that no hardware may have are refused by the model, and by assertions of the RTL.

use lwp_model::rdt::{Config, Vendor};
use proptests::lockstep::{UnitCycle, recorded, rows_agree};
use proptests::rdt::{Build, Large, Small};
use sim_harness::rtl::{BuildId, Flavour};

/// No L2 cache.
const WITHOUT: Config =
    Config { l2: false, l2_sets: 0, l2_ways: 0, l2_cat: false, l2_cdp: false, l2_cos: 0, ..Config::DEFAULT };

/// The illegal combinations of the contract, in its order, that do not depend on sizes.
const ILLEGAL: &[(&str, Config)] = &[
    ("lines too short", Config { line: 3, ..Config::DEFAULT }),
    ("lines too long", Config { line: 9, ..Config::DEFAULT }),
    ("no way of L3", Config { l3_ways: 0, ..Config::DEFAULT }),
    ("no way of L2", Config { l2_ways: 0, ..Config::DEFAULT }),
    ("sets without L2", Config { l2_sets: 1, ..WITHOUT }),
    ("ways without L2", Config { l2_ways: 1, ..WITHOUT }),
    ("masks without L2", Config { l2_cat: true, ..WITHOUT }),
    ("AMD's masks restricted", Config { vendor: Vendor::Amd, sparse: true, ..Config::DEFAULT }),
    ("more is monitored than there is", Config { max_rmid: 2, ..Config::DEFAULT }),
    ("RMIDs without monitoring", Config { events: 0, max_rmid: 1, l3_max_rmid: 0, ..Config::DEFAULT }),
    ("too narrow", Config { width: 23, ..Config::DEFAULT }),
    ("too wide", Config { width: 63, ..Config::DEFAULT }),
    ("24 bits of AMD", Config { vendor: Vendor::Amd, ..Config::DEFAULT }),
    ("too wide with its scale", Config { width: 62, scale: 1, ..Config::DEFAULT }),
    ("L3 classes without masks", Config { l3_cat: false, l3_cdp: false, l3_cos: 1, ..Config::DEFAULT }),
    ("L3 CDP without masks", Config { l3_cat: false, l3_cdp: true, l3_cos: 0, ..Config::DEFAULT }),
    ("L2 classes without masks", Config { l2_cat: false, l2_cdp: false, l2_cos: 1, ..Config::DEFAULT }),
    ("L2 CDP without masks", Config { l2_cat: false, l2_cdp: true, l2_cos: 0, ..Config::DEFAULT }),
    ("delays of classes without delays", Config { mba: false, mba_cos: 1, ..Config::DEFAULT }),
    ("L3 CDP with one class", Config { l3_cos: 0, ..Config::DEFAULT }),
    ("L2 CDP with one class", Config { l2_cos: 0, ..Config::DEFAULT }),
    ("no delay", Config { mba_max: 0, ..Config::DEFAULT }),
    ("no period", Config { mba_period: 0, ..Config::DEFAULT }),
    ("a stop", Config { mba_max: 100, ..Config::DEFAULT }),
];

/// Those of the sizes: one more of each than the build has.
fn beyond<U: Build<LP>, const LP: usize>() -> Vec<(&'static str, Config)> {
    let (sizes, default) = (U::SIZES, Config::DEFAULT);
    let rmids = sizes.rmids as u8;
    vec![
        ("sets of L3", Config { l3_sets: sizes.l3_sets.ilog2() as u8 + 1, ..default }),
        ("ways of L3", Config { l3_ways: sizes.l3_ways as u8 + 1, ..default }),
        ("sets of L2", Config { l2_sets: sizes.l2_sets.ilog2() as u8 + 1, ..default }),
        ("ways of L2", Config { l2_ways: sizes.l2_ways as u8 + 1, ..default }),
        ("RMIDs", Config { max_rmid: rmids, ..default }),
        ("classes of L3", Config { l3_cos: sizes.classes as u8, ..default }),
        ("classes of L2", Config { l2_cos: sizes.classes as u8, ..default }),
        ("classes of delays", Config { mba_cos: sizes.classes as u8, ..default }),
    ]
}

/// What the RTL says to straps in two cycles of reset.
fn asserted<U: Build<LP>, const LP: usize>(build: BuildId, straps: &Config) -> Result<(), String> {
    let cycles = vec![UnitCycle { reset: true, ..UnitCycle::default() }; 3];
    let rows = recorded::<U>(&Config::DEFAULT, &cycles).rows::<U>(&Config::DEFAULT);
    rows_agree::<U>(build, Flavour::Traced, straps, &rows)
}

fn refused<U: Build<LP>, const LP: usize>(build: BuildId) {
    assert_eq!(asserted::<U, LP>(build, &Config::DEFAULT), Ok(()));
    assert_eq!(asserted::<U, LP>(build, &WITHOUT), Ok(()));
    for (name, straps) in ILLEGAL.iter().copied().chain(beyond::<U, LP>()) {
        assert!(U::validate(&straps).is_err(), "the model takes {name}");
        let said = asserted::<U, LP>(build, &straps).expect_err(name);
        assert!(said.contains("assertion"), "{name}: {said}");
    }
}

#[test]
fn the_small_build_refuses_illegal_straps() {
    refused::<Small, 2>(BuildId::RdtS8w4);
}

#[test]
fn the_large_build_refuses_illegal_straps() {
    refused::<Large, 4>(BuildId::RdtS64w16);
}
