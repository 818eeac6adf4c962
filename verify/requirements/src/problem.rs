//! What can be wrong: with the data and the claims ([`Problem`]), or with the files themselves ([`Error`]).

use std::fmt;
use std::path::PathBuf;

/// A line of a file; the file is relative to the repository, with slashes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl Place {
    pub(crate) fn new(file: &str, line: usize) -> Place {
        Place { file: file.to_owned(), line }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A promise of the traceability that is not kept: where, what, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where it stands.
    pub place: Place,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub help: String,
}

impl Problem {
    pub(crate) fn new(place: Place, what: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem { place, what: what.into(), help: help.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n    help: {}", self.place, self.what, self.help)
    }
}

/// Why nothing can be checked at all.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The page would replace a report that it is made from.
    #[error("the page `{}` is one of the reports, which it would replace; give it another name", path.display())]
    Replaced {
        /// The page.
        path: PathBuf,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The repository cannot be listed.
    #[error("the repository cannot be listed: {0}")]
    Walk(#[from] ignore::Error),
    /// Cargo does not say which targets there are.
    #[error("`cargo metadata` failed, so the tests that cargo runs are not known: {0}")]
    Metadata(#[from] cargo_metadata::Error),
    /// A test report is not one.
    #[error("{}: not a JUnit report: {reason}\nhelp: make a new one with `make test` (cargo-nextest writes it)", path.display())]
    Report {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A row that does not exist was asked for.
    #[error("there is no row {0}\nhelp: `requirements list` prints all of them")]
    NoRow(String),
}
