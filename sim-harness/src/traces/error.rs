//! The errors of a trace.

use std::io;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, NamedSource, SourceSpan};
use thiserror::Error;

/// The reason why a trace cannot be read, or not any further.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum TraceError {
    /// The file does not exist.
    #[error("there is no trace `{}`", path.display())]
    #[diagnostic(code(trace::missing), help("check the path; `lwp-sim capture -o FILE -- PROGRAM` makes a trace"))]
    Missing {
        /// The path that was requested.
        path: PathBuf,
    },
    /// The path names a directory.
    #[error("`{}` is a directory, not a trace", path.display())]
    #[diagnostic(code(trace::directory), help("name one trace file inside it"))]
    Directory {
        /// The path that was requested.
        path: PathBuf,
    },
    /// The operating system refuses to read the file.
    #[error("cannot read the trace `{}`", path.display())]
    #[diagnostic(code(trace::unreadable), help("check the permissions and the disk"))]
    Unreadable {
        /// The path that was requested.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file has no content.
    #[error("the trace `{}` is empty", path.display())]
    #[diagnostic(code(trace::empty), help("whatever wrote it failed: write it again"))]
    Empty {
        /// The trace.
        path: PathBuf,
    },
    /// The file ends in the middle of an element.
    #[error("the trace `{}` is truncated: it ends in the middle of {at}", path.display())]
    #[diagnostic(
        code(trace::truncated),
        help("copy or write it again; what stands before that place is whole and can be replayed with a limit")
    )]
    Truncated {
        /// The trace.
        path: PathBuf,
        /// The element in which it ends: the record, line or block, and its position.
        at: String,
    },
    /// The content contradicts itself.
    #[error("the trace `{}` is corrupt: {what}", path.display())]
    #[diagnostic(code(trace::corrupt), help("copy or write it again: bytes were changed after it was written"))]
    Corrupt {
        /// The trace.
        path: PathBuf,
        /// The contradiction, and its position.
        what: String,
    },
    /// The beginning of the file matches no known format.
    #[error("`{}` is not a trace in a known format: it begins with {first}", path.display())]
    #[diagnostic(
        code(trace::foreign),
        help(
            "known formats, each also compressed with xz, gzip or zstd: a capture of `lwp-sim capture`, \
             ChampSim 64-byte records, a retire log (JSON Lines, one `{{\"ip\":\"0x401000\"}}` a line)"
        )
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// A description of its first bytes.
        first: String,
    },
    /// The capture was written by a newer version of the program.
    #[error("the capture `{}` has format version {found}, this program reads up to {known}", path.display())]
    #[diagnostic(code(trace::newer), help("update lwp-sim, or capture the program again with this one"))]
    Newer {
        /// The trace.
        path: PathBuf,
        /// The version in the file.
        found: u32,
        /// The newest version that this program reads.
        known: u32,
    },
    /// A line of a retire log is invalid.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Line(Box<LineError>),
}

/// An invalid line of a retire log, and the position in it.
#[derive(Debug, Error, Diagnostic)]
#[error("{}, line {line}, column {column}: {what}", path.display())]
#[diagnostic(code(trace::line), help("{help}"))]
pub struct LineError {
    /// The trace.
    pub path: PathBuf,
    /// The number of the line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: usize,
    /// The expected and the found content.
    pub what: String,
    /// The advice to the user.
    pub help: String,
    /// The line itself.
    #[source_code]
    pub text: NamedSource<String>,
    /// The position in the line.
    #[label("here")]
    pub here: SourceSpan,
}

impl TraceError {
    /// Returns the error that the operating system reported for opening or reading `path`.
    pub(super) fn from_io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            io::ErrorKind::IsADirectory => Self::Directory { path },
            _ => Self::Unreadable { path, source },
        }
    }
}
