//! Errors of session files.

use super::{Complaint, suggestion};
use miette::{Diagnostic, NamedSource, SourceSpan};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use thiserror::Error;

/// Reason why a session file is refused.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum SessionError {
    /// The file cannot be read.
    #[error("cannot read the session `{}`", path.display())]
    #[diagnostic(code(session::unreadable), help("check the path; without --session a default session is used"))]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The file is not text.
    #[error("the session `{}` is not text: byte {at} is no UTF-8", path.display())]
    #[diagnostic(code(session::not_text), help("a session file is TOML; was a trace given as --session?"))]
    NotText {
        /// Path of the file.
        path: PathBuf,
        /// Offset of the first byte that is not text.
        at: usize,
    },
    /// The file is a session file of another unit.
    #[error("the session `{name}` is one of the unit `{fits}`, and this run is of `{unit}`")]
    #[diagnostic(code(session::unit), help("give `--unit {fits}`, or a session of the unit `{unit}`"))]
    OtherUnit {
        /// Path of the file.
        name: String,
        /// Unit of the run.
        unit: &'static str,
        /// Unit that accepts the file.
        fits: &'static str,
    },
    /// A value or key in the file is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Invalid(Box<InvalidSession>),
}

/// Error in a session file, with its place in the file.
#[derive(Clone, Debug, Error, Diagnostic, PartialEq, Eq)]
#[error("{name}, line {line}, column {column}: {what}")]
#[diagnostic(code(session::invalid))]
pub struct InvalidSession {
    /// Path of the file.
    pub name: String,
    /// Number of the line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Expected and found value or key.
    pub what: String,
    /// Advice for the correction.
    #[help]
    pub help: Option<String>,
    /// Text of the file.
    #[source_code]
    pub text: NamedSource<String>,
    /// Place in the text.
    #[label("here")]
    pub here: SourceSpan,
}

impl SessionError {
    pub(crate) fn unreadable(path: &Path, source: io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), source }
    }

    pub(crate) fn not_text(path: &Path, error: &FromUtf8Error) -> Self {
        Self::NotText { path: path.to_owned(), at: error.utf8_error().valid_up_to() }
    }

    /// Returns an error about the bytes `span` of the text, or about the whole file.
    pub(crate) fn invalid(name: &str, text: &str, complaint: Complaint) -> Self {
        Self::Invalid(Box::new(InvalidSession::new(name, text, complaint)))
    }
}

impl InvalidSession {
    fn new(name: &str, text: &str, (what, span): Complaint) -> Self {
        let start = span.as_ref().map_or(0, |span| span.start).min(text.len());
        let end = span.map_or(start, |span| span.end).clamp(start, text.len());
        // A label over many lines hides what it points at.
        let end = text[start..end].find('\n').map_or(end, |length| start + length);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            name: name.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            what: what.lines().collect::<Vec<_>>().join("; "),
            help: suggestion::help(&what),
            text: NamedSource::new(name, text.to_owned()).with_language("toml"),
            here: (start, end - start).into(),
        }
    }
}

/// Text of a session file, for an error that shows only when its trace is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionText {
    /// Path of the file.
    pub name: String,
    /// Text of the file.
    pub text: String,
}

impl SessionText {
    /// Returns an error about bytes of the text, with advice for the correction.
    pub(crate) fn invalid(&self, what: String, at: Range<usize>, help: Option<String>) -> InvalidSession {
        InvalidSession { help, ..InvalidSession::new(&self.name, &self.text, (what, Some(at))) }
    }
}
