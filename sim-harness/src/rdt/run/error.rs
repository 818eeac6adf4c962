//! Why nothing is shown.

use super::plan::PlanError;
use crate::capsule::{CapsuleError, ReplayError};
use crate::rdt::environment::RdtFailure;
use crate::report::{Clash, OutputError};
use crate::session::SessionError;
use crate::traces::TraceError;
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
    #[diagnostic(code(rdt::options), help("{help}"))]
    Options {
        /// What is wrong.
        what: String,
        /// What helps.
        help: &'static str,
    },
    /// A trace accesses nothing.
    #[error("the program `{}` accesses no memory that the unit sees", path.display())]
    #[diagnostic(
        code(rdt::no_access),
        help(
            "a trace with the addresses of loads and stores is needed: a capture, a retire log with `loads` or `stores`, a ChampSim trace"
        )
    )]
    NoAccess {
        /// The trace.
        path: PathBuf,
    },
    /// The registers and the ports of the unit say different things.
    #[error("RMID {rmid}: {who} {register} {what}, and memory says {ports}")]
    #[diagnostic(
        code(rdt::differs),
        help(
            "the unit breaks its contract: with a build of the RTL that fits, lockstep tells whether model or RTL does"
        )
    )]
    Differs {
        /// RMID.
        rmid: u8,
        /// Register or accesses.
        who: &'static str,
        /// What is counted.
        what: &'static str,
        /// By the register or the accesses.
        register: u64,
        /// By the transfers that memory took.
        ports: u64,
    },
    /// The capsule does not fail as the run did.
    #[error("the run did not fail again as it did; `{}` holds its inputs", path.display())]
    #[diagnostic(
        code(rdt::unconfirmed),
        help("a trace may have changed meanwhile, or the machine is at fault: run it again")
    )]
    Unconfirmed {
        /// The capsule.
        path: PathBuf,
    },
    /// No room for the samples of a run.
    #[error("cannot keep the samples of the run: {0}")]
    #[diagnostic(code(rdt::samples), help("TMPDIR names the place"))]
    Samples(#[source] io::Error),
    /// The run cannot continue.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Failed(#[from] RdtFailure),
    /// The session is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Session(#[from] SessionError),
    /// A trace cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Trace(#[from] TraceError),
    /// There is no plan.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Plan(#[from] PlanError),
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
        let system = |error: &SessionError| match error {
            SessionError::Unreadable { source, .. } => source.kind() != io::ErrorKind::NotFound,
            _ => false,
        };
        match &self {
            Self::Output(_)
            | Self::Samples(_)
            | Self::Trace(TraceError::Unreadable { .. })
            | Self::Plan(PlanError::Output(_) | PlanError::Unreadable { .. }) => VerbError::io(self),
            Self::Session(session) | Self::Plan(PlanError::Session(session)) if system(session) => VerbError::io(self),
            Self::Differs { .. }
            | Self::Failed(_)
            | Self::Unconfirmed { .. }
            | Self::Capsule(_)
            | Self::Replay(_)
            | Self::Plan(PlanError::Wrong(_)) => VerbError::hardware(self),
            _ => VerbError::usage(self),
        }
    }
}
