//! The [capsule](crate::capsule) that a failing run leaves.

use super::engine::Job;
use super::error::RunError;
use crate::capsule::{Failure, Way};
use crate::command::{repeat, shown};
use crate::report::MismatchReport;
use std::path::{Path, PathBuf};

/// Makes the run once more up to the mismatch, keeps its inputs, and replays them in both builds of the RTL. Returns the file, and why it
/// may not be what it says: it is kept in any case, as all that there is of the failure.
pub(super) fn write(
    job: &Job<'_>,
    program: &Path,
    mismatch: &MismatchReport,
    path: Option<&Path>,
) -> Result<(PathBuf, Option<RunError>), RunError> {
    let first = mismatch.first();
    let stem = program.file_stem().map_or_else(|| "program".into(), |stem| stem.to_string_lossy());
    let path = path.map_or_else(|| format!("{stem}-itanium-cycle{}.capsule", first.cycle).into(), Path::to_owned);
    let failure = Failure::new(Way::Mismatch { field: first.field.clone() }, first.cycle);
    let mut capsule = job.capsule(failure, &repeat())?;
    let confirmed = capsule.confirm(&job.build);
    let path = shown(&capsule.keep(&path)?);
    let unconfirmed = match confirmed {
        Ok(true) => None,
        Ok(false) => Some(RunError::Unconfirmed { path: path.clone() }),
        Err(error) => Some(error.into()),
    };
    Ok((path, unconfirmed))
}
