//! Model and RTL of any unit, given the same inputs: every output and every register in every cycle.

use crate::lockstep::powered_up;
use lwp_model::Unit;
use sim_harness::lockstep::differences;
use sim_harness::rtl::{BuildId, Flavour};

/// What happens in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitCycle<I> {
    /// The reset is active.
    pub reset: bool,
    /// The inputs.
    pub inputs: I,
}

/// Plays the cycles to a model that has just been reset, and the rows of it to the RTL.
///
/// # Errors
///
/// The first cycle that differs, with the fields that do; or the assertion of the RTL that failed, if the flavour has them.
///
/// # Panics
///
/// If the straps are illegal, or the build is one of another unit or size.
pub fn unit_agrees<U: Unit>(
    build: BuildId,
    flavour: Flavour,
    straps: &U::Config,
    cycles: &[UnitCycle<U::Inputs>],
) -> Result<(), String> {
    let (inputs, expected) = unit_rows::<U>(straps, cycles);
    rows_agree::<U>(build, flavour, straps, &inputs, &expected)
}

/// The same for rows that are there already.
///
/// # Errors
///
/// As [`unit_agrees`].
///
/// # Panics
///
/// If the build is one of another unit or size.
pub fn rows_agree<U: Unit>(
    build: BuildId,
    flavour: Flavour,
    straps: &U::Config,
    inputs: &[u32],
    expected: &[u32],
) -> Result<(), String> {
    let info = build.info();
    assert_eq!((info.unit, info.in_words, info.out_words), (U::NAME, U::INPUT_WORDS, U::OUTPUT_WORDS), "the build");
    let mut strap_row = vec![0; U::STRAP_WORDS];
    U::pack_straps(straps, &mut strap_row);
    powered_up(build, flavour, &strap_row, |rtl| {
        let Err(divergence) = rtl.replay(inputs, expected) else { return Ok(()) };
        let cycle = divergence.cycle_in_batch;
        if divergence.assertion_failed {
            let label = rtl.assertion_label().unwrap_or_default();
            return Err(format!("the assertion {label} of the RTL failed in cycle {}", cycle.saturating_sub(1)));
        }
        let model = &expected[cycle * U::OUTPUT_WORDS..][..U::OUTPUT_WORDS];
        let differing = differences(U::OUTPUT_FIELDS, model, &divergence.actual);
        let differing: Vec<String> = differing.iter().map(ToString::to_string).collect();
        Err(format!("model (expected) and RTL differ in cycle {cycle}: {}", differing.join("; ")))
    })
}

/// The rows of inputs, and those that the model expects.
///
/// # Panics
///
/// If the straps are illegal.
#[must_use]
pub fn unit_rows<U: Unit>(straps: &U::Config, cycles: &[UnitCycle<U::Inputs>]) -> (Vec<u32>, Vec<u32>) {
    let mut unit = U::new(straps.clone()).expect("strategies draw legal straps");
    let mut inputs = vec![0; cycles.len() * U::INPUT_WORDS];
    let mut expected = vec![0; cycles.len() * U::OUTPUT_WORDS];
    let slots = inputs.chunks_exact_mut(U::INPUT_WORDS).zip(expected.chunks_exact_mut(U::OUTPUT_WORDS));
    for (cycle, (input, row)) in cycles.iter().zip(slots) {
        if cycle.reset {
            unit.reset();
        }
        U::pack_inputs(&cycle.inputs, !cycle.reset, input);
        U::pack_expected(unit.state(), straps, row);
        if !cycle.reset {
            unit.step(&cycle.inputs);
        }
    }
    (inputs, expected)
}
