//! Steering by coverage: scenarios that try situations that earlier runs have seldom met.
//!
//! From the counts of earlier runs each case selects one rare bin at random as its *target*. The generators receive the
//! weights that make its values likely ([`Bias`]). A case is a function of its seed and of the counts.

mod hints;
mod targets;

pub use targets::Steer;

use super::coverage::layout;
use crate::coverage::Totals;
use crate::lwp::scenario::{Bias, Scenario, scenario_with};
use crate::runner;
use proptest::prelude::*;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Generates scenarios of up to `length` operations, steered.
pub fn scenario(length: usize, steer: Arc<Steer>) -> BoxedStrategy<Scenario> {
    // The target is not shrunk: with another target, the rest of the case would be different.
    any::<u64>().no_shrink().prop_flat_map(move |draw| scenario_with(length, &bias(&steer, draw))).boxed()
}

fn bias(steer: &Steer, draw: u64) -> Bias {
    let Some(bin) = steer.target(draw) else { return Bias::default() };
    hints::toward(bin, draw)
}

/// Returns the counts that `LWP_STEER` names. A program calls [`check_environment`] first.
///
/// # Panics
///
/// Panics if `LWP_STEER` names a file that cannot be read, that counts other bins, or whose content does not match its
/// name.
#[must_use]
pub fn from_environment() -> Option<Arc<Steer>> {
    environment().unwrap_or_else(|why| panic!("{why}"))
}

/// Checks the file that `LWP_STEER` names, if it is set.
///
/// # Errors
///
/// Fails in the cases in which [`from_environment`] panics. The text says what to do.
pub fn check_environment() -> Result<(), String> {
    environment().map(drop)
}

fn environment() -> Result<Option<Arc<Steer>>, String> {
    static STEER: OnceLock<Result<Option<Arc<Steer>>, String>> = OnceLock::new();
    let read = || {
        let Some(name) = std::env::var_os(runner::STEER) else { return Ok(None) };
        let variable = runner::STEER;
        let help = format!("write one with `coverage run --unit {}`, or unset {variable}", layout().unit);
        let steer = read(Path::new(&name));
        steer
            .map(|steer| Some(Arc::new(steer)))
            .map_err(|why| format!("{variable} names no file of counts: {why}; {help}"))
    };
    STEER.get_or_init(read).clone()
}

/// Reads counts to steer by.
///
/// # Errors
///
/// Fails if the file cannot be read, counts other bins, or has a content that does not match its name.
pub fn read(path: &Path) -> Result<Steer, String> {
    Totals::read_to_steer(layout(), path).map(|totals| Steer::new(&totals))
}
