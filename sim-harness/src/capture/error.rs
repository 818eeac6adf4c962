//! The errors of a capture.

use std::io;
use std::path::{Path, PathBuf};

use crate::report::Clash;
use miette::Diagnostic;
use thiserror::Error;

/// The reason why a capture failed.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum CaptureError {
    /// QEMU is not installed.
    #[error("qemu-x86_64 is not installed")]
    #[diagnostic(code(capture::qemu), help("install it: apt-get install qemu-user (or your system's package of it)"))]
    NoQemu,
    /// No command was given.
    #[error("no program to capture")]
    #[diagnostic(code(capture::command), help("lwp-sim capture -o FILE -- PROGRAM ARGUMENTS"))]
    NoCommand,
    /// The command does not exist.
    #[error("there is no program `{name}`")]
    #[diagnostic(code(capture::program), help("{help}"))]
    NoProgram {
        /// The program as the user named it.
        name: String,
        /// Where it was searched for.
        help: String,
    },
    /// The command exists, but the user may not execute it.
    #[error("`{}` is not executable", path.display())]
    #[diagnostic(code(capture::executable), help("chmod +x it, or name another file"))]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// The command is a script.
    #[error("`{}` is a script for `{interpreter}`, not an x86-64 program", path.display())]
    #[diagnostic(code(capture::script), help("capture its interpreter: -- {interpreter} {}", path.display()))]
    Script {
        /// The script.
        path: PathBuf,
        /// The interpreter in its first line.
        interpreter: String,
    },
    /// The command is neither a script nor an x86-64 ELF program.
    #[error("`{}` is not an x86-64 ELF program: {what}", path.display())]
    #[diagnostic(code(capture::foreign), help("only 64-bit x86 Linux programs can be captured"))]
    NotX86 {
        /// The file.
        path: PathBuf,
        /// The kind of file that was found.
        what: String,
    },
    /// The program's file cannot be read.
    #[error("cannot read the program `{}`", path.display())]
    #[diagnostic(code(capture::unreadable), help("check its permissions"))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// QEMU could not be started or controlled.
    #[error("cannot {what}")]
    #[diagnostic(code(capture::system))]
    System {
        /// The operation that failed.
        what: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// QEMU ran without the plugin.
    #[error("QEMU did not run the plugin: {end}")]
    #[diagnostic(
        code(capture::plugin),
        help(
            "QEMU's own message is above. It must be 4.2 or newer, built with plugins (Debian's qemu-user is), and \
             the directory for temporary files (TMPDIR) must allow execution"
        )
    )]
    PluginRefused {
        /// How QEMU ended.
        end: String,
    },
    /// The plugin's stream is inconsistent.
    #[error("the plugin wrote something that is no record: {what}")]
    #[diagnostic(code(capture::stream), help("a defect of this program or memory that the traced program overwrote"))]
    Stream {
        /// The inconsistency that was found.
        what: String,
    },
    /// The trace would replace the program.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Clash(#[from] Clash),
    /// There is no space for the trace.
    #[error("no space left for the trace `{}`", path.display())]
    #[diagnostic(code(capture::space), help("free some, write elsewhere, or give a --limit"))]
    NoSpace {
        /// The trace.
        path: PathBuf,
    },
    /// The trace cannot be written.
    #[error("cannot write the trace `{}`", path.display())]
    #[diagnostic(code(capture::write), help("check that the directory exists and can be written"))]
    Write {
        /// The trace.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl CaptureError {
    /// Returns the error for a failed write of the trace.
    pub(super) fn write(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoSpace { path },
            _ => Self::Write { path, source },
        }
    }

    /// Returns a function for `map_err`: the operating system failed to do `what`.
    pub(super) fn system(what: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| Self::System { what, source }
    }
}
