//! The monitors hold of the model of the time-stamp counter, and of the RTL by itself; and notice what is forged.

use lwp_model::Unit;
use lwp_model::tsc::{Config, Inputs, Tsc};
use proptests::capsule::note_property;
use proptests::floor::Floors;
use proptests::lockstep::{recorded, rtl_rows};
use proptests::runner::{check, draw};
use proptests::tsc::monitor::{View, watch, watch_cycles};
use proptests::tsc::scenario::scenario;
use sim_harness::rtl::BuildId;
use std::cell::Cell;

/// Stretches of a scenario at most.
const STRETCHES: usize = 30;

/// Watches model or RTL in many scenarios, and asks that there was something to be watched.
fn watch_all<U: Unit<Config = Config, Inputs = Inputs>>(name: &str, build: BuildId, rtl: bool) {
    let (answers, refused, moved) = (Cell::new(0_u64), Cell::new(0_u64), Cell::new(0_u64));
    let view = View::of::<U>();
    let cases = check("tsc_monitors", name, &scenario(STRETCHES), |case| {
        let mut rows = recorded::<U>(&case.straps, &case.cycles).rows::<U>(&case.straps);
        if rtl {
            rows.outputs = rtl_rows::<U>(build, &case.straps, &rows.inputs);
        }
        for row in rows.outputs.chunks_exact(U::OUTPUT_WORDS) {
            let shown = view.shown(row)?;
            let done = shown.result == lwp_model::retire::RegResult::Done;
            answers.set(answers.get() + u64::from(shown.answered && done));
            refused.set(refused.get() + u64::from(shown.answered && !done));
            moved.set(moved.get() + u64::from(shown.processors.iter().any(|processor| processor.adjust != 0)));
        }
        watch_cycles::<U>(&case.straps, &case.cycles, &rows.outputs).map_err(|(cycle, text)| {
            note_property::<U>("monitors", build, &case.straps, &rows.inputs, (cycle, &text));
            text
        })
    });
    println!("{name}: {cases} cases, {} done, {} refused, {} moved", answers.get(), refused.get(), moved.get());
    let counts = [
        ("answers", answers.get(), FLOORS[0]),
        ("refusals", refused.get(), FLOORS[1]),
        ("moved", moved.get(), FLOORS[2]),
    ];
    Floors { test: name, cases, counts: &counts }.check();
}

/// What 1000 cases held when it was measured.
const FLOORS: [u64; 3] = [36_000, 30_000, 59_000];

#[test]
fn the_model_of_one_processor_keeps_the_rules() {
    watch_all::<Tsc<1>>("the_model_of_one_processor_keeps_the_rules", BuildId::TscLp1, false);
}

#[test]
fn the_model_of_four_processors_keeps_the_rules() {
    watch_all::<Tsc<4>>("the_model_of_four_processors_keeps_the_rules", BuildId::TscLp4, false);
}

#[test]
fn the_rtl_of_one_processor_keeps_the_rules() {
    watch_all::<Tsc<1>>("the_rtl_of_one_processor_keeps_the_rules", BuildId::TscLp1, true);
}

#[test]
fn the_rtl_of_four_processors_keeps_the_rules() {
    watch_all::<Tsc<4>>("the_rtl_of_four_processors_keeps_the_rules", BuildId::TscLp4, true);
}

/// A bit of one register that flips in one cycle out of reset breaks a rule, whichever it is; the registers of the rate, which the
/// monitors do not follow, apart.
#[test]
fn a_flipped_bit_is_noticed() {
    type Four = Tsc<4>;
    let words = Four::OUTPUT_WORDS;
    for seed in 0..20 {
        let case = draw(seed, &scenario(STRETCHES));
        let rows = recorded::<Four>(&case.straps, &case.cycles).rows::<Four>(&case.straps).outputs;
        // A cycle between two others, none of them in reset.
        let Some(at) = (2..case.cycles.len()).find(|at| case.cycles[at - 2..=*at].iter().all(|cycle| !cycle.reset))
        else {
            continue;
        };
        for field in Four::OUTPUT_FIELDS.iter().filter(|field| field.name.starts_with("state.processors")) {
            for bit in 0..field.width {
                let place = field.lsb + bit;
                let mut forged = rows.clone();
                forged[(at - 1) * words + field.word + place as usize / 32] ^= 1 << (place % 32);
                let noticed = watch::<Four>(&case.straps, &case.cycles, &forged).is_err();
                assert!(noticed, "seed {seed}: bit {bit} of {} in cycle {}", field.name, at - 1);
            }
        }
    }
}
