//! Exit codes, and errors that know theirs.

use miette::{Diagnostic, Report};
use sim_harness::capsule::{CapsuleError, ReplayError, ShrinkError};
use sim_harness::cosim::RunFailure;
use sim_harness::report::{Clash, OutputError};
use sim_harness::session::SessionError;
use sim_harness::stop;
use sim_harness::traces::TraceError;
use sim_harness::triage::ListError;
use sim_harness::verb::{VerbError, Whose};
use std::io::{self, Write};
use std::process::ExitCode;

/// RTL and model disagree.
pub(crate) const MISMATCH: u8 = 1;
/// The command line, the trace or the session is wrong.
pub(crate) const USAGE: u8 = 2;
/// Something cannot be read or written.
pub(crate) const IO: u8 = 3;
/// It fails, but not in the way that was recorded.
pub(crate) const OTHERWISE: u8 = 4;
/// The two builds of the RTL do not behave alike.
pub(crate) const BUILDS: u8 = 5;
/// Ctrl-C, as shells give it, or SIGTERM.
pub(crate) const INTERRUPTED: u8 = stop::INTERRUPTED;

/// An error and the exit code that goes with it.
#[derive(Debug)]
pub(crate) struct Failure {
    report: Report,
    code: u8,
}

impl Failure {
    /// Something is wrong with what the user gave.
    pub(crate) fn usage(error: impl Diagnostic + Send + Sync + 'static) -> Self {
        Self { report: Report::new(error), code: USAGE }
    }

    /// A combination of options that makes no sense.
    pub(crate) fn option(message: &str, help: &'static str) -> Self {
        Self { report: miette::miette!(help = help, "{message}"), code: USAGE }
    }

    /// Something cannot be read or written.
    pub(crate) fn io(error: impl Diagnostic + Send + Sync + 'static) -> Self {
        Self { report: Report::new(error), code: IO }
    }

    /// Fast and traced build of the RTL behave differently.
    pub(crate) fn builds(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        let help = "compare the two builds: one of them was translated wrongly";
        Self { report: miette::miette!(help = help, "{error}"), code: BUILDS }
    }

    /// The RTL failed with nothing beside it.
    pub(crate) fn rtl(message: &str, help: &'static str) -> Self {
        Self { report: miette::miette!(help = help, "{message}"), code: MISMATCH }
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        self.code
    }

    /// The error in one line.
    pub(crate) fn message(&self) -> String {
        self.report.to_string()
    }

    /// Prints the error.
    pub(crate) fn report(&self) -> ExitCode {
        complain(&self.report);
        ExitCode::from(self.code)
    }
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        match error {
            TraceError::Unreadable { .. } => Self::io(error),
            _ => Self::usage(error),
        }
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match &error {
            SessionError::Unreadable { source, .. } if source.kind() != io::ErrorKind::NotFound => Self::io(error),
            _ => Self::usage(error),
        }
    }
}

impl From<RunFailure> for Failure {
    fn from(failure: RunFailure) -> Self {
        match failure {
            RunFailure::Trace(error) => error.into(),
            RunFailure::Environment(error) => Self { report: Report::new_boxed(error), code: USAGE },
        }
    }
}

impl From<CapsuleError> for Failure {
    fn from(error: CapsuleError) -> Self {
        match error {
            CapsuleError::Unreadable { .. } => Self::io(error),
            _ => Self::usage(error),
        }
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Capsule(error) => error.into(),
            _ => Self { report: Report::new(error), code: BUILDS },
        }
    }
}

impl From<ShrinkError> for Failure {
    fn from(error: ShrinkError) -> Self {
        match error {
            ShrinkError::Replay(error) => error.into(),
            ShrinkError::DoesNotFail { .. } => Self { report: Report::new(error), code: OTHERWISE },
            _ => Self::usage(error),
        }
    }
}

impl From<ListError> for Failure {
    fn from(error: ListError) -> Self {
        match error {
            ListError::Unreadable(error) => error.into(),
            _ => Self::usage(error),
        }
    }
}

impl From<VerbError> for Failure {
    fn from(error: VerbError) -> Self {
        let code = match error.whose {
            Whose::User => USAGE,
            Whose::System => IO,
            Whose::Hardware => MISMATCH,
        };
        Self { report: error.report, code }
    }
}

impl From<Clash> for Failure {
    fn from(error: Clash) -> Self {
        Self::usage(error)
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        Self::io(error)
    }
}

/// Prints an error with its place and its help on standard error. A closed standard error cannot be helped.
pub(crate) fn complain(report: &Report) {
    let _ = writeln!(io::stderr(), "{report:?}");
}
