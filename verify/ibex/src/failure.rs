//! Why the tool cannot go on.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;

/// A failure of the tool or of what it needs; a difference is a result and not a failure.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns a failure for a file or program.
    pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        move |error| Self(format!("{}: {error}", path.display()))
    }

    /// Returns the exit code.
    pub(crate) fn code(&self) -> u8 {
        2
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
