//! Why there is no plan.

use crate::report::{Clash, OutputError};
use crate::session::SessionError;
use lwp_regs::Refused;
use miette::Diagnostic;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Reason why there is no plan.
#[derive(Debug, Error, Diagnostic)]
pub(crate) enum PlanError {
    /// A goal cannot be read.
    #[error("the goal `{goal}`: {what}")]
    #[diagnostic(
        code(rdt::goal),
        help("NAME:KEY=PERCENT,... with cache, data, code, l2, l2-data, l2-code, bandwidth; or overlap")
    )]
    Goal {
        /// The goal as it was given.
        goal: String,
        /// What is wrong.
        what: String,
    },
    /// The processor cannot do what is asked for.
    #[error("{what}")]
    #[diagnostic(code(rdt::limit), help("{help}"))]
    Limit {
        /// What it cannot do.
        what: String,
        /// What helps.
        help: String,
    },
    /// Options that do not go together.
    #[error("{what}")]
    #[diagnostic(code(rdt::options), help("{help}"))]
    Options {
        /// What is wrong.
        what: &'static str,
        /// What helps.
        help: &'static str,
    },
    /// A line of a file is wrong.
    #[error("{}, line {line}: {what}", path.display())]
    #[diagnostic(code(rdt::line), help("{help}"))]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
        /// What a line looks like.
        help: &'static str,
    },
    /// A file has no leaf at all.
    #[error("`{}` has no leaf of CPUID", path.display())]
    #[diagnostic(code(rdt::leaves), help("a line is {}", crate::cpuid_leaves::Leaves::HELP))]
    NoLeaf {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be read.
    #[error("cannot read `{}`: {error}", path.display())]
    #[diagnostic(code(rdt::unreadable), help("check the path"))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A driver refused what was planned, or the plan read back is another one.
    #[error("the plan is wrong: {0}")]
    #[diagnostic(code(rdt::plan), help("this is a defect of the planner; please report it with the command line"))]
    Wrong(String),
    /// The goals or the session are wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Session(#[from] SessionError),
    /// The plan would replace one of the files that it is made from.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Clash(#[from] Clash),
    /// The plan cannot be written.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Output(#[from] OutputError),
}

impl PlanError {
    /// The processor cannot do this.
    pub(super) fn limit(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Limit { what: what.into(), help: help.into() }
    }
}

impl From<Refused> for PlanError {
    fn from(refused: Refused) -> Self {
        Self::Wrong(refused.to_string())
    }
}
