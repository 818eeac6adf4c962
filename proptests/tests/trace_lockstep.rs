//! The unit of branch records: model and RTL agree in every output and every register in every cycle.

use lwp_model::Unit;
use lwp_model::retire::{RegOp, RegRequest};
use lwp_model::trace::{Config, Depth, Inputs, TraceUnit};
use proptests::lockstep::{UnitCycle, agree, recorded, rows_agree};
use proptests::runner::check;
use proptests::trace::buffers::{areas, buffers};
use proptests::trace::fill::fill;
use proptests::trace::pause::pause;
use proptests::trace::program::program;
use proptests::trace::scenario::{Scenario, scenario};
use sim_harness::rtl::{BuildId, Flavour};

/// Stretches of a scenario at most.
const STRETCHES: usize = 50;

/// Steps of a program at most.
const STEPS: usize = 80;

/// Records at most.
const STORES: usize = 12;

fn agrees<const LANES: usize, const ENTRIES: usize>(
    build: BuildId,
    flavour: Flavour,
    scenario: &Scenario<LANES>,
) -> Result<(), String> {
    let recording = recorded::<TraceUnit<LANES, ENTRIES>>(&scenario.straps, &scenario.cycles);
    agree::<TraceUnit<LANES, ENTRIES>>(build, flavour, &scenario.straps, &recording)
}

#[test]
fn one_lane_agrees() {
    check("trace_lockstep", "one_lane_agrees", &scenario(4, STRETCHES), |case| {
        agrees::<1, 4>(BuildId::TraceL1s4, Flavour::Fast, case)
    });
}

#[test]
fn four_lanes_agree() {
    check("trace_lockstep", "four_lanes_agree", &scenario(32, STRETCHES), |case| {
        agrees::<4, 32>(BuildId::TraceL4s32, Flavour::Fast, case)
    });
}

#[test]
fn one_lane_agrees_in_programs() {
    check("trace_lockstep", "one_lane_agrees_in_programs", &program::<1, 4>(STEPS), |case| {
        agrees::<1, 4>(BuildId::TraceL1s4, Flavour::Traced, case)
    });
}

#[test]
fn four_lanes_agree_in_programs() {
    check("trace_lockstep", "four_lanes_agree_in_programs", &program::<4, 32>(STEPS), |case| {
        agrees::<4, 32>(BuildId::TraceL4s32, Flavour::Traced, case)
    });
}

/// Records of both kinds, next to any power of two.
#[test]
fn buffers_agree() {
    check("trace_lockstep", "buffers_agree", &buffers::<1, 4>(STORES), |case| {
        agrees::<1, 4>(BuildId::TraceL1s4, Flavour::Fast, case)
    });
}

/// The same with the management area next to a power of two.
#[test]
fn areas_agree() {
    check("trace_lockstep", "areas_agree", &areas::<1, 4>(STORES), |case| {
        agrees::<1, 4>(BuildId::TraceL1s4, Flavour::Fast, case)
    });
}

/// Each bit of the stack's registers rises and falls.
#[test]
fn fills_agree() {
    for (number, scenario) in (0..).map_while(|number| fill(Depth::ThirtyTwo, number)).enumerate() {
        assert_eq!(agrees::<4, 32>(BuildId::TraceL4s32, Flavour::Fast, &scenario), Ok(()), "run {number}");
    }
}

/// The clocks since the last record count, and saturate.
#[test]
fn pauses_agree() {
    for (number, scenario) in (0..).map_while(pause).enumerate() {
        assert_eq!(agrees::<1, 4>(BuildId::TraceL1s4, Flavour::Fast, &scenario), Ok(()), "pause {number}");
    }
}

#[test]
fn assertions_hold_with_one_lane() {
    check("trace_lockstep", "assertions_hold_with_one_lane", &scenario(4, STRETCHES), |case| {
        agrees::<1, 4>(BuildId::TraceL1s4, Flavour::Traced, case)
    });
}

#[test]
fn assertions_hold_with_four_lanes() {
    check("trace_lockstep", "assertions_hold_with_four_lanes", &scenario(32, STRETCHES), |case| {
        agrees::<4, 32>(BuildId::TraceL4s32, Flavour::Traced, case)
    });
}

/// A difference is told by cycle and field.
#[test]
fn a_difference_is_named() {
    type One = TraceUnit<1, 4>;
    let straps = Config::default();
    let mut cycles = vec![UnitCycle::<Inputs<1>> { reset: true, ..UnitCycle::default() }; 2];
    cycles.extend(vec![UnitCycle::default(); 4]);
    cycles[2].inputs.reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number: 0x600, wdata: 0x1000 };
    let mut rows = recorded::<One>(&straps, &cycles).rows::<One>(&straps);
    assert_eq!(rows_agree::<One>(BuildId::TraceL1s4, Flavour::Fast, &straps, &rows), Ok(()));
    let field = One::OUTPUT_FIELDS.iter().find(|field| field.name == "state.control.ds_area").unwrap();
    rows.outputs[4 * One::OUTPUT_WORDS + field.word] ^= 1;
    let difference = rows_agree::<One>(BuildId::TraceL1s4, Flavour::Fast, &straps, &rows).unwrap_err();
    let beginning = "model (expected) and RTL differ in cycle 4: state.control.ds_area ";
    assert!(difference.starts_with(beginning), "{difference}");
}
