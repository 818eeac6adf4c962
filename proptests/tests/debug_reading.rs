//! The independent reading of the debug unit: what model and RTL show at their ports is what the documents say. And a unit with something
//! wrong, which the reading has to notice.

use lwp_model::Unit;
use lwp_model::debug::{Config, DebugUnit, Inputs, Outputs};
use proptest::prelude::Strategy;
use proptests::capsule::note_property;
use proptests::debug::program::program;
use proptests::debug::reading::{Coverage, Reading, outputs};
use proptests::debug::scenario::{Scenario, scenario};
use proptests::floor::Floors;
use proptests::ports::{input_rows, of_model, of_rtl};
use proptests::runner::check;
use sim_harness::rtl::BuildId;
use std::cell::RefCell;

/// Steps of a program at most.
const STEPS: usize = 80;

/// Stretches of a scenario at most.
const STRETCHES: usize = 10;

/// A cycle at the ports: `rst_n`, the inputs, what is shown.
pub(crate) type Shown<const LANES: usize> = (bool, Inputs<LANES>, Outputs);

/// What was checked, and the cycles that there were too many states to follow.
pub(crate) fn read<const LANES: usize, const ACCESSES: usize>(
    straps: &Config,
    cycles: &[Shown<LANES>],
) -> Result<(Coverage, u64), (u64, String)> {
    let mut reading = Reading::<LANES, ACCESSES>::new(straps);
    let mut lost = 0;
    for (number, (rst_n, inputs, out)) in cycles.iter().enumerate() {
        reading.cycle(*rst_n, inputs, out).map_err(|text| (number as u64, format!("cycle {number}: {text}")))?;
        lost += u64::from(reading.states() == 0);
    }
    Ok((*reading.coverage(), lost))
}

