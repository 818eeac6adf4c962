//! Coverage that steers: scenarios that try what earlier runs have seldom met.
//!
//! From the counts of earlier runs each case draws one rare bin as its *target*, and the generators are given the weights that
//! make its values likely ([`Bias`]). A case is a function of its seed and of the counts.

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

/// Scenarios of up to `length` operations, steered.
pub fn scenario(length: usize, steer: Arc<Steer>) -> BoxedStrategy<Scenario> {
    // The target is not shrunk: with another one the rest of the case would be another.
    any::<u64>().no_shrink().prop_flat_map(move |draw| scenario_with(length, &bias(&steer, draw))).boxed()
}

fn bias(steer: &Steer, draw: u64) -> Bias {
    let Some(bin) = steer.target(draw) else { return Bias::default() };
    hints::toward(bin, draw)
}

/// What `LWP_STEER` names.
///
/// # Panics
///
/// If it names a file that cannot be read, counts other bins, or is not what its name says.
pub fn from_environment() -> Option<Arc<Steer>> {
    static STEER: OnceLock<Option<Arc<Steer>>> = OnceLock::new();
    let read = || {
        let name = std::env::var_os(runner::STEER)?;
        let steer = read(Path::new(&name));
        Some(Arc::new(steer.unwrap_or_else(|why| panic!("{}: {why}", runner::STEER))))
    };
    STEER.get_or_init(read).clone()
}

/// Reads counts to steer by.
///
/// # Errors
///
/// If the file cannot be read, counts other bins, or is not what its name says.
pub fn read(path: &Path) -> Result<Steer, String> {
    Totals::read_to_steer(layout(), path).map(|totals| Steer::new(&totals))
}
