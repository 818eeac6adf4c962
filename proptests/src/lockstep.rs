//! The RTL, given the inputs of a recording, must show the same rows.

use crate::bench::Recording;
use crate::capsule;
use lwp_model::lwp::{Config, Outputs, State};
use sim_harness::capsule::{Failure, Way};
use sim_harness::lockstep::differences;
use sim_harness::lwp::fields::FIELDS;
use sim_harness::lwp::flat::{OUT_WORDS, STRAP_WORDS, in_words, pack_expected, pack_inputs, pack_straps};
use sim_harness::lwp::unflat::{unpack_outputs, unpack_state};
use sim_harness::rtl::{BuildId, Divergence, Flavour, Rtl};
use std::cell::RefCell;

thread_local! {
    /// One instance of each kind, for case after case: making one takes half as long as a case runs on it.
    static INSTANCES: RefCell<Vec<Rtl>> = const { RefCell::new(Vec::new()) };
}

/// Lends an instance that has just powered up with these straps.
pub(crate) fn powered_up<T>(build: BuildId, flavour: Flavour, straps: &[u32], work: impl FnOnce(&mut Rtl) -> T) -> T {
    let kept = INSTANCES.with_borrow_mut(|all| {
        let at = all.iter().position(|rtl| rtl.build() == build && rtl.flavour() == flavour)?;
        Some(all.swap_remove(at))
    });
    let mut rtl = match kept {
        Some(mut rtl) => {
            rtl.power_up(straps);
            rtl
        }
        None => Rtl::new(build, flavour, straps),
    };
    let result = work(&mut rtl);
    INSTANCES.with_borrow_mut(|all| all.push(rtl));
    result
}

/// The rows of a recording: inputs, and what is expected.
#[must_use]
pub fn rows<const W: usize>(straps: &Config, recording: &Recording<W>) -> (Vec<u32>, Vec<u32>) {
    let mut inputs = vec![0; recording.cycles.len() * in_words(W)];
    let mut expected = vec![0; recording.cycles.len() * OUT_WORDS];
    let slots = inputs.chunks_exact_mut(in_words(W)).zip(expected.chunks_exact_mut(OUT_WORDS));
    for (cycle, (input, row)) in recording.cycles.iter().zip(slots) {
        pack_inputs(&cycle.inputs, cycle.rst_n, input);
        pack_expected(&cycle.state, straps, row);
    }
    (inputs, expected)
}

/// A recording for a program that plays the RTL by itself: number of cycles, straps, then for each cycle the row of inputs and that
/// of expected outputs.
#[must_use]
pub fn case_words<const W: usize>(straps: &Config, recording: &Recording<W>) -> Vec<u32> {
    let mut words = Vec::with_capacity(1 + STRAP_WORDS + recording.cycles.len() * (in_words(W) + OUT_WORDS));
    words.push(recording.cycles.len() as u32);
    words.extend(pack_straps(straps));
    for cycle in &recording.cycles {
        let (at, outputs) = (words.len(), words.len() + in_words(W));
        words.resize(outputs + OUT_WORDS, 0);
        pack_inputs(&cycle.inputs, cycle.rst_n, &mut words[at..outputs]);
        pack_expected(&cycle.state, straps, &mut words[outputs..]);
    }
    words
}

/// Plays the recording's inputs to the RTL and compares every output and every register in every cycle.
///
/// # Errors
///
/// The first cycle that differs, with the fields that do.
pub fn agree<const W: usize>(build: BuildId, straps: &Config, recording: &Recording<W>) -> Result<(), String> {
    agree_in(build, Flavour::Fast, straps, recording)
}

/// The same in the flavour that checks the assertions in the RTL.
///
/// # Errors
///
/// The first cycle that differs, with the fields that do, or before which an assertion failed. (Its name is on the standard error
/// output.)
pub fn assertions_hold<const W: usize>(
    build: BuildId,
    straps: &Config,
    recording: &Recording<W>,
) -> Result<(), String> {
    agree_in(build, Flavour::Traced, straps, recording)
}

fn agree_in<const W: usize>(
    build: BuildId,
    flavour: Flavour,
    straps: &Config,
    recording: &Recording<W>,
) -> Result<(), String> {
    let (inputs, expected) = rows(straps, recording);
    powered_up(build, flavour, &pack_straps(straps), |rtl| {
        let Err(divergence) = rtl.replay(&inputs, &expected) else {
            return Ok(());
        };
        Err(told(build, straps, recording, rtl, &expected, &divergence))
    })
}

/// What is wrong, noted for a capsule and in words.
fn told<const W: usize>(
    build: BuildId,
    straps: &Config,
    recording: &Recording<W>,
    rtl: &mut Rtl,
    expected: &[u32],
    divergence: &Divergence,
) -> String {
    let cycle = divergence.cycle_in_batch;
    let noted = |way| capsule::note(build, straps, recording, Failure::new(way, cycle as u64));
    if divergence.assertion_failed {
        noted(Way::Assertion { label: rtl.assertion_label().unwrap_or_default() });
        return format!("an assertion of the RTL failed in cycle {}", cycle.saturating_sub(1));
    }
    let model = &expected[cycle * OUT_WORDS..][..OUT_WORDS];
    let differing = differences(FIELDS, model, &divergence.actual);
    noted(Way::Mismatch { field: differing[0].field.name.to_owned() });
    let differing: Vec<String> = differing.iter().map(ToString::to_string).collect();
    format!("model (expected) and RTL differ in cycle {cycle}: {}", differing.join("; "))
}

/// The rows of a recording as the RTL shows them: inputs, and outputs that were held against the model's.
///
/// # Errors
///
/// The first cycle that differs.
pub fn shown_by_rtl<const W: usize>(
    build: BuildId,
    straps: &Config,
    recording: &Recording<W>,
) -> Result<(Vec<u32>, Vec<u32>), String> {
    let (inputs, expected) = rows(straps, recording);
    let mut shown = vec![0; expected.len()];
    powered_up(build, Flavour::Fast, &pack_straps(straps), |rtl| {
        for (input, row) in inputs.chunks_exact(in_words(W)).zip(shown.chunks_exact_mut(OUT_WORDS)) {
            rtl.step(input, row);
        }
    });
    match expected.iter().zip(&shown).position(|(model, rtl)| model != rtl) {
        None => Ok((inputs, shown)),
        Some(word) => Err(format!("model and RTL differ in cycle {}", word / OUT_WORDS)),
    }
}

/// The output ports and the registers in a row that a unit has shown: of the RTL, each from its own words.
pub(crate) fn ports_and_registers(row: &[u32]) -> (Outputs, State) {
    (unpack_outputs(row), unpack_state(row))
}

/// The recording with the output ports and the registers of the RTL in place of the model's.
#[must_use]
pub fn as_rtl<const W: usize>(build: BuildId, straps: &Config, recording: &Recording<W>) -> Recording<W> {
    let mut shown = recording.clone();
    let mut input = vec![0; in_words(W)];
    let mut row = vec![0; OUT_WORDS];
    powered_up(build, Flavour::Fast, &pack_straps(straps), |rtl| {
        for cycle in &mut shown.cycles {
            pack_inputs(&cycle.inputs, cycle.rst_n, &mut input);
            rtl.step(&input, &mut row);
            (cycle.out, cycle.state) = ports_and_registers(&row);
        }
    });
    shown
}

/// Whether packing and reading back a state loses anything.
#[must_use]
pub fn survives_packing(state: &State) -> bool {
    let mut row = [0; OUT_WORDS];
    pack_expected(state, &Config::default(), &mut row);
    unpack_state(&row) == *state
}
