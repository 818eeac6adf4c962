//! Why nothing is shown.

use crate::capsule::{CapsuleError, ReplayError};
use crate::itanium::ia64::AssembleError;
use crate::itanium::processor::ProcessorFailure;
use crate::report::{Clash, OutputError};
use crate::verb::VerbError;
use miette::Diagnostic;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Reason why nothing is shown.
#[derive(Debug, Error, Diagnostic)]
pub(crate) enum RunError {
    /// Options that do not go together, or make no sense.
    #[error("{what}")]
    #[diagnostic(code(itanium::options), help("{help}"))]
    Options {
        /// What is wrong.
        what: String,
        /// What helps.
        help: &'static str,
    },
    /// A file cannot be read.
    #[error("cannot read `{}`", path.display())]
    #[diagnostic(code(itanium::unreadable))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file is no program.
    #[error(transparent)]
    #[diagnostic(
        code(itanium::program),
        help("a program is an ELF executable for IA-64, or a source in assembly whose name ends in `.s`")
    )]
    Program(#[from] AssembleError),
    /// The capsule does not fail as the run did.
    #[error("the run did not fail again as it did; `{}` holds its inputs", path.display())]
    #[diagnostic(code(itanium::unconfirmed), help("the machine may be at fault: run it again"))]
    Unconfirmed {
        /// The capsule.
        path: PathBuf,
    },
    /// The run cannot continue.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Failed(#[from] ProcessorFailure),
    /// No capsule can be made.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Capsule(#[from] CapsuleError),
    /// The capsule cannot be replayed.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Replay(#[from] ReplayError),
    /// An output would replace another file of the run.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Clash(#[from] Clash),
    /// An output cannot be written.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Output(#[from] OutputError),
}

impl RunError {
    /// Options that do not go together, or make no sense.
    pub(super) fn options(what: impl Into<String>, help: &'static str) -> Self {
        Self::Options { what: what.into(), help }
    }

    /// The error with its exit code.
    pub(super) fn into_verb(self) -> VerbError {
        match &self {
            Self::Output(_) => VerbError::io(self),
            Self::Unreadable { source, .. } if source.kind() != io::ErrorKind::NotFound => VerbError::io(self),
            Self::Program(AssembleError::NoTool(_) | AssembleError::Start { .. } | AssembleError::Read { .. }) => {
                VerbError::io(self)
            }
            Self::Unconfirmed { .. }
            | Self::Capsule(_)
            | Self::Replay(_)
            | Self::Failed(ProcessorFailure::NoAnswer { .. }) => VerbError::hardware(self),
            _ => VerbError::usage(self),
        }
    }
}
