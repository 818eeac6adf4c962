//! The debug unit: model and RTL agree in every output and every register in every cycle.

use lwp_model::Unit;
use lwp_model::debug::{Config, DebugUnit, Inputs};
use lwp_model::retire::{RegOp, RegRequest};
use proptests::debug::program::program;
use proptests::debug::scenario::{Scenario, scenario};
use proptests::lockstep::{UnitCycle, agree, recorded, rows_agree};
use proptests::runner::check;
use sim_harness::rtl::{BuildId, Flavour};

/// Stretches of a scenario at most.
const STRETCHES: usize = 50;

/// Steps of a program at most.
const STEPS: usize = 80;

fn agrees<const LANES: usize, const ACCESSES: usize>(
    build: BuildId,
    flavour: Flavour,
    scenario: &Scenario<LANES>,
) -> Result<(), String> {
    let recording = recorded::<DebugUnit<LANES, ACCESSES>>(&scenario.straps, &scenario.cycles);
    agree::<DebugUnit<LANES, ACCESSES>>(build, flavour, &scenario.straps, &recording)
}

#[test]
fn one_lane_agrees() {
    check("debug_lockstep", "one_lane_agrees", &scenario(STRETCHES), |case| {
        agrees::<1, 1>(BuildId::DebugL1a1, Flavour::Fast, case)
    });
}

#[test]
fn four_lanes_agree() {
    check("debug_lockstep", "four_lanes_agree", &scenario(STRETCHES), |case| {
        agrees::<4, 2>(BuildId::DebugL4a2, Flavour::Fast, case)
    });
}

#[test]
fn one_lane_agrees_in_programs() {
    check("debug_lockstep", "one_lane_agrees_in_programs", &program::<1, 1>(STEPS), |case| {
        agrees::<1, 1>(BuildId::DebugL1a1, Flavour::Traced, case)
    });
}

#[test]
fn four_lanes_agree_in_programs() {
    check("debug_lockstep", "four_lanes_agree_in_programs", &program::<4, 2>(STEPS), |case| {
        agrees::<4, 2>(BuildId::DebugL4a2, Flavour::Traced, case)
    });
}

#[test]
fn assertions_hold_with_one_lane() {
    check("debug_lockstep", "assertions_hold_with_one_lane", &scenario(STRETCHES), |case| {
        agrees::<1, 1>(BuildId::DebugL1a1, Flavour::Traced, case)
    });
}

#[test]
fn assertions_hold_with_four_lanes() {
    check("debug_lockstep", "assertions_hold_with_four_lanes", &scenario(STRETCHES), |case| {
        agrees::<4, 2>(BuildId::DebugL4a2, Flavour::Traced, case)
    });
}

/// A difference is told by cycle and field.
#[test]
fn a_difference_is_named() {
    type One = DebugUnit<1, 1>;
    let straps = Config::default();
    let mut cycles = vec![UnitCycle::<Inputs<1>> { reset: true, ..UnitCycle::default() }; 2];
    cycles.extend(vec![UnitCycle::default(); 4]);
    cycles[2].inputs.reg = RegRequest { valid: true, op: RegOp::WriteDr, lp: 0, number: 0, wdata: 0x1000 };
    let mut rows = recorded::<One>(&straps, &cycles).rows::<One>(&straps);
    assert_eq!(rows_agree::<One>(BuildId::DebugL1a1, Flavour::Fast, &straps, &rows), Ok(()));
    let field = One::OUTPUT_FIELDS.iter().find(|field| field.name == "state.registers.address[0]").unwrap();
    rows.outputs[4 * One::OUTPUT_WORDS + field.word] ^= 1;
    let difference = rows_agree::<One>(BuildId::DebugL1a1, Flavour::Fast, &straps, &rows).unwrap_err();
    let beginning = "model (expected) and RTL differ in cycle 4: state.registers.address[0] ";
    assert!(difference.starts_with(beginning), "{difference}");
}
