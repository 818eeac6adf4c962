//! What a unit shows at its ports in each cycle of a run, for the independent readings.

use crate::lockstep::{UnitCycle, rtl_rows};
use lwp_model::{Moore, Unit};
use sim_harness::rtl::BuildId;

/// A cycle at the ports of a unit: `rst_n`, the inputs, what is shown.
pub type Shown<U> = (bool, <U as Moore>::Inputs, <U as Moore>::Outputs);

/// Returns the ports of the model in these cycles. The model is given the inputs that `wires` makes of those that are shown.
///
/// # Panics
///
/// If the straps are illegal.
pub fn of_model<U: Unit>(
    straps: U::Config,
    cycles: impl IntoIterator<Item = UnitCycle<U::Inputs>>,
    wires: fn(&mut U::Inputs),
) -> Vec<Shown<U>> {
    let mut unit = U::new(straps).unwrap_or_else(|error| panic!("illegal straps: {error}"));
    let step = |UnitCycle { reset, inputs }: UnitCycle<U::Inputs>| {
        let shown = (!reset, inputs, unit.outputs());
        if reset {
            unit.reset();
        } else {
            let mut wired = shown.1.clone();
            wires(&mut wired);
            unit.step(&wired);
        }
        shown
    };
    cycles.into_iter().map(step).collect()
}

/// Returns the same cycles with what the RTL shows; `outputs` reads a row of it.
///
/// # Errors
///
/// If `outputs` cannot read a row.
pub fn of_rtl<U: Unit>(
    build: BuildId,
    straps: &U::Config,
    cycles: &[Shown<U>],
    outputs: fn(&[u32]) -> Result<U::Outputs, String>,
) -> Result<Vec<Shown<U>>, String> {
    let rows = rtl_rows::<U>(build, straps, &input_rows::<U>(cycles));
    // What the RTL shows before and during reset may be anything, and is not looked at.
    let out = |(rst_n, _, model): &Shown<U>, row: &[u32]| if *rst_n { outputs(row) } else { Ok(model.clone()) };
    let shown = cycles.iter().zip(rows.chunks_exact(U::OUTPUT_WORDS));
    shown.map(|(cycle, row)| Ok((cycle.0, cycle.1.clone(), out(cycle, row)?))).collect()
}

/// Returns the rows of the inputs of these cycles.
#[must_use]
pub fn input_rows<U: Unit>(cycles: &[Shown<U>]) -> Vec<u32> {
    let mut rows = vec![0; cycles.len() * U::INPUT_WORDS];
    for ((rst_n, inputs, _), row) in cycles.iter().zip(rows.chunks_exact_mut(U::INPUT_WORDS)) {
        U::pack_inputs(inputs, *rst_n, row);
    }
    rows
}
