//! Many capsules, one after the other.

use super::examine::{Failing, TriageError, examine};
use super::files::Listed;
use super::groups::{Outcome, Triage};
use crate::capsule::{Capsule, CapsuleError, Judge, ReplayError, ShrinkOptions, Shrinking};
use crate::report::OutputError;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use miette::Diagnostic;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;

/// How capsules are examined.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// Who knows the properties; `None`: the failure of a property is taken as recorded.
    pub judge: Option<&'a dyn Judge>,
    /// Limits of shrinking; `None`: capsules stay as they are.
    pub options: Option<ShrinkOptions>,
}

impl Batch<'_> {
    /// Examines capsules one after the other, and moves `bar`. Once `stopped` is true the others are not examined.
    pub fn run(&self, listed: &Listed, bar: &ProgressBar, stopped: &dyn Fn() -> bool) -> Triage {
        let mut triage = Triage { left_out: listed.left_out, ..Triage::default() };
        for path in &listed.capsules {
            if stopped() {
                triage.not_examined += 1;
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            bar.set_message(name.clone());
            self.add(&mut triage, path, &mut |now| {
                if !bar.is_hidden() {
                    let (cycles, tries) = (HumanCount(now.cycles), HumanCount(now.tries));
                    bar.set_message(format!("{name}: {cycles} cycles, {tries} tries"));
                }
                !stopped()
            });
            bar.inc(1);
        }
        bar.finish_and_clear();
        triage
    }

    /// Adds the capsule in the file `path` to the groups. `visit` is called after each candidate of the search; false ends the search.
    pub fn add(&self, triage: &mut Triage, path: &Path, visit: &mut dyn FnMut(Shrinking) -> bool) {
        let examined = self.one(path, visit);
        triage.builds_differ |= matches!(examined, Err(TriageError::Replay(ReplayError::BuildsDisagree { .. })));
        triage.add(path, outcome(examined));
    }

    fn one(&self, path: &Path, visit: &mut dyn FnMut(Shrinking) -> bool) -> Result<Option<Failing>, TriageError> {
        let capsule = Capsule::load(path)?;
        examine(&capsule.build()?, self.judge, &capsule, self.options.as_ref(), visit)
    }
}

/// Returns the bar of so many capsules; it is hidden if standard error is no terminal.
#[must_use]
pub fn bar(capsules: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} capsules, {msg}");
    ProgressBar::new(capsules as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn outcome(examined: Result<Option<Failing>, TriageError>) -> Outcome {
    match examined {
        Ok(Some(failing)) => Outcome::Fails(Box::new(failing)),
        Ok(None) => Outcome::Passes,
        Err(error) => {
            // The list names the file.
            let message = match &error {
                TriageError::Replay(ReplayError::Capsule(CapsuleError::Unreadable { source, .. })) => {
                    source.to_string()
                }
                error => error.to_string(),
            };
            Outcome::Refused { message, help: error.help().map(|help| help.to_string()) }
        }
    }
}

impl Triage {
    /// Writes the smallest capsule of each group that was shrunk here: to `folder`, or beside the capsule that was shrunk.
    ///
    /// # Errors
    /// If the folder or a file cannot be written.
    pub fn keep(&mut self, folder: Option<&Path>) -> Result<(), OutputError> {
        if let Some(folder) = folder {
            fs::create_dir_all(folder).map_err(|error| OutputError { path: folder.to_owned(), error })?;
        }
        for group in &mut self.groups {
            let Some(capsule) = group.unwritten.take() else { continue };
            let beside = group.smallest.with_extension("small.capsule");
            let path = match (folder, beside.file_name()) {
                (Some(folder), Some(name)) => folder.join(name),
                _ => beside,
            };
            group.smallest = capsule.keep(&path)?;
        }
        Ok(())
    }

    /// Returns the groups as JSON, with a newline at the end.
    ///
    /// # Panics
    ///
    /// Does not: groups are text and numbers.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).expect("groups are text and numbers");
        text.push(b'\n');
        text
    }

    /// Returns the exit code of a program: 5 if two builds do not fail alike, 1 if a capsule fails, 2 if none fails and one cannot be used,
    /// 0 otherwise.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self { builds_differ: true, .. } => 5,
            Self { groups, .. } if !groups.is_empty() => 1,
            Self { refused, .. } if !refused.is_empty() => 2,
            _ => 0,
        }
    }
}
