//! Lockstep of model and RTL of this unit, for any number of lanes.

use super::bench::Recording;
use crate::lockstep;
use lwp_model::lwp::{Config, Lwp, Outputs, State};
use recording::Rows;
use sim_harness::lwp::flat::{OUT_WORDS, pack_expected};
use sim_harness::lwp::unflat::{unpack_outputs, unpack_state};
use sim_harness::rtl::{BuildId, Flavour};

/// A unit with this number of lanes. Rows depend on the number of lanes alone, so it represents every unit with as
/// many.
pub type Lanes<const W: usize> = Lwp<W, 8, 31>;

/// Runs the RTL with the recording's inputs and compares every output and every register in every cycle.
///
/// # Errors
///
/// Describes the first cycle that differs, with the fields that do.
pub fn agree<const W: usize>(build: BuildId, straps: &Config, recording: &Recording<W>) -> Result<(), String> {
    lockstep::agree::<Lanes<W>>(build, Flavour::Fast, straps, recording)
}

/// Compares in the same way, in the flavour that checks the assertions in the RTL.
///
/// # Errors
///
/// Describes the first cycle that differs, with the fields that do, or before which an assertion failed.
pub fn assertions_hold<const W: usize>(
    build: BuildId,
    straps: &Config,
    recording: &Recording<W>,
) -> Result<(), String> {
    lockstep::agree::<Lanes<W>>(build, Flavour::Traced, straps, recording)
}

/// Returns the rows of a recording: the inputs, and the expected rows.
#[must_use]
pub fn rows<const W: usize>(straps: &Config, recording: &Recording<W>) -> Rows {
    recording.rows::<Lanes<W>>(straps)
}

/// Returns the words of a recording for a program that runs the RTL on its own.
#[must_use]
pub fn case_words<const W: usize>(straps: &Config, recording: &Recording<W>) -> Vec<u32> {
    recording.case_words::<Lanes<W>>(straps)
}

/// Returns the output ports and the registers in a row that a unit has shown; those of the RTL have words of their own.
pub(crate) fn ports_and_registers(row: &[u32]) -> (Outputs, State) {
    (unpack_outputs(row), unpack_state(row))
}

/// Returns the recording with the output ports and the registers of the RTL in place of the model's.
#[must_use]
pub fn as_rtl<const W: usize>(build: BuildId, straps: &Config, recording: &Recording<W>) -> Recording<W> {
    let shown = lockstep::rtl_rows::<Lanes<W>>(build, straps, &rows(straps, recording).inputs);
    let mut recording = recording.clone();
    for (cycle, row) in recording.cycles.iter_mut().zip(shown.chunks_exact(OUT_WORDS)) {
        (cycle.out, cycle.state) = ports_and_registers(row);
    }
    recording
}

/// Whether a state is the same after it is packed and read back.
#[must_use]
pub fn survives_packing(state: &State) -> bool {
    let mut row = [0; OUT_WORDS];
    pack_expected(state, &Config::default(), &mut row);
    unpack_state(&row) == *state
}
