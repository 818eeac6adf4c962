//! Commands that one unit alone has: the unit registers them.

use super::exit::Failure;
use super::interrupt;
use clap::{ArgMatches, Command};
use sim_harness::unit::UNITS;
use sim_harness::verb::{Ended, Verb};
use std::process::ExitCode;

/// The commands of all units.
fn all() -> impl Iterator<Item = &'static Verb> {
    UNITS.iter().flat_map(|unit| unit.verbs).copied()
}

/// The program with them.
pub(crate) fn add(program: Command) -> Command {
    all().fold(program, |program, verb| program.subcommand((verb.command)()))
}

/// Examples with theirs, before the last line, which leads to more.
pub(crate) fn examples(own: &str) -> String {
    let (before, last) = own.rsplit_once('\n').unwrap_or((own, ""));
    let theirs: String = all().map(|verb| verb.examples).collect();
    format!("{before}\n{theirs}{last}")
}

/// Runs the command that was given, if a unit has it.
pub(crate) fn run(matches: &ArgMatches) -> Option<ExitCode> {
    let (name, own) = matches.subcommand()?;
    let verb = all().find(|verb| verb.name == name)?;
    if (verb.heeds_stop)(own) {
        interrupt::catch();
    }
    Some(match (verb.run)(own, interrupt::flag()) {
        Ok(Ended::Done) => ExitCode::SUCCESS,
        Ok(Ended::Mismatch) => ExitCode::from(super::exit::MISMATCH),
        Ok(Ended::Interrupted) => ExitCode::from(super::exit::INTERRUPTED),
        Err(error) => Failure::from(error).report(),
    })
}
