//! Everything that can be wrong with a trace.

use std::io;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, NamedSource, SourceSpan};
use thiserror::Error;

/// Why a trace cannot be read, or not any further.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum TraceError {
    /// There is no such file.
    #[error("there is no trace `{}`", path.display())]
    #[diagnostic(code(trace::missing), help("check the path; `lwp-sim capture -o FILE -- PROGRAM` makes a trace"))]
    Missing {
        /// The path that was asked for.
        path: PathBuf,
    },
    /// The path names a directory.
    #[error("`{}` is a directory, not a trace", path.display())]
    #[diagnostic(code(trace::directory), help("name one trace file inside it"))]
    Directory {
        /// The path that was asked for.
        path: PathBuf,
    },
    /// The operating system refuses to read the file.
    #[error("cannot read the trace `{}`", path.display())]
    #[diagnostic(code(trace::unreadable), help("check the permissions and the disk"))]
    Unreadable {
        /// The path that was asked for.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file has no content.
    #[error("the trace `{}` is empty", path.display())]
    #[diagnostic(code(trace::empty), help("whatever wrote it failed: write it again"))]
    Empty {
        /// The trace.
        path: PathBuf,
    },
    /// The file ends in the middle of something.
    #[error("the trace `{}` is truncated: it ends in the middle of {at}", path.display())]
    #[diagnostic(
        code(trace::truncated),
        help("copy or write it again; what stands before that place is whole and can be replayed with a limit")
    )]
    Truncated {
        /// The trace.
        path: PathBuf,
        /// What it ends in: which record, line or block, and where that begins.
        at: String,
    },
    /// The content contradicts itself.
    #[error("the trace `{}` is corrupt: {what}", path.display())]
    #[diagnostic(code(trace::corrupt), help("copy or write it again: bytes were changed after it was written"))]
    Corrupt {
        /// The trace.
        path: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
    /// No known format begins like this.
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
        /// Its first bytes, in words.
        first: String,
    },
    /// The capture was written by a newer version of the program.
    #[error("the capture `{}` has format version {found}, this program reads up to {known}", path.display())]
    #[diagnostic(code(trace::newer), help("update lwp-sim, or capture the program again with this one"))]
    Newer {
        /// The trace.
        path: PathBuf,
        /// The version that the file says.
        found: u32,
        /// The newest version known here.
        known: u32,
    },
    /// A line of a retire log is not what it should be.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Line(Box<LineError>),
}

/// A line of a retire log that is not what it should be, and the place in it.
#[derive(Debug, Error, Diagnostic)]
#[error("{}, line {line}, column {column}: {what}", path.display())]
#[diagnostic(code(trace::line), help("{help}"))]
pub struct LineError {
    /// The trace.
    pub path: PathBuf,
    /// Number of the line, from 1.
    pub line: u64,
    /// Column in bytes, from 1.
    pub column: usize,
    /// What was expected, and what was found.
    pub what: String,
    /// What to do.
    pub help: String,
    /// The line itself.
    #[source_code]
    pub text: NamedSource<String>,
    /// The place in it.
    #[label("here")]
    pub here: SourceSpan,
}

impl TraceError {
    /// What the operating system said on opening or reading `path`.
    pub(super) fn from_io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            io::ErrorKind::IsADirectory => Self::Directory { path },
            _ => Self::Unreadable { path, source },
        }
    }
}
