//! Lockstep of model and RTL of this unit, for any number of lanes.

use super::bench::Recording;
use crate::lockstep;
use lwp_model::lwp::{Config, Lwp, Outputs, State};
use recording::Rows;
use sim_harness::lwp::flat::{OUT_WORDS, pack_expected};
use sim_harness::lwp::unflat::{unpack_outputs, unpack_state};
use sim_harness::rtl::{BuildId, Flavour};

/// Rows depend on the number of lanes alone, so that this stands for every unit with as many.
pub type Lanes<const W: usize> = Lwp<W, 8, 31>;

/// Plays the recording's inputs to the RTL and compares every output and every register in every cycle.
///
/// # Errors
///
/// The first cycle that differs, with the fields that do.
pub fn agree<const W: usize>(build: BuildId, straps: &Config, recording: &Recording<W>) -> Result<(), String> {
    lockstep::agree::<Lanes<W>>(build, Flavour::Fast, straps, recording)
}

/// The same in the flavour that checks the assertions in the RTL.
///
/// # Errors
///
/// The first cycle that differs, with the fields that do, or before which an assertion failed.
pub fn assertions_hold<const W: usize>(
    build: BuildId,
    straps: &Config,
    recording: &Recording<W>,
) -> Result<(), String> {
    lockstep::agree::<Lanes<W>>(build, Flavour::Traced, straps, recording)
}

/// The rows of a recording: inputs, and what is expected.
#[must_use]
pub fn rows<const W: usize>(straps: &Config, recording: &Recording<W>) -> Rows {
    recording.rows::<Lanes<W>>(straps)
}

/// The words of a recording for a program that plays the RTL by itself.
#[must_use]
pub fn case_words<const W: usize>(straps: &Config, recording: &Recording<W>) -> Vec<u32> {
    recording.case_words::<Lanes<W>>(straps)
}

/// The output ports and the registers in a row that a unit has shown: of the RTL, each from its own words.
pub(crate) fn ports_and_registers(row: &[u32]) -> (Outputs, State) {
    (unpack_outputs(row), unpack_state(row))
}

/// The recording with the output ports and the registers of the RTL in place of the model's.
#[must_use]
pub fn as_rtl<const W: usize>(build: BuildId, straps: &Config, recording: &Recording<W>) -> Recording<W> {
    let shown = lockstep::rtl_rows::<Lanes<W>>(build, straps, &rows(straps, recording).inputs);
    let mut recording = recording.clone();
    for (cycle, row) in recording.cycles.iter_mut().zip(shown.chunks_exact(OUT_WORDS)) {
        (cycle.out, cycle.state) = ports_and_registers(row);
    }
    recording
}

/// Whether packing and reading back a state loses anything.
#[must_use]
pub fn survives_packing(state: &State) -> bool {
    let mut row = [0; OUT_WORDS];
    pack_expected(state, &Config::default(), &mut row);
    unpack_state(&row) == *state
}
