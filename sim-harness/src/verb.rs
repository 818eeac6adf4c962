//! Commands of the program that one unit alone has.

use clap::{ArgMatches, Command};
use miette::{Diagnostic, Report};
use std::sync::atomic::AtomicBool;

/// Command of the program that a unit has for itself.
#[derive(Debug)]
pub struct Verb {
    /// Name on the command line.
    pub name: &'static str,
    /// Returns its arguments and its help.
    pub command: fn() -> Command,
    /// Runs it. The flag becomes `true` with Ctrl-C or SIGTERM.
    pub run: fn(&ArgMatches, &AtomicBool) -> Result<Ended, VerbError>,
    /// Lines for the examples of the program's help.
    pub examples: &'static str,
    /// Whether it heeds the flag with these arguments. Ctrl-C ends at once what does not.
    pub heeds_stop: fn(&ArgMatches) -> bool,
}

/// How a command ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Everything is done.
    Done,
    /// Model and RTL disagree, which has been reported.
    Mismatch,
    /// Ctrl-C.
    Interrupted,
}

/// Why a command failed.
#[derive(Debug)]
pub struct VerbError {
    /// The error.
    pub report: Report,
    /// Whose error it is.
    pub whose: Whose,
}

/// Whose error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// What the user gave is wrong.
    User,
    /// Something cannot be read or written.
    System,
    /// The hardware is wrong.
    Hardware,
}

impl VerbError {
    /// What the user gave is wrong.
    pub fn usage(error: impl Diagnostic + Send + Sync + 'static) -> Self {
        Self { report: Report::new(error), whose: Whose::User }
    }

    /// Something cannot be read or written.
    pub fn io(error: impl Diagnostic + Send + Sync + 'static) -> Self {
        Self { report: Report::new(error), whose: Whose::System }
    }

    /// The hardware is wrong.
    pub fn hardware(error: impl Diagnostic + Send + Sync + 'static) -> Self {
        Self { report: Report::new(error), whose: Whose::Hardware }
    }
}
