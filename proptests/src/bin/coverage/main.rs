//! `coverage`: what the cases meet, steered to what they seldom meet; lines and toggles of the RTL; one report of all.

mod args;
mod compare;
mod report;
mod rtl;
mod run;
mod toggles;

use args::{Args, Command};
use clap::Parser;
use sim_harness::complain;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// The run was asked to end.
static STOPPED: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Rtl(args) => rtl::rtl(&args),
        Command::Toggles(args) => toggles::toggles(&args),
        Command::Report(args) => report::report(&args),
        Command::Merge { unit, files, out } => run::merge(&unit, &files, &out),
    };
    match done {
        Ok(code) => code,
        Err(text) => {
            complain!("coverage: {text}");
            ExitCode::from(2)
        }
    }
}
