//! The [capsule](crate::capsule) that a failing run leaves.

use super::error::RunError;
use super::scenario::{Scenario, Which};
use crate::capsule::{Failure, Way};
use crate::command::{repeat, shown};
use crate::report::MismatchReport;
use std::path::{Path, PathBuf};

/// Makes the run once more up to the mismatch, keeps its inputs, and replays them in both builds of the RTL. Returns the file, and why it
/// may not be what it says: it is kept in any case, as all that there is of the failure.
pub(super) fn write(
    scenario: &Scenario,
    which: Which,
    mismatch: &MismatchReport,
    path: Option<&Path>,
) -> Result<Option<(PathBuf, Option<RunError>)>, RunError> {
    let first = mismatch.first();
    let name = || PathBuf::from(format!("{}-rdt-cycle{}.capsule", scenario.names.join("-"), first.cycle));
    let path = path.map_or_else(name, Path::to_owned);
    let failure = Failure::new(Way::Mismatch { field: first.field.clone() }, first.cycle);
    let Some((mut capsule, build)) = scenario.capsule(which, failure, &repeat())? else { return Ok(None) };
    let confirmed = capsule.confirm(&build);
    let path = shown(&capsule.keep(&path)?);
    let unconfirmed = match confirmed {
        Ok(true) => None,
        Ok(false) => Some(RunError::Unconfirmed { path: path.clone() }),
        Err(error) => Some(error.into()),
    };
    Ok(Some((path, unconfirmed)))
}
