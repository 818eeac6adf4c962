//! The shared cache: model and RTL agree in every output, every register, every write of a memory and the set that is shown, in every cycle.

use lwp_model::Unit;
use lwp_model::rdt::{Config, Inputs};
use lwp_model::retire::{RegOp, RegRequest};
use proptests::lockstep::{UnitCycle, agree, recorded, rows_agree};
use proptests::rdt::fill::{churn, fill};
use proptests::rdt::scenario::{Scenario, scenario};
use proptests::rdt::sweep::{carries, masks, periods, resources};
use proptests::rdt::{Build, Large, Small};
use proptests::runner::check;
use sim_harness::rtl::{BuildId, Flavour};

/// Stretches of a scenario at most.
const STRETCHES: usize = 50;

fn agrees<U: Build<LP>, const LP: usize>(
    build: BuildId,
    flavour: Flavour,
    scenario: &Scenario<LP>,
) -> Result<(), String> {
    let recording = recorded::<U>(&scenario.straps, &scenario.cycles);
    agree::<U>(build, flavour, &scenario.straps, &recording)
}

#[test]
fn the_small_build_agrees() {
    check("rdt_lockstep", "the_small_build_agrees", &scenario(Small::SIZES, STRETCHES), |case| {
        agrees::<Small, 2>(BuildId::RdtS8w4, Flavour::Fast, case)
    });
}

#[test]
fn the_large_build_agrees() {
    check("rdt_lockstep", "the_large_build_agrees", &scenario(Large::SIZES, STRETCHES), |case| {
        agrees::<Large, 4>(BuildId::RdtS64w16, Flavour::Fast, case)
    });
}

#[test]
fn assertions_hold_in_the_small_build() {
    check("rdt_lockstep", "assertions_hold_in_the_small_build", &scenario(Small::SIZES, STRETCHES), |case| {
        agrees::<Small, 2>(BuildId::RdtS8w4, Flavour::Traced, case)
    });
}

#[test]
fn assertions_hold_in_the_large_build() {
    check("rdt_lockstep", "assertions_hold_in_the_large_build", &scenario(Large::SIZES, STRETCHES / 2), |case| {
        agrees::<Large, 4>(BuildId::RdtS64w16, Flavour::Traced, case)
    });
}

/// One RMID has every line of the cache, then none.
#[test]
fn full_caches_agree() {
    for rmid in 0..16 {
        let scenario = fill::<Large, 4>(rmid);
        let recording = recorded::<Large>(&scenario.straps, &scenario.cycles);
        let occupancies = || recording.cycles.iter().map(|cycle| cycle.state.rmid[usize::from(rmid)].occupancy);
        assert_eq!((occupancies().max(), occupancies().next_back()), (Some(1024), Some(0)));
        assert_eq!(agree::<Large>(BuildId::RdtS64w16, Flavour::Fast, &scenario.straps, &recording), Ok(()));
    }
}

/// Lines of any address go through all ways of one set, and each mask and delay has been ones and zeros.
fn churned<U: Build<LP>, const LP: usize>(build: BuildId) {
    assert_eq!(agrees::<U, LP>(build, Flavour::Fast, &churn::<U, LP>()), Ok(()));
}

#[test]
fn one_set_agrees() {
    churned::<Small, 2>(BuildId::RdtS8w4);
}

#[test]
fn one_large_set_agrees() {
    churned::<Large, 4>(BuildId::RdtS64w16);
}

/// Every number of a sweep, until there is none.
fn swept<U: Build<LP>, const LP: usize>(build: BuildId, run: fn(u64) -> Option<Scenario<LP>>) {
    for (number, scenario) in (0..).map_while(run).enumerate() {
        assert_eq!(agrees::<U, LP>(build, Flavour::Fast, &scenario), Ok(()), "{number}");
    }
}

#[test]
fn carries_agree() {
    swept::<Large, 4>(BuildId::RdtS64w16, carries::<Large, 4>);
}

#[test]
fn periods_agree() {
    swept::<Small, 2>(BuildId::RdtS8w4, periods::<Small, 2>);
}

#[test]
fn resources_agree() {
    swept::<Small, 2>(BuildId::RdtS8w4, resources::<Small, 2>);
}

#[test]
fn masks_agree() {
    assert_eq!(agrees::<Large, 4>(BuildId::RdtS64w16, Flavour::Fast, &masks::<Large, 4>()), Ok(()));
}

/// A difference is told by cycle and field.
#[test]
fn a_difference_is_named() {
    let straps = Config::default();
    let mut cycles = vec![UnitCycle::<Inputs<2>> { reset: true, ..UnitCycle::default() }; 2];
    cycles.extend(vec![UnitCycle::default(); 20]);
    cycles[15].inputs.reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 1, number: 0xC8F, wdata: 3 };
    let mut rows = recorded::<Small>(&straps, &cycles).rows::<Small>(&straps);
    assert_eq!(rows_agree::<Small>(BuildId::RdtS8w4, Flavour::Fast, &straps, &rows), Ok(()));
    let field = Small::OUTPUT_FIELDS.iter().find(|field| field.name == "state.lp[1].rmid").expect("the field");
    rows.outputs[17 * Small::OUTPUT_WORDS + field.word] ^= 1 << field.lsb;
    let difference = rows_agree::<Small>(BuildId::RdtS8w4, Flavour::Fast, &straps, &rows).unwrap_err();
    let beginning = "model (expected) and RTL differ in cycle 17: state.lp[1].rmid ";
    assert!(difference.starts_with(beginning), "{difference}");
}
