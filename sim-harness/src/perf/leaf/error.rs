//! Why a leaf is not described.

use crate::cpuid_leaves::Leaves;
use crate::report::OutputError;
use miette::Diagnostic;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a leaf is not described.
#[derive(Debug, Error, Diagnostic)]
pub enum LeafError {
    /// The registers of a leaf are four numbers.
    #[error("`{text}` is no leaf of CPUID: {what}")]
    #[diagnostic(code(leaf::registers), help("EAX,EBX,ECX,EDX in hexadecimal, as in 0x07300403,0,0,0x603"))]
    Registers {
        /// What was given.
        text: String,
        /// What is wrong.
        what: String,
    },
    /// A line of a file is wrong.
    #[error("{}, line {line}: {what}", path.display())]
    #[diagnostic(code(leaf::line), help("{}", Leaves::HELP))]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// A file has no leaf at all.
    #[error("`{}` has no leaf of CPUID", path.display())]
    #[diagnostic(code(leaf::empty), help("a line is {}", Leaves::HELP))]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be read.
    #[error("cannot read `{}`: {error}", path.display())]
    #[diagnostic(code(leaf::unreadable), help("check the path"))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Standard output cannot be written.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Output(#[from] OutputError),
}
