//! The files of a corpus.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of all corpora.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus")
}

/// Names and bytes of a target's inputs, by name.
///
/// # Panics
/// If they cannot be read.
#[must_use]
pub fn of(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = folder().join(target);
    let read = |entry: fs::DirEntry| {
        let bytes = fs::read(entry.path()).unwrap_or_else(|error| panic!("{}: {error}", entry.path().display()));
        (entry.file_name().to_string_lossy().into_owned(), bytes)
    };
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.filter_map(Result::ok).map(read).collect();
    files.sort();
    files
}
