//! Whole runs of model or RTL as the monitors take them.

use super::Build;
use super::monitor::{Checked, Monitors};
use lwp_model::rdt::Config;
use recording::Of;

/// Watches a run of the model.
///
/// # Errors
///
/// The first cycle in which a rule is broken, and the rule.
pub fn watch<U: Build<LP>, const LP: usize>(straps: &Config, run: &Of<U>) -> Result<Checked, (u64, String)> {
    let cycles = run.cycles.iter().map(|cycle| (cycle.rst_n, &cycle.inputs, &cycle.out, U::registers(&cycle.state)));
    Monitors::new(straps, U::SIZES).watch(cycles)
}

/// Watches rows of inputs, and of outputs and registers.
///
/// # Errors
///
/// As [`watch`].
///
/// # Panics
///
/// If the straps are illegal.
pub fn watch_rows<U: Build<LP>, const LP: usize>(
    straps: &Config,
    inputs: &[u32],
    rows: &[u32],
) -> Result<Checked, (u64, String)> {
    let mut unit = U::new(*straps).unwrap_or_else(|error| panic!("illegal straps: {error}"));
    let rows = inputs.chunks_exact(U::INPUT_WORDS).zip(rows.chunks_exact(U::OUTPUT_WORDS));
    let cycles: Vec<_> = rows
        .map(|(inputs, row)| {
            let (inputs, rst_n) = U::unpack_inputs(inputs);
            // The registers of the row are read by the model's own table; nothing is stepped.
            unit.resume(row);
            (rst_n, inputs, U::unpack_outputs(row), unit.state().clone())
        })
        .collect();
    let cycles = cycles.iter().map(|(rst_n, inputs, out, state)| (*rst_n, inputs, out, U::registers(state)));
    Monitors::new(straps, U::SIZES).watch(cycles)
}
