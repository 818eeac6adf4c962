//! The [capsule](crate::capsule) that a failing count leaves.

use super::CountError;
use super::options::CountOptions;
use super::run::{Job, capsule};
use crate::capsule::{Failure, Way};
use crate::command::{repeat, shown};
use crate::report::MismatchReport;
use std::path::{Path, PathBuf};

/// Makes the pass once more up to the mismatch, keeps its inputs, and replays them in both builds of the RTL. Returns the file, and why it
/// may not be what it says: it is kept in any case, as all that there is of the failure.
pub(super) fn write(
    options: &CountOptions,
    job: &Job,
    pass: usize,
    mismatch: &MismatchReport,
) -> Result<(PathBuf, Option<CountError>), CountError> {
    let first = mismatch.first();
    let path = options.capsule.clone().unwrap_or_else(|| name(options, pass, first.cycle));
    let failure = Failure::new(Way::Mismatch { field: first.field }, first.cycle);
    let mut capsule = capsule(job, pass, failure, &repeat())?;
    let confirmed = capsule.confirm(&job.build);
    let path = shown(&capsule.keep(&path)?);
    let unconfirmed = match confirmed {
        Ok(true) => None,
        Ok(false) => Some(CountError::Unconfirmed { path: path.clone() }),
        Err(error) => Some(error.into()),
    };
    Ok((path, unconfirmed))
}

/// In the current folder, after program or trace, pass from 1, and cycle.
fn name(options: &CountOptions, pass: usize, cycle: u64) -> PathBuf {
    let of = options.trace.as_deref().or_else(|| options.command.first().map(Path::new));
    let file = of.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = file.split('.').find(|part| !part.is_empty()).unwrap_or("program");
    format!("{stem}-count-pass{}-cycle{cycle}.capsule", pass + 1).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args, Command, FromArgMatches};

    fn of(words: &[&str]) -> PathBuf {
        let command = CountOptions::augment_args(Command::new("count"));
        let matches = command.try_get_matches_from(words).unwrap();
        name(&CountOptions::from_arg_matches(&matches).unwrap(), 1, 812)
    }

    #[test]
    fn a_capsule_is_named_after_what_is_counted() {
        assert_eq!(of(&["count", "SUM", "--trace", "a/ls.lwptrace"]), Path::new("ls-count-pass2-cycle812.capsule"));
        assert_eq!(of(&["count", "SUM", "--", "/bin/true", "x"]), Path::new("true-count-pass2-cycle812.capsule"));
    }
}
