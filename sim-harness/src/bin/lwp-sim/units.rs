//! What of the command line depends on the units: `--unit`, and the dumps that a unit has.

use super::exit::Failure;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use sim_harness::cosim::Dump;
use sim_harness::unit::{UNITS, Unit};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The unit of this name.
pub(crate) fn named(name: &str) -> Result<&'static Unit, Failure> {
    Unit::named(name).ok_or_else(|| {
        let message = format!("there is no unit `{name}`; there are {}", Unit::names());
        Failure::option(&message, "`--unit NAME` chooses one")
    })
}

/// The unit that is meant where none is named.
pub(crate) fn default() -> &'static str {
    UNITS[0].name
}

/// Files for the dumps, by the name of the option.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dumps(BTreeMap<&'static str, PathBuf>);

impl Dumps {
    /// Options and files.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        self.0.iter().map(|(&option, path)| (option, path))
    }

    /// All are dumps of `unit`.
    pub(crate) fn check(&self, unit: &'static Unit) -> Result<(), Failure> {
        let has = |of: &Unit, option: &str| of.cosim.dumps.iter().any(|dump| dump.option == option);
        let Some((option, _)) = self.iter().find(|(option, _)| !has(unit, option)) else { return Ok(()) };
        let others: Vec<String> =
            UNITS.iter().filter(|other| has(other, option)).map(|other| format!("`{}`", other.name)).collect();
        let message = format!("the unit `{}` has no --{option}: it is an option of {}", unit.name, others.join(", "));
        Err(Failure::option(&message, "leave it out, or choose the unit with `--unit NAME`"))
    }
}

/// Each dump once, with the units that have it.
fn dumps() -> BTreeMap<&'static str, (&'static Dump, Vec<&'static str>)> {
    let mut all: BTreeMap<_, (_, Vec<_>)> = BTreeMap::new();
    for unit in UNITS {
        for dump in unit.cosim.dumps {
            all.entry(dump.option).or_insert_with(|| (dump, Vec::new())).1.push(unit.name);
        }
    }
    all
}

impl FromArgMatches for Dumps {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut all = Self::default();
        all.update_from_arg_matches(matches)?;
        Ok(all)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let given =
            dumps().into_keys().filter_map(|option| Some((option, matches.get_one::<PathBuf>(option)?.clone())));
        self.0.extend(given);
        Ok(())
    }
}

impl Args for Dumps {
    fn augment_args(command: Command) -> Command {
        dumps().into_iter().fold(command, |command, (option, (dump, units))| {
            let help = format!("{} (only with --unit {})", dump.help, units.join(", "));
            let arg = Arg::new(option).long(option).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help);
            command.arg(arg)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