/// Reads the model, or the RTL, in many runs.
fn read_all<const LANES: usize, const ACCESSES: usize>(
    name: &str,
    (build, rtl): (BuildId, bool),
    runs: &impl Strategy<Value = Scenario<LANES>>,
    floors: &[(&'static str, [u64; 2])],
) where
    DebugUnit<LANES, ACCESSES>: Unit<Config = Config, Inputs = Inputs<LANES>, Outputs = Outputs>,
{
    let total = RefCell::new((Coverage::default(), 0, 0));
    let cases = check("debug_reading", name, runs, |run| {
        let mut shown = of_model::<DebugUnit<LANES, ACCESSES>>(run.straps, run.cycles.iter().copied(), |_| ());
        if rtl {
            shown = of_rtl::<DebugUnit<LANES, ACCESSES>>(build, &run.straps, &shown, outputs::<LANES, ACCESSES>)?;
        }
        let (seen, lost) = read::<LANES, ACCESSES>(&run.straps, &shown).map_err(|(cycle, text)| {
            let rows = input_rows::<DebugUnit<LANES, ACCESSES>>(&shown);
            note_property::<DebugUnit<LANES, ACCESSES>>("reading", build, &run.straps, &rows, (cycle, &text));
            text
        })?;
        let mut total = total.borrow_mut();
        total.0 += seen;
        (total.1, total.2) = (total.1 + lost, total.2 + shown.len() as u64);
        Ok(())
    });
    let (seen, lost, cycles) = total.into_inner();
    println!("{name}: {cases} cases, {cycles} cycles, {lost} of them not followed, {seen:?}");
    let list = seen.list();
    let count = |name: &str| list.iter().find(|(what, _)| *what == name).expect("each floor names a count").1;
    let counts: Vec<_> =
        floors.iter().map(|(name, rates)| (*name, count(name), rates[usize::from(LANES > 1)])).collect();
    assert!(lost * 1000 <= cycles, "{lost} of {cycles} cycles had too many states to be followed");
    Floors { test: name, cases, counts: &counts }.check();
}

/// What 1000 programs held with one lane and with four, when it was measured
/// (`cargo test --release -p proptests --test suite debug_reading::programs -- --nocapture`).
const PROGRAMS: [(&str, [u64; 2]); 48] = [
    ("resets", [1200, 1200]),
    ("exec_faults", [140, 290]),
    ("exec_rf", [55, 110]),
    ("exec_missed", [430, 1000]),
    ("goes", [12_000, 12_000]),
    ("stops", [76, 100]),
    ("data_traps", [710, 3000]),
    ("io_traps", [20, 26]),
    ("data_missed", [1600, 7200]),
    ("partial_hits", [160, 430]),
    ("steps", [2400, 5800]),
    ("branch_steps", [76, 170]),
    ("branch_unstepped", [510, 1300]),
    ("shadow_unstepped", [170, 340]),
    ("int_unstepped", [100, 140]),
    ("both", [110, 470]),
    ("int1", [420, 850]),
    ("task_traps", [170, 350]),
    ("gate_traps", [410, 710]),
    ("held", [690, 1300]),
    ("held_delivered", [50, 180]),
    ("held_lost", [18, 28]),
    ("group_delays", [130, 530]),
    ("string_io", [520, 580]),
    ("cuts", [3700, 9400]),
    ("cuts_before", [300, 610]),
    ("aborts", [480, 1100]),
    ("rollbacks", [23, 66]),
    ("int3_regions", [160, 320]),
    ("detects", [70, 55]),
    ("waits", [4400, 11_000]),
    ("taken", [4300, 10_000]),
    ("requests_lost", [240, 580]),
    ("off_reported", [31, 190]),
    ("off_unreported", [93, 370]),
    ("frames_fault", [1800, 1800]),
    ("frames_exec", [170, 310]),
    ("frames_string", [1800, 4100]),
    ("frames_clear", [3600, 6500]),
    ("frames_set", [390, 720]),
    ("frames_rollback", [23, 66]),
    ("address_reads", [250, 280]),
    ("status_reads", [390, 400]),
    ("control_reads", [360, 400]),
    ("local_reads", [61, 110]),
    ("writes", [4800, 4800]),
    ("undefined", [320, 300]),
    ("unprivileged", [280, 230]),
];

/// What 1000 cases of any inputs held beside that, with one lane and with four.
const ANYTHING: [(&str, [u64; 2]); 8] = [
    ("unasked", [4700, 5800]),
    ("exec_faults", [20, 51]),
    ("data_traps", [130, 500]),
    ("aliases", [400, 340]),
    ("smm_accesses", [270, 230]),
    ("wide_refused", [88, 74]),
    ("not_mine", [880, 740]),
    ("not_ready", [1800, 3500]),
];

#[test]
fn programs_on_the_model_of_one_lane_meet_what_the_documents_say() {
    let name = "programs_on_the_model_of_one_lane_meet_what_the_documents_say";
    read_all::<1, 1>(name, (BuildId::DebugL1a1, false), &program::<1, 1>(STEPS), &PROGRAMS);
}

#[test]
fn programs_on_the_model_of_four_lanes_meet_what_the_documents_say() {
    let name = "programs_on_the_model_of_four_lanes_meet_what_the_documents_say";
    read_all::<4, 2>(name, (BuildId::DebugL4a2, false), &program::<4, 2>(STEPS), &PROGRAMS);
}

#[test]
fn programs_on_the_rtl_of_one_lane_meet_what_the_documents_say() {
    let name = "programs_on_the_rtl_of_one_lane_meet_what_the_documents_say";
    read_all::<1, 1>(name, (BuildId::DebugL1a1, true), &program::<1, 1>(STEPS), &PROGRAMS);
}

#[test]
fn programs_on_the_rtl_of_four_lanes_meet_what_the_documents_say() {
    let name = "programs_on_the_rtl_of_four_lanes_meet_what_the_documents_say";
    read_all::<4, 2>(name, (BuildId::DebugL4a2, true), &program::<4, 2>(STEPS), &PROGRAMS);
}

#[test]
fn anything_on_the_model_is_as_the_documents_allow() {
    let name = "anything_on_the_model_is_as_the_documents_allow";
    read_all::<4, 2>(name, (BuildId::DebugL4a2, false), &scenario(STRETCHES), &ANYTHING);
}

#[test]
fn anything_on_the_rtl_is_as_the_documents_allow() {
    let name = "anything_on_the_rtl_is_as_the_documents_allow";
    read_all::<1, 1>(name, (BuildId::DebugL1a1, true), &scenario(STRETCHES), &ANYTHING);
}
