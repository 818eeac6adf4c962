//! Coverage that steers: scenarios that try what earlier runs have seldom met.
//!
//! From the counts of earlier runs each case draws one rare bin as its *target*, and the generators are given the weights that
//! make its values likely ([`Bias`]). A case is a function of its seed and of the counts.

mod hints;
mod targets;

pub use targets::Steer;

use crate::coverage::Totals;
use crate::lwp::scenario::{Bias, Scenario, scenario_with};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The environment variable that names the counts to steer by.
pub const VARIABLE: &str = "LWP_STEER";

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
        let name = std::env::var_os(VARIABLE)?;
        let steer = read(Path::new(&name));
        Some(Arc::new(steer.unwrap_or_else(|why| panic!("{VARIABLE}: {why}"))))
    };
    STEER.get_or_init(read).clone()
}

/// What to put before a command that repeats a case, so that it is steered as this one is.
#[must_use]
pub fn prefix() -> String {
    std::env::var(VARIABLE).map_or_else(|_| String::new(), |name| format!("{VARIABLE}={name} "))
}

/// Reads counts to steer by. A file that [`save`] wrote carries its digest as its name, and has to have it.
///
/// # Errors
///
/// If it cannot be read, counts other bins, or is not what its name says.
pub fn read(path: &Path) -> Result<Steer, String> {
    let path = &below_workspace(path);
    let totals = Totals::read(path).map_err(|why| format!("{}: {why}", path.display()))?;
    let steer = Steer::new(&totals);
    let named = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.strip_prefix("steer-"));
    match named {
        Some(digest) if digest != steer.digest() => {
            Err(format!("{}: it has changed, its digest is {}", path.display(), steer.digest()))
        }
        _ => Ok(steer),
    }
}

/// Tests run in the folder of their package; a path from the root of the workspace is meant all the same.
fn below_workspace(path: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if path.is_relative() && !path.exists() { root.join(path) } else { path.to_owned() }
}

/// Keeps counts for a command that repeats a case; the name of the file is made from its content.
///
/// # Errors
///
/// If the file cannot be written.
pub fn save(totals: &Totals, folder: &Path) -> std::io::Result<PathBuf> {
    let path = folder.join(format!("steer-{}.json", Steer::new(totals).digest()));
    totals.write(&path)?;
    Ok(path)
}
