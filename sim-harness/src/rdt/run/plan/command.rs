//! `lwp-sim rdt plan`: from the command line to the plan.

use super::error::PlanError;
use super::goals::{self, App};
use super::planned::{Cdp, Plan, plan};
use super::print;
use super::read_back::{check, parse_writes, read_back};
use crate::cpuid_leaves::Leaves;
use crate::rdt::run::straps;
use crate::report::{Output, separate};
use clap::{Args, Command, ValueEnum};
use lwp_regs::rdt::RdtCaps;
use std::fs;
use std::path::{Path, PathBuf};

const ABOUT: &str = "Turn shares of applications into classes of service, masks and delay values";

const LONG: &str = "\
Turn shares of applications into classes of service, masks and delay values

Each application gets a class of its own, a part of the caches that nobody else may fill, and a delay value. Class 0, which everything \
else has, gets what is left; name an application `default` to say what class 0 gets. The plan is checked against what CPUID enumerates, \
made by the drivers of lwp-regs, and read back from what they wrote: each share is as asked for, within the rounding that is printed.";

const AFTER: &str = "\
Examples:
  lwp-sim rdt plan --app noisy:cache=25%,bandwidth=50%
      a quarter of the L3 cache and half of the bandwidth for one, the rest of the cache for everything else
  lwp-sim rdt plan --cdp l3 --app db:data=50%,code=25% --format session > limits.toml
      code and data apart, as tables of a session file for `lwp-sim rdt --session`
  cpuid -1 -r > leaves; lwp-sim rdt plan --cpuid leaves --goals goals.toml --format resctrl
      for another processor, as lines for /sys/fs/resctrl/*/schemata
  lwp-sim rdt plan --app a:cache=50% --format msr > writes; lwp-sim rdt plan --read writes
      the writes of registers, and what they give

A file of goals:
  [[app]]
  name = \"noisy\"
  cache = 25          # percent of the L3 cache; or data and code, with --cdp l3
  bandwidth = 50      # percent of what a logical processor has without a delay

Exit codes: 0 planned; 2 the processor cannot do it, or the goals are wrong; 3 something cannot be read or written.";

/// Options of the allocation tool.
#[derive(Args, Clone, Debug)]
pub(in crate::rdt::run) struct PlanOptions {
    /// What an application is to get: cache, data, code, l2, l2-data, l2-code and bandwidth in percent; overlap to share; may be repeated
    #[arg(long, value_name = "NAME:KEY=PERCENT,...")]
    app: Vec<String>,

    /// Goals in a TOML file, a table `[[app]]` for each application
    #[arg(long, value_name = "FILE")]
    goals: Option<PathBuf>,

    /// Let the applications share their parts of the caches with each other
    #[arg(long)]
    overlap: bool,

    /// Keep code and data apart in this cache; may be repeated
    #[arg(long, value_name = "CACHE")]
    cdp: Vec<Level>,

    /// Plan for the unit with the straps of this session [default: the default straps]
    #[arg(long, value_name = "FILE", conflicts_with = "cpuid")]
    session: Option<PathBuf>,

    /// Plan for a processor with these leaves of CPUID, as `cpuid -1 -r` prints them
    #[arg(long, value_name = "FILE")]
    cpuid: Option<PathBuf>,

    /// Cycles of a request of a logical processor that is not delayed, for delay values that are cycles [default: that of the straps]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    mba_period: Option<u32>,

    /// What is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Where it goes; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,

    /// Print what each class has after these writes of registers, in place of a plan
    #[arg(long, value_name = "FILE", conflicts_with_all = ["app", "goals", "overlap", "cdp", "format"])]
    read: Option<PathBuf>,
}

/// A cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Level {
    /// The L3 cache
    L3,
    /// The L2 cache
    L2,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table, with the writes of registers
    Text,
    /// One object
    Json,
    /// Tables of a session file
    Session,
    /// Lines for the schemata of resctrl
    Resctrl,
    /// Writes of registers, as wrmsr of msr-tools takes them
    Msr,
}

impl PlanOptions {
    /// The command with its help.
    pub(in crate::rdt::run) fn command() -> Command {
        Self::augment_args(Command::new("plan")).about(ABOUT).long_about(LONG).after_long_help(AFTER)
    }

    fn apps(&self) -> Result<Vec<App>, PlanError> {
        let mut apps = self.goals.as_deref().map(goals::load).transpose()?.unwrap_or_default();
        for goal in &self.app {
            apps.push(App::parse(goal)?);
        }
        apps.iter_mut().for_each(|app| app.overlap |= self.overlap);
        goals::check_names(&apps)?;
        if apps.is_empty() {
            let help = "--app NAME:cache=25%,bandwidth=50%, or --goals FILE";
            return Err(PlanError::Options { what: "there is no application to plan for", help });
        }
        Ok(apps)
    }

    /// Limits of the processor, and the cycles of an undelayed request.
    fn limits(&self) -> Result<(RdtCaps, Option<u32>), PlanError> {
        let (caps, period) = match &self.cpuid {
            Some(path) => (RdtCaps::enumerate(&leaves(path)?), None),
            None => straps::limits(self.session.as_deref())?,
        };
        Ok((caps, self.mba_period.or(period)))
    }
}

/// Reads a file of lines as `cpuid -1 -r` prints them.
fn leaves(path: &Path) -> Result<Leaves, PlanError> {
    let text = fs::read_to_string(path).map_err(|error| PlanError::Unreadable { path: path.to_owned(), error })?;
    let leaves = Leaves::parse(&text).map_err(|wrong| PlanError::Line {
        path: path.to_owned(),
        line: wrong.line,
        what: wrong.what,
        help: Leaves::HELP,
    })?;
    if leaves.is_empty() { Err(PlanError::NoLeaf { path: path.to_owned() }) } else { Ok(leaves) }
}

/// Makes a plan, or reads one back, and writes it.
pub(in crate::rdt::run) fn run(options: &PlanOptions) -> Result<(), PlanError> {
    let inputs = [&options.goals, &options.session, &options.cpuid, &options.read].into_iter().flatten();
    separate(&inputs.map(PathBuf::as_path).collect::<Vec<_>>(), &[&options.output])?;
    let (caps, period) = options.limits()?;
    let text = match &options.read {
        Some(path) => read(path, &caps, period)?,
        None => {
            let cdp = Cdp { l3: options.cdp.contains(&Level::L3), l2: options.cdp.contains(&Level::L2) };
            let plan = plan(&options.apps()?, &caps, cdp, period)?;
            check(&plan)?;
            shown(&plan, options.format)
        }
    };
    Ok(Output::create(&options.output)?.write_whole(text.as_bytes())?)
}

fn shown(plan: &Plan, format: Format) -> String {
    match format {
        Format::Text => print::text(plan),
        Format::Json => format!("{:#}\n", print::to_json(plan)),
        Format::Session => print::session(plan),
        Format::Resctrl => print::resctrl(plan),
        Format::Msr => print::msr(plan),
    }
}

/// What the classes have after the writes of a file.
fn read(path: &Path, caps: &RdtCaps, period: Option<u32>) -> Result<String, PlanError> {
    let text = fs::read_to_string(path).map_err(|error| PlanError::Unreadable { path: path.to_owned(), error })?;
    let writes = parse_writes(path, &text)?;
    let has = read_back(&writes, caps).map_err(|(number, value, fault)| {
        let what = format!("{}: the processor refuses `wrmsr {number:#x} {value:#x}`: {fault}", path.display());
        PlanError::limit(what, "plan for this processor, or read the plan with the limits that it was made for")
    })?;
    Ok(print::has(&has, caps, period))
}
