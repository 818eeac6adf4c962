//! Errors of capsules.

use capsule_file::Way;
use miette::Diagnostic;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Reason why a capsule cannot be used.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum CapsuleError {
    /// The file does not exist.
    #[error("there is no capsule `{}`", path.display())]
    #[diagnostic(
        code(capsule::missing),
        help("check the path; `lwp-sim cosim` writes one when RTL and model disagree")
    )]
    Missing {
        /// Path of the file.
        path: PathBuf,
    },
    /// The operating system refuses to read the file.
    #[error("cannot read the capsule `{}`: {source}", path.display())]
    #[diagnostic(code(capsule::unreadable), help("name one file; check its permissions and the disk"))]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The file does not begin as a capsule.
    #[error("this is no failure capsule: it does not begin with `{}`", capsule_file::MAGIC)]
    #[diagnostic(code(capsule::other_file), help("a trace or a session goes to `lwp-sim cosim`"))]
    NotACapsule,
    /// The format of the file has another version.
    #[error("the capsule has version {found} of the format, and this program reads version {}", capsule_file::VERSION)]
    #[diagnostic(
        code(capsule::version),
        help(
            "use the program that wrote it, which `origin` in its text names (`head -n 40 FILE`), or find the failure again \
             with the command there"
        )
    )]
    Version {
        /// Version in the file.
        found: String,
    },
    /// The file ends early.
    #[error("the capsule breaks off: it has {found} of {expected} bytes")]
    #[diagnostic(code(capsule::truncated), help("copy it again, or find the failure again"))]
    Truncated {
        /// Number of bytes after the checksum line, according to that line.
        expected: u64,
        /// Number of bytes after the checksum line in the file.
        found: u64,
    },
    /// The checksum is wrong.
    #[error("the capsule is damaged: {what}")]
    #[diagnostic(code(capsule::damaged), help("copy it again (as binary), or find the failure again"))]
    Damaged {
        /// Part of the file that does not agree with the checksum.
        what: String,
    },
    /// The text part cannot be understood.
    #[error("the text of the capsule makes no sense: {reason}")]
    #[diagnostic(code(capsule::text), help("the checksum is right, so the program that wrote it was wrong"))]
    Text {
        /// Error of the TOML reader, or of the check of a value.
        reason: String,
    },
    /// The capsule is of a unit that this program does not know.
    #[error("the capsule is of the unit `{unit}`, and this program knows {known}")]
    #[diagnostic(
        code(capsule::unit),
        help("use the program that wrote it: `origin` in its text (`head -n 40 FILE`) names the version")
    )]
    Unit {
        /// Unit of the capsule.
        unit: String,
        /// Units that this program knows.
        known: String,
    },
    /// The capsule is of a build that this program was compiled without.
    #[error("the capsule is of the build `{build}`, and this program has {known}")]
    #[diagnostic(
        code(capsule::build),
        help("`cargo run --release -p sim-harness --features all-sizes -- replay …` has all")
    )]
    Build {
        /// Build of the capsule.
        build: String,
        /// Builds of this program.
        known: String,
    },
    /// The sizes of the flat image are not those of this program.
    #[error("the capsule's {what}: {found}, where this program has {expected}")]
    #[diagnostic(
        code(capsule::sizes),
        help(
            "the contract has changed since: `origin.sources` in the capsule's text names the sources it was made with"
        )
    )]
    Sizes {
        /// What has another size: words of a row, or a parameter.
        what: &'static str,
        /// Size in the capsule.
        found: String,
        /// Size in this program.
        expected: String,
    },
    /// The straps are illegal.
    #[error("the capsule's straps are illegal: {reason}")]
    #[diagnostic(
        code(capsule::straps),
        help("the contract allows no failure with these straps; see Ports in the book")
    )]
    Straps {
        /// The first rule that the straps break.
        reason: String,
    },
}

/// Reason why a replay has no result.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum ReplayError {
    /// The capsule cannot be used.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Capsule(#[from] CapsuleError),
    /// Fast and traced build of the RTL behave differently.
    #[error(
        "the two builds of the RTL do not fail alike: the fast one {}, the traced one {}",
        tell(fast),
        tell(traced)
    )]
    #[diagnostic(
        code(replay::builds),
        help("one of them was translated wrongly: build again from nothing, then try another version of Verilator")
    )]
    BuildsDisagree {
        /// Cycle in which the fast build failed, and how.
        fast: Option<(u64, Way)>,
        /// Cycle in which the traced build failed, and how.
        traced: Option<(u64, Way)>,
    },
}

fn tell(found: &Option<(u64, Way)>) -> String {
    found.as_ref().map_or_else(|| "does not fail".to_owned(), |(cycle, way)| format!("fails in cycle {cycle}: {way}"))
}
