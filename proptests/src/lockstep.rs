//! Lockstep of model and RTL of any unit: every output and every register in every cycle.

use crate::capsule;
use lwp_model::Unit;
use recording::{Of, Recording, Rows};
use sim_harness::capsule::{Failure, Way};
use sim_harness::lockstep::{Departure, How, compare};
use sim_harness::rtl::{BuildId, Flavour, Rtl, strap_words};
use std::cell::RefCell;

thread_local! {
    /// Instances of the RTL, one of each build and flavour, which the cases reuse. Making one takes half as long as running a case.
    static INSTANCES: RefCell<Vec<Rtl>> = const { RefCell::new(Vec::new()) };
}

/// Inputs of a cycle, or reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitCycle<I> {
    /// The reset is active.
    pub reset: bool,
    /// The inputs.
    pub inputs: I,
}

/// Calls a function with an instance of the RTL at power-up with these straps.
///
/// # Panics
///
/// If the build is one of another unit or size.
pub fn powered_up<U: Unit, T>(
    build: BuildId,
    flavour: Flavour,
    straps: &U::Config,
    work: impl FnOnce(&mut Rtl) -> T,
) -> T {
    let kept = INSTANCES.with_borrow_mut(|all| {
        let at = all.iter().position(|rtl| rtl.build() == build && rtl.flavour() == flavour)?;
        Some(all.swap_remove(at))
    });
    let mut rtl = match kept {
        Some(mut rtl) => {
            rtl.power_up(&strap_words::<U>(straps));
            rtl
        }
        None => Rtl::of::<U>(build, flavour, straps),
    };
    // Shrinking fails by the thousand, and the assertion is named where the failure is told.
    rtl.mute();
    let result = work(&mut rtl);
    INSTANCES.with_borrow_mut(|all| all.push(rtl));
    result
}

/// Returns the recording of the model in these cycles, from power-up on.
///
/// # Panics
///
/// If the straps are illegal.
#[must_use]
pub fn recorded<U: Unit>(straps: &U::Config, cycles: &[UnitCycle<U::Inputs>]) -> Of<U> {
    let inputs = cycles.iter().map(|cycle| (!cycle.reset, cycle.inputs.clone()));
    Recording::of::<U>(straps, inputs).expect("strategies draw legal straps")
}

/// Replays the recording's inputs on the RTL, and compares every output and every register in every cycle. Notes a difference for a
/// [capsule].
///
/// # Errors
///
/// The first cycle that differs, with its differing fields, or before which an assertion of the RTL failed, if the flavour has them.
///
/// # Panics
///
/// If the build is one of another unit or size.
pub fn agree<U: Unit>(build: BuildId, flavour: Flavour, straps: &U::Config, recording: &Of<U>) -> Result<(), String> {
    rows_agree::<U>(build, flavour, straps, &recording.rows::<U>(straps))
}

/// Replays rows of inputs on the RTL, and compares every output and every register in every cycle.
///
/// # Errors
///
/// As [`agree`].
///
/// # Panics
///
/// If the build is one of another unit or size.
pub fn rows_agree<U: Unit>(build: BuildId, flavour: Flavour, straps: &U::Config, rows: &Rows) -> Result<(), String> {
    let fields = U::OUTPUT_FIELDS;
    let result = powered_up::<U, _>(build, flavour, straps, |rtl| compare(rtl, fields, &rows.inputs, &rows.outputs));
    result.map_err(|departure| {
        capsule::note(build, strap_words::<U>(straps), &rows.inputs, failure(&departure));
        departure.to_string()
    })
}

/// Returns the failure as a capsule records it.
fn failure(departure: &Departure) -> Failure {
    let way = match &departure.how {
        How::Assertion(label) => Way::Assertion { label: label.clone() },
        How::Fields(fields) => Way::Mismatch { field: fields[0].field.name.to_owned() },
    };
    Failure::new(way, departure.cycle as u64)
}

/// Returns the rows of a recording: inputs, and the RTL's outputs, which were compared with the model's.
///
/// # Errors
///
/// The first cycle that differs.
///
/// # Panics
///
/// If the build is one of another unit or size.
pub fn shown_by_rtl<U: Unit>(build: BuildId, straps: &U::Config, recording: &Of<U>) -> Result<Rows, String> {
    let model = recording.rows::<U>(straps);
    let rtl = rtl_rows::<U>(build, straps, &model.inputs);
    match model.outputs.iter().zip(&rtl).position(|(model, rtl)| model != rtl) {
        None => Ok(Rows { outputs: rtl, ..model }),
        Some(word) => Err(format!("model and RTL differ in cycle {}", word / U::OUTPUT_WORDS)),
    }
}

/// Returns the rows of outputs that the RTL shows for these rows of inputs, without a comparison.
///
/// # Panics
///
/// If the build is one of another unit or size.
#[must_use]
pub fn rtl_rows<U: Unit>(build: BuildId, straps: &U::Config, inputs: &[u32]) -> Vec<u32> {
    let mut shown = vec![0; inputs.len() / U::INPUT_WORDS * U::OUTPUT_WORDS];
    powered_up::<U, _>(build, Flavour::Fast, straps, |rtl| {
        for (input, row) in inputs.chunks_exact(U::INPUT_WORDS).zip(shown.chunks_exact_mut(U::OUTPUT_WORDS)) {
            rtl.step(input, row);
        }
    });
    shown
}
