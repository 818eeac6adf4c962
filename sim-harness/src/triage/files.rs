//! Capsules of a directory.

use crate::report::OutputError;
use miette::Diagnostic;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Ending of capsules.
const ENDING: &str = ".capsule";
/// Part of the name of a shrunk capsule.
const SMALL: &str = ".small";

/// Capsules to examine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Paths of the capsules, sorted.
    pub capsules: Vec<PathBuf>,
    /// Number of shrunk capsules that are left out because the capsule that was shrunk is in the same directory.
    pub left_out: usize,
}

/// Reason why there is nothing to examine.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum ListError {
    /// A path does not exist.
    #[error("there is no folder or capsule `{}`", .0.display())]
    #[diagnostic(code(triage::path), help("name the folder in which the capsules are"))]
    Missing(PathBuf),
    /// No path has a capsule.
    #[error("no capsule is in {0}")]
    #[diagnostic(code(triage::none), help("the names of capsules end with `.capsule`; folders in it are not searched"))]
    None(String),
    /// A directory cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Unreadable(#[from] OutputError),
}

/// Returns the capsules of all paths, each once.
///
/// # Errors
/// If a path does not exist or cannot be read, and if there is no capsule.
pub fn list(paths: &[PathBuf]) -> Result<Listed, ListError> {
    let mut all = Listed::default();
    for path in paths {
        if !path.exists() {
            return Err(ListError::Missing(path.clone()));
        }
        let listed = capsules_in(path).map_err(|error| OutputError { path: path.clone(), error })?;
        all.left_out += listed.left_out;
        let new: Vec<_> = listed.capsules.into_iter().filter(|path| !all.capsules.contains(path)).collect();
        all.capsules.extend(new);
    }
    if all.capsules.is_empty() {
        let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        return Err(ListError::None(names.join(", ")));
    }
    Ok(all)
}

/// Returns the capsules of a directory, without those in its subdirectories; any other path is taken as a capsule.
fn capsules_in(path: &Path) -> io::Result<Listed> {
    if !path.is_dir() {
        return Ok(Listed { capsules: vec![path.to_owned()], left_out: 0 });
    }
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_string_lossy().ends_with(ENDING) && !entry.path().is_dir() {
            names.insert(name);
        }
    }
    let known: BTreeSet<String> = names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let is_copy = |name: &str| original(name).is_some_and(|original| known.contains(&original));
    let (copies, kept): (Vec<_>, Vec<_>) = names.iter().partition(|name| is_copy(&name.to_string_lossy()));
    Ok(Listed { capsules: kept.into_iter().map(|name| path.join(name)).collect(), left_out: copies.len() })
}

/// The name of the capsule that was shrunk to `NAME.small.capsule` or `NAME.small-2.capsule`.
fn original(name: &str) -> Option<String> {
    let stem = name.strip_suffix(ENDING)?;
    let numbered = stem.rsplit_once('-').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let stem = stem.strip_suffix(SMALL).or_else(|| numbered?.0.strip_suffix(SMALL))?;
    Some(format!("{stem}{ENDING}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shrunk_capsule_is_no_failure_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["b.capsule", "b.small.capsule", "b.small-2.capsule", "a-2.capsule", "c.small.capsule", "d.txt"] {
            fs::write(path(name), "").unwrap();
        }
        fs::create_dir(path("e.capsule")).unwrap();
        let listed = capsules_in(folder.path()).unwrap();
        assert_eq!(listed.capsules, ["a-2.capsule", "b.capsule", "c.small.capsule"].map(path));
        assert_eq!(listed.left_out, 2);
        let one = capsules_in(&path("b.small.capsule")).unwrap();
        assert_eq!(one.capsules, [path("b.small.capsule")], "a file that is named is examined");
    }
}
