//! The monitors hold of the model of the event qualification, and of the RTL by itself; and notice what is forged.

use lwp_model::Unit;
use lwp_model::itanium::{Config, Inputs, Itanium};
use proptests::capsule::note_property;
use proptests::floor::Floors;
use proptests::itanium::monitor::{Checked, watch};
use proptests::itanium::scenario::scenario;
use proptests::lockstep::{recorded, rtl_rows};
use proptests::runner::{check, draw};
use sim_harness::rtl::BuildId;
use std::cell::Cell;

/// Stretches of a scenario at most.
const STRETCHES: usize = 30;

/// Watches model or RTL in many scenarios, and asks that there was something to be watched.
fn watch_all<const BUNDLES: usize, const ENTRIES: usize>(name: &str, build: BuildId, rtl: bool)
where
    Itanium<BUNDLES, ENTRIES>: Unit<Config = Config, Inputs = Inputs<BUNDLES>>,
{
    type U<const BUNDLES: usize, const ENTRIES: usize> = Itanium<BUNDLES, ENTRIES>;
    let all = Cell::new(Checked::default());
    let cases = check("itanium_monitors", name, &scenario(STRETCHES), |case| {
        let recording = recorded::<U<BUNDLES, ENTRIES>>(&case.straps, &case.cycles);
        let mut rows = recording.rows::<U<BUNDLES, ENTRIES>>(&case.straps);
        if rtl {
            rows.outputs = rtl_rows::<U<BUNDLES, ENTRIES>>(build, &case.straps, &rows.inputs);
        }
        let watched = watch::<BUNDLES, ENTRIES>(&case.straps, &case.cycles, &rows.outputs);
        let checked = watched.map_err(|(cycle, text)| {
            note_property::<U<BUNDLES, ENTRIES>>("monitors", build, &case.straps, &rows.inputs, (cycle, &text));
            text
        })?;
        let mut sum = all.get();
        sum += checked;
        all.set(sum);
        Ok(())
    });
    let Checked { done, refused, moved, held, interruptions, frozen, tagged } = all.get();
    println!("{name}: {cases} cases, {:?}", all.get());
    let counts = [
        ("requests done", done, FLOORS[0]),
        ("requests refused", refused, FLOORS[1]),
        ("counts that moved", moved, FLOORS[2]),
        ("counts that were held", held, FLOORS[3]),
        ("interruptions", interruptions, FLOORS[4]),
        ("overflows that froze", frozen, FLOORS[5]),
        ("tags", tagged, FLOORS[6]),
    ];
    Floors { test: name, cases, counts: &counts }.check();
}

/// What 1000 cases held when it was measured, of the size that has less.
const FLOORS: [u64; 7] = [50_000, 11_000, 6_700, 22_000, 1_200, 970, 16_000];

#[test]
fn the_model_with_one_bundle_keeps_the_rules() {
    watch_all::<1, 4>("the_model_with_one_bundle_keeps_the_rules", BuildId::ItaniumB1e4, false);
}

#[test]
fn the_model_with_two_bundles_keeps_the_rules() {
    watch_all::<2, 16>("the_model_with_two_bundles_keeps_the_rules", BuildId::ItaniumB2e16, false);
}

#[test]
fn the_rtl_with_one_bundle_keeps_the_rules() {
    watch_all::<1, 4>("the_rtl_with_one_bundle_keeps_the_rules", BuildId::ItaniumB1e4, true);
}

#[test]
fn the_rtl_with_two_bundles_keeps_the_rules() {
    watch_all::<2, 16>("the_rtl_with_two_bundles_keeps_the_rules", BuildId::ItaniumB2e16, true);
}

/// A bit of an output or a register that flips in one cycle out of reset breaks a rule, whichever it is.
#[test]
fn a_flipped_bit_is_noticed() {
    type Two = Itanium<2, 16>;
    let words = Two::OUTPUT_WORDS;
    for seed in 0..20 {
        let case = draw(seed, &scenario(STRETCHES));
        let rows = recorded::<Two>(&case.straps, &case.cycles).rows::<Two>(&case.straps).outputs;
        // The last cycle between two others, none of them in reset.
        let Some(at) = (2..case.cycles.len()).rfind(|at| case.cycles[at - 2..=*at].iter().all(|cycle| !cycle.reset))
        else {
            continue;
        };
        // A cycle before and behind is all that can notice it.
        let near = &case.cycles[at - 2..=at];
        for field in Two::OUTPUT_FIELDS {
            for bit in 0..field.width {
                let place = field.lsb + bit;
                let mut forged = rows[(at - 2) * words..(at + 1) * words].to_vec();
                forged[words + field.word + place as usize / 32] ^= 1 << (place % 32);
                let noticed = watch::<2, 16>(&case.straps, near, &forged).is_err();
                assert!(noticed, "seed {seed}: bit {bit} of {} in cycle {}", field.name, at - 1);
            }
        }
    }
}
