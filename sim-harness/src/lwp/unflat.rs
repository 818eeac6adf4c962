//! Rows, read back: what the RTL has shown, what it was given.

pub use super::flat::unpack_inputs;

use super::flat;
use lwp_model::lwp::{Config, Outputs, State};

/// Reads the straps from their words.
///
/// # Errors
/// In words: a choice that does not exist, bits that have no name, or a combination that no hardware may have.
pub fn unpack_straps(words: &[u32]) -> Result<Config, String> {
    flat::unpack_straps(words).map_err(|error| error.to_string())
}

/// Reads the outputs from a row that the RTL has shown.
///
/// # Panics
///
/// If `row` is not [`OUT_WORDS`](flat::OUT_WORDS) long.
#[must_use]
pub fn unpack_outputs(row: &[u32]) -> Outputs {
    flat::unpack_shown(row).0
}

/// Reads every register from the probe in a row. A code that has no meaning reads as the value after reset; a comparison of rows still
/// sees the difference.
///
/// # Panics
///
/// If `row` is not [`OUT_WORDS`](flat::OUT_WORDS) long.
#[must_use]
pub fn unpack_state(row: &[u32]) -> State {
    flat::unpack_shown(row).1
}
