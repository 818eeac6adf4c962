//! What always holds of the shared cache holds of the model, and of the RTL by itself; and the monitors notice what is forged.

use lwp_model::Unit;
use lwp_model::rdt::Step;
use proptests::capsule::note_property;
use proptests::floor::Floors;
use proptests::lockstep::{recorded, rtl_rows};
use proptests::rdt::monitor::Checked;
use proptests::rdt::scenario::scenario;
use proptests::rdt::whole::watch_rows;
use proptests::rdt::{Build, Large, Small};
use proptests::runner::{check, draw};
use sim_harness::rtl::BuildId;
use std::cell::Cell;

/// Stretches of a scenario at most.
const STRETCHES: usize = 30;

/// Watches model or RTL in many scenarios, and asks that there was something to be watched: so much of it in 1000 cases when it was measured.
fn watch_all<U: Build<LP>, const LP: usize>(name: &str, build: BuildId, rtl: bool, rates: [u64; 4]) {
    let sum = Cell::new(Checked::default());
    let cases = check("rdt_monitors", name, &scenario::<LP>(U::SIZES, STRETCHES), |case| {
        let mut rows = recorded::<U>(&case.straps, &case.cycles).rows::<U>(&case.straps);
        if rtl {
            rows.outputs = rtl_rows::<U>(build, &case.straps, &rows.inputs);
        }
        let watched = watch_rows::<U, LP>(&case.straps, &rows.inputs, &rows.outputs);
        let checked = watched.map_err(|(cycle, text)| {
            note_property::<U>("monitors", build, &case.straps, &rows.inputs, (cycle, &text));
            text
        })?;
        let mut all = sum.get();
        all += checked;
        sum.set(all);
        Ok(())
    });
    let sum = sum.get();
    println!("{name}: {cases} cases, {sum:?}");
    let counts = [
        ("cycles", sum.cycles, rates[0]),
        ("comparisons of both caches", sum.compared, rates[1]),
        ("transfers", sum.transfers, rates[2]),
        ("choices under a delay", sum.paced, rates[3]),
    ];
    Floors { test: name, cases, counts: &counts }.check();
}

const SMALL: [u64; 4] = [482_000, 27_700, 18_500, 3500];
const LARGE: [u64; 4] = [411_000, 27_300, 15_000, 4800];

// RDTM-02, RDTM-03, RDTM-11, RDTA-28
#[test]
fn the_small_model_keeps_the_rules() {
    watch_all::<Small, 2>("the_small_model_keeps_the_rules", BuildId::RdtS8w4, false, SMALL);
}

#[test]
fn the_large_model_keeps_the_rules() {
    watch_all::<Large, 4>("the_large_model_keeps_the_rules", BuildId::RdtS64w16, false, LARGE);
}

#[test]
fn the_small_rtl_keeps_the_rules() {
    watch_all::<Small, 2>("the_small_rtl_keeps_the_rules", BuildId::RdtS8w4, true, SMALL);
}

#[test]
fn the_large_rtl_keeps_the_rules() {
    watch_all::<Large, 4>("the_large_rtl_keeps_the_rules", BuildId::RdtS64w16, true, LARGE);
}

/// A flipped bit of a count, of a word that is written or of the window breaks a rule, whichever it is.
#[test]
fn a_flipped_bit_is_noticed() {
    type Unit2 = Small;
    let mut forged_bits = 0;
    for seed in 0..30 {
        let case = draw(seed, &scenario::<2>(Small::SIZES, STRETCHES));
        let recording = recorded::<Unit2>(&case.straps, &case.cycles);
        let rows = recording.rows::<Unit2>(&case.straps);
        let quiet = |at: usize| {
            recording.cycles[at - 1..=at + 1].iter().all(|cycle| cycle.rst_n && cycle.state.job.step != Step::Clear)
        };
        let written = |at: &usize| quiet(*at) && recording.cycles[*at].state.l3.written;
        let Some(at) = (3..case.cycles.len().saturating_sub(2)).find(written) else { continue };
        let fields = Unit2::OUTPUT_FIELDS.iter().filter(|field| {
            let l3 = field.name.starts_with("state.l3.line[0]") || field.name.starts_with("state.show.l3[1]");
            l3 || field.name.starts_with("state.rmid[0]")
        });
        for field in fields {
            for bit in 0..field.width {
                let place = field.lsb + bit;
                let mut forged = rows.outputs.clone();
                forged[at * Unit2::OUTPUT_WORDS + field.word + place as usize / 32] ^= 1 << (place % 32);
                let noticed = watch_rows::<Unit2, 2>(&case.straps, &rows.inputs, &forged).is_err();
                assert!(noticed, "seed {seed}: bit {bit} of {} in cycle {at}", field.name);
                forged_bits += 1;
            }
        }
    }
    assert!(forged_bits > 1000, "{forged_bits} bits");
}
