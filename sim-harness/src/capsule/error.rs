//! Everything that can be wrong with a capsule.

use super::header::Way;
use miette::Diagnostic;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a capsule cannot be used.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum CapsuleError {
    /// There is no such file.
    #[error("there is no capsule `{}`", path.display())]
    #[diagnostic(
        code(capsule::missing),
        help("check the path; `lwp-sim cosim` writes one when RTL and model disagree")
    )]
    Missing {
        /// The path that was asked for.
        path: PathBuf,
    },
    /// The operating system refuses to read the file.
    #[error("cannot read the capsule `{}`: {source}", path.display())]
    #[diagnostic(code(capsule::unreadable), help("name one file; check its permissions and the disk"))]
    Unreadable {
        /// The path that was asked for.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// It does not begin as a capsule does.
    #[error("this is no failure capsule: it does not begin with `{}`", super::file::MAGIC)]
    #[diagnostic(code(capsule::other_file), help("a trace or a session goes to `lwp-sim cosim`"))]
    NotACapsule,
    /// The format has another version.
    #[error("the capsule has version {found} of the format, and this program reads version {}", super::file::VERSION)]
    #[diagnostic(
        code(capsule::version),
        help(
            "use the program that wrote it, which `origin` in its text names (`head -n 40 FILE`), or find the failure again \
             with the command there"
        )
    )]
    Version {
        /// What the file says.
        found: String,
    },
    /// The file ends early.
    #[error("the capsule breaks off: it has {found} of {expected} bytes")]
    #[diagnostic(code(capsule::truncated), help("copy it again, or find the failure again"))]
    Truncated {
        /// Bytes after the checksum line, as that line says.
        expected: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// The checksum is wrong.
    #[error("the capsule is damaged: {what}")]
    #[diagnostic(code(capsule::damaged), help("copy it again (as binary), or find the failure again"))]
    Damaged {
        /// What gave it away.
        what: String,
    },
    /// The text part cannot be understood.
    #[error("the text of the capsule makes no sense: {reason}")]
    #[diagnostic(code(capsule::text), help("the checksum is right, so the program that wrote it was wrong"))]
    Text {
        /// What the reader of TOML, or the check of a value, says.
        reason: String,
    },
    /// The capsule is of a unit that this program does not know.
    #[error("the capsule is of the unit `{unit}`, and this program knows {known}")]
    #[diagnostic(
        code(capsule::unit),
        help("use the program that wrote it: `origin` in its text (`head -n 40 FILE`) names the version")
    )]
    Unit {
        /// The capsule's unit.
        unit: String,
        /// The units there are.
        known: String,
    },
    /// The capsule is of a build that this program was compiled without.
    #[error("the capsule is of the build `{build}`, and this program has {known}")]
    #[diagnostic(
        code(capsule::build),
        help("`cargo run --release -p sim-harness --features all-sizes -- replay …` has all")
    )]
    Build {
        /// The capsule's build.
        build: String,
        /// The builds there are.
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
        /// Words or parameters of what.
        what: &'static str,
        /// The capsule's.
        found: String,
        /// This program's.
        expected: String,
    },
    /// The straps are such as no hardware may have.
    #[error("the capsule's straps are illegal: {reason}")]
    #[diagnostic(
        code(capsule::straps),
        help("the contract allows no failure with these straps; see Ports in the book")
    )]
    Straps {
        /// The first rule they break.
        reason: String,
    },
}

/// Why a replay says nothing.
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
        /// Where the fast build failed, and how.
        fast: Option<(u64, Way)>,
        /// Where the traced build did.
        traced: Option<(u64, Way)>,
    },
}

fn tell(found: &Option<(u64, Way)>) -> String {
    found.as_ref().map_or_else(|| "does not fail".to_owned(), |(cycle, way)| format!("fails in cycle {cycle}: {way}"))
}
