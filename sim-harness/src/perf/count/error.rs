//! Why nothing is counted.

use crate::capsule::{CapsuleError, ReplayError};
use crate::capture::CaptureError;
use crate::core::MachineFault;
use crate::report::{Clash, OutputError};
use crate::traces::TraceError;
use miette::Diagnostic;
use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// A place of a trace that does not tell what an event counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Number of the instruction from 0, and its address; `None` if it is the trace as a whole.
    place: Option<(u64, u64)>,
    why: String,
}

impl Gap {
    /// The trace as a whole.
    pub(super) fn whole(why: &str) -> Self {
        Self { place: None, why: why.to_owned() }
    }

    /// An instruction.
    pub(super) fn at(number: u64, ip: u64, why: &str) -> Self {
        Self { place: Some((number, ip)), why: why.to_owned() }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            None => f.write_str(&self.why),
            Some((number, ip)) => write!(f, "{} (instruction {number} at {ip:#x})", self.why),
        }
    }
}

/// Why nothing is counted.
#[derive(Debug, Error, Diagnostic)]
pub enum CountError {
    /// There is no event with this name.
    #[error("{} has no event `{event}`", article(on))]
    #[diagnostic(code(count::event), help("{help}"))]
    UnknownEvent {
        /// The name.
        event: String,
        /// The processor.
        on: String,
        /// The nearest names, or the processors that have it.
        help: String,
    },
    /// The event has no such kind, or needs one.
    #[error("{event} {what}")]
    #[diagnostic(code(count::kind), help("{help}"))]
    Kind {
        /// The event.
        event: String,
        /// What is wrong.
        what: String,
        /// Its kinds.
        help: String,
    },
    /// A modifier is wrong.
    #[error("{event}: {what}")]
    #[diagnostic(code(count::modifier), help("{help}"))]
    Modifier {
        /// The event as the user gave it.
        event: String,
        /// What is wrong.
        what: String,
        /// What there is.
        help: &'static str,
    },
    /// The processor refuses the selection.
    #[error("{0}")]
    #[diagnostic(code(count::refused))]
    Refused(String),
    /// No trace has what the event counts.
    #[error("{event} counts `{line}`, which neither a trace nor the front end knows")]
    #[diagnostic(code(count::not_supplied), help("`lwp-sim count --list` lists the events that can be counted"))]
    NotSupplied {
        /// The event.
        event: String,
        /// The line of the event bus.
        line: &'static str,
    },
    /// This trace lacks what the event counts.
    #[error("{event} cannot be counted on this trace: {gap}")]
    #[diagnostic(code(count::gap), help("it counts {meaning}; a capture of `lwp-sim capture` tells most"))]
    Gap {
        /// The event.
        event: String,
        /// What it counts.
        meaning: &'static str,
        /// What the trace lacks.
        gap: Gap,
    },
    /// More passes are needed than allowed.
    #[error("{events} events need {needed} passes over the trace, and {allowed} may be made{why}")]
    #[diagnostic(code(count::passes), help("leave out events, or allow more: --passes {needed}"))]
    Passes {
        /// Events.
        events: usize,
        /// Passes that they need.
        needed: usize,
        /// Passes that the user allows.
        allowed: usize,
        /// Events that exclude each other, if that is why.
        why: String,
    },
    /// The trace cannot be read again.
    #[error("the trace `{trace}` cannot be read {times} times")]
    #[diagnostic(code(count::pipe), help("give a file: each pass reads the trace from its beginning"))]
    NotRepeatable {
        /// The trace.
        trace: String,
        /// How often.
        times: usize,
    },
    /// A symbol or address of a portion is wrong.
    #[error("{what}")]
    #[diagnostic(code(count::portion), help("{help}"))]
    Portion {
        /// What is wrong.
        what: String,
        /// What helps.
        help: &'static str,
    },
    /// A formula is wrong.
    #[error("the metric `{formula}`: {what}")]
    #[diagnostic(code(count::metric), help("NAME=FORMULA with events, numbers, + - * / and parentheses"))]
    Metric {
        /// The formula.
        formula: String,
        /// What is wrong.
        what: String,
    },
    /// The clock is no frequency.
    #[error("{what}")]
    #[diagnostic(code(count::clock), help("--clock MHZ, above 0; or --clock cpuinfo for this machine's"))]
    Clock {
        /// What is wrong.
        what: String,
    },
    /// Options that do not go together.
    #[error("{what}")]
    #[diagnostic(code(count::options), help("{help}"))]
    Options {
        /// What is wrong.
        what: &'static str,
        /// What helps.
        help: &'static str,
    },
    /// The program failed; its counts are printed all the same.
    #[error("{end}")]
    #[diagnostic(code(count::program), help("the counts are those up to there"))]
    Program {
        /// How it ended.
        end: String,
    },
    /// The driver could not access its registers.
    #[error("the driver of the counters failed: {fault}")]
    #[diagnostic(code(count::driver), help("the unit breaks its contract: compare it with `--engine lockstep`"))]
    Driver {
        /// The exception.
        fault: MachineFault,
    },
    /// The counters and the plain counter differ.
    #[error("{event} was counted {count} times and occurred {exact} times")]
    #[diagnostic(code(count::differs), help("the unit or the environment is wrong; `--engine model` tells which"))]
    Differs {
        /// The event.
        event: String,
        /// By the unit.
        count: u64,
        /// By the plain counter.
        exact: u64,
    },
    /// The trace cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Trace(#[from] TraceError),
    /// The program cannot be captured.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Capture(#[from] CaptureError),
    /// No capsule can be made.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Capsule(#[from] CapsuleError),
    /// The capsule cannot be replayed.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Replay(#[from] ReplayError),
    /// The capsule does not fail as the count did.
    #[error("the count did not fail again as it did; `{}` holds its inputs", path.display())]
    #[diagnostic(
        code(count::unconfirmed),
        help("the trace may have changed meanwhile, or the machine is at fault: run it again")
    )]
    Unconfirmed {
        /// The capsule.
        path: PathBuf,
    },
    /// An output would replace another file of the run.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Clash(#[from] Clash),
    /// An output cannot be written.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Output(#[from] OutputError),
    /// No room for the captured trace.
    #[error("cannot make a directory for the captured trace: {0}")]
    #[diagnostic(code(count::directory), help("TMPDIR names the place"))]
    Directory(std::io::Error),
}

impl From<MachineFault> for CountError {
    fn from(fault: MachineFault) -> Self {
        Self::Driver { fault }
    }
}

/// A processor with its article.
fn article(processor: &str) -> String {
    if processor.starts_with("a ") { processor.to_owned() } else { format!("the {processor}") }
}
