//! The independent reading of branch records: what model and RTL show at their ports is what the documents say.

use lwp_model::Unit;
use lwp_model::trace::{Config, Inputs, Outputs, TraceUnit};
use proptest::prelude::Strategy;
use proptests::capsule::note_property;
use proptests::floor::Floors;
use proptests::ports::{input_rows, of_model, of_rtl};
use proptests::runner::check;
use proptests::trace::judged;
use proptests::trace::program::program;
use proptests::trace::reading::{Coverage, Reading};
use proptests::trace::scenario::{Scenario, scenario};
use sim_harness::rtl::BuildId;
use std::cell::RefCell;

/// Steps of a program at most.
const STEPS: usize = 80;

/// Stretches of a scenario at most.
const STRETCHES: usize = 40;

/// A cycle at the ports: `rst_n`, the inputs, what is shown.
pub(crate) type Shown<const LANES: usize> = (bool, Inputs<LANES>, Outputs);

/// What was checked.
pub(crate) fn read<const LANES: usize>(straps: &Config, cycles: &[Shown<LANES>]) -> Result<Coverage, (u64, String)> {
    let mut reading = Reading::new(judged::straps(straps), LANES);
    for (number, (rst_n, inputs, out)) in cycles.iter().enumerate() {
        if !rst_n {
            reading.reset();
            continue;
        }
        reading
            .cycle(&judged::inputs(inputs), &judged::outputs(out))
            .map_err(|wrong| (number as u64, format!("cycle {number}: {wrong}")))?;
    }
    reading.finish().map_err(|wrong| (cycles.len() as u64, format!("at the end: {wrong}")))?;
    Ok(reading.coverage())
}

/// Reads the model, or the RTL, in many runs.
fn read_all<const LANES: usize, const ENTRIES: usize>(
    name: &str,
    (build, rtl): (BuildId, bool),
    runs: &impl Strategy<Value = Scenario<LANES>>,
    floors: &[(&'static str, [u64; 2])],
) where
    TraceUnit<LANES, ENTRIES>: Unit<Config = Config, Inputs = Inputs<LANES>, Outputs = Outputs>,
{
    let total = RefCell::new((Coverage::default(), 0));
    let cases = check("trace_reading", name, runs, |run| {
        let mut shown = of_model::<TraceUnit<LANES, ENTRIES>>(run.straps, run.cycles.iter().copied(), |_| ());
        if rtl {
            let outputs = |row: &[u32]| Ok(TraceUnit::<LANES, ENTRIES>::unpack_outputs(row));
            shown = of_rtl::<TraceUnit<LANES, ENTRIES>>(build, &run.straps, &shown, outputs)?;
        }
        let seen = read::<LANES>(&run.straps, &shown).map_err(|(cycle, text)| {
            let rows = input_rows::<TraceUnit<LANES, ENTRIES>>(&shown);
            note_property::<TraceUnit<LANES, ENTRIES>>("reading", build, &run.straps, &rows, (cycle, &text));
            text
        })?;
        let mut total = total.borrow_mut();
        total.0 += seen;
        total.1 += shown.len() as u64;
        Ok(())
    });
    let (seen, cycles) = total.into_inner();
    println!("{name}: {cases} cases, {cycles} cycles, {seen:?}");
    let list = seen.list();
    let count = |name: &str| list.iter().find(|(what, _)| *what == name).expect("each floor names a count").1;
    let counts: Vec<_> =
        floors.iter().map(|(name, rates)| (*name, count(name), rates[usize::from(LANES > 1)])).collect();
    Floors { test: name, cases, counts: &counts }.check();
    // A run whose states are too many to be followed checks nothing of the stack.
    assert!(seen.forgotten * 50 <= cases, "the stack was forgotten {} times in {cases} cases", seen.forgotten);
}

/// What 1000 programs held with one lane and with four, when it was measured
/// (`cargo test --release -p proptests --test suite trace_reading::programs -- --nocapture`).
const PROGRAMS: [(&str, [u64; 2]); 18] = [
    ("branches", [1200, 2400]),
    ("samples", [310, 300]),
    ("sent", [1200, 2800]),
    ("lost", [2800, 6000]),
    ("interrupts", [110, 140]),
    ("silent", [380, 430]),
    ("reloads", [610, 550]),
    ("faults", [3500, 3400]),
    ("absent", [4600, 4500]),
    ("controls", [90, 80]),
    ("tops", [340, 350]),
    ("addresses", [3500, 3800]),
    ("clocks", [250, 330]),
    ("exceptions", [580, 620]),
    ("debugs", [310, 310]),
    ("freezes", [240, 200]),
    ("smis", [97, 100]),
    ("rsms", [80, 80]),
];

/// What 1000 cases of any inputs held, with one lane and with four.
const ANYTHING: [(&str, [u64; 2]); 10] = [
    ("branches", [13, 20]),
    ("unjudged", [32, 42]),
    ("sent", [2600, 4800]),
    ("lost", [4700, 7200]),
    ("faults", [8900, 7800]),
    ("absent", [10_000, 9300]),
    ("controls", [1300, 1200]),
    ("tops", [110, 110]),
    ("debugs", [640, 540]),
    ("freezes", [630, 670]),
];

#[test]
fn programs_on_the_model_of_one_lane_meet_what_the_documents_say() {
    let name = "programs_on_the_model_of_one_lane_meet_what_the_documents_say";
    read_all::<1, 4>(name, (BuildId::TraceL1s4, false), &program::<1, 4>(STEPS), &PROGRAMS);
}

#[test]
fn programs_on_the_model_of_four_lanes_meet_what_the_documents_say() {
    let name = "programs_on_the_model_of_four_lanes_meet_what_the_documents_say";
    read_all::<4, 32>(name, (BuildId::TraceL4s32, false), &program::<4, 32>(STEPS), &PROGRAMS);
}

#[test]
fn programs_on_the_rtl_of_one_lane_meet_what_the_documents_say() {
    let name = "programs_on_the_rtl_of_one_lane_meet_what_the_documents_say";
    read_all::<1, 4>(name, (BuildId::TraceL1s4, true), &program::<1, 4>(STEPS), &PROGRAMS);
}

#[test]
fn programs_on_the_rtl_of_four_lanes_meet_what_the_documents_say() {
    let name = "programs_on_the_rtl_of_four_lanes_meet_what_the_documents_say";
    read_all::<4, 32>(name, (BuildId::TraceL4s32, true), &program::<4, 32>(STEPS), &PROGRAMS);
}

#[test]
fn anything_on_the_model_is_as_the_documents_allow() {
    let name = "anything_on_the_model_is_as_the_documents_allow";
    read_all::<4, 32>(name, (BuildId::TraceL4s32, false), &scenario(32, STRETCHES), &ANYTHING);
}

#[test]
fn anything_on_the_rtl_is_as_the_documents_allow() {
    let name = "anything_on_the_rtl_is_as_the_documents_allow";
    read_all::<1, 4>(name, (BuildId::TraceL1s4, true), &scenario(4, STRETCHES), &ANYTHING);
}
