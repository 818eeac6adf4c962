//! The command line of `lwp-sim count`.

use super::CountError;
use super::clock::clock_of;
use super::event::Wanted;
use super::formula::Formula;
use super::run::{Job, build_for, lanes_of};
use crate::cosim::{Engine, MOST_CPI};
use clap::{Args, ValueEnum};
use lwp_model::perf::{Config, Personality};
use lwp_regs::perf::metrics::{Megahertz, SUMMARY_EVENTS};
use lwp_regs::perf::p6::P6Model;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Options and arguments.
#[derive(Args, Clone, Debug)]
pub(super) struct CountOptions {
    /// SUM for the ten events of the study and what they say, or events
    #[arg(value_name = "SUM|EVENT")]
    pub(super) what: Vec<String>,

    /// An event, `EVENT[.KIND][:u|k|e|i|cN|t]`; may be repeated, or a list with commas
    ///
    /// u counts in user mode and k in the system, both without either; cN counts cycles with at least N events and icN with
    /// fewer; e counts how often that begins; t counts on any logical processor. `--list` lists the events.
    #[arg(short, long, value_name = "EVENT", value_delimiter = ',')]
    pub(super) event: Vec<String>,

    /// The trace: a capture of `lwp-sim capture`, a retire log (JSON Lines) or a ChampSim trace
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub(super) trace: Option<PathBuf>,

    /// The counters: of P6, or architectural performance monitoring of version 1, 2 or 3
    #[arg(long, value_enum, default_value_t = Of::P6)]
    pub(super) personality: Of,

    /// The processor of the P6 family, which has events of its own
    #[arg(long, value_enum, default_value_t = Model::Three)]
    pub(super) model: Model,

    /// What counts: model and RTL, compared in every register of every cycle, or one of them
    #[arg(long, value_enum, default_value_t = Engine::Lockstep)]
    pub(super) engine: Engine,

    /// Count from this function or address (0x...) on, each time that the program comes to it
    #[arg(long, value_name = "PLACE")]
    pub(super) from: Option<String>,

    /// Stop counting at this function or address
    #[arg(long, value_name = "PLACE")]
    pub(super) to: Option<String>,

    /// Print the counts of every N instructions, on a line
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) interval: Option<u64>,

    /// Run the program so often, and print means
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), conflicts_with = "trace")]
    pub(super) runs: u16,

    /// Make so many passes over the trace at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) passes: Option<u16>,

    /// The processor's clock, for rates: in MHz, or `cpuinfo` for this machine's
    #[arg(long, value_name = "MHZ")]
    pub(super) clock: Option<String>,

    /// Print a metric: `NAME=FORMULA` with events, numbers, + - * / and parentheses; its events are counted
    #[arg(short, long, value_name = "METRIC")]
    pub(super) metric: Vec<String>,

    /// Stop after this many instructions
    #[arg(long, value_name = "N")]
    pub(super) limit: Option<u64>,

    /// Cycles from one group of retiring instructions to the next [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_CPI))]
    pub(super) cpi: Option<u64>,

    /// Instructions that retire in one cycle at most [default: 4, or what the unit takes; 1 if --cpi is given]
    #[arg(long, value_name = "1..4", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(super) retire_lanes: Option<u8>,

    /// Write the counts as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,

    /// Where the failure capsule goes if RTL and model disagree [default: named after program or trace, pass and cycle, in this folder]
    #[arg(long, value_name = "FILE")]
    pub(super) capsule: Option<PathBuf>,

    /// List the events that can be counted, and end
    #[arg(long)]
    pub(super) list: bool,

    /// Print neither progress nor counts; errors remain
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// The program, looked up in PATH, and its arguments
    #[arg(last = true, value_name = "PROGRAM")]
    pub(super) command: Vec<OsString>,
}

/// The counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Of {
    /// Two counters of the P6 family
    P6,
    /// Version 1: four general counters
    #[value(name = "1")]
    Version1,
    /// Version 2: four general and three fixed counters
    #[value(name = "2")]
    Version2,
    /// Version 3: the same, and AnyThread
    #[value(name = "3")]
    Version3,
}

/// A processor of the P6 family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Model {
    /// Pentium Pro
    #[value(name = "pro")]
    Pro,
    /// Pentium II
    #[value(name = "2")]
    Two,
    /// Pentium III
    #[value(name = "3")]
    Three,
    /// Pentium M
    #[value(name = "m")]
    M,
}

/// What the options mean.
#[derive(Clone, Debug)]
pub(super) struct Meant {
    pub(super) job: Job,
    pub(super) summary: bool,
    pub(super) clock: Option<Megahertz>,
    pub(super) metrics: Vec<Formula>,
}

impl CountOptions {
    /// Straps of the unit.
    pub(super) fn straps(&self) -> Config {
        let p6_model = match self.model {
            Model::Pro => P6Model::PentiumPro,
            Model::Two => P6Model::PentiumII,
            Model::Three => P6Model::PentiumIII,
            Model::M => P6Model::PentiumM,
        };
        let general = Config { counters: 4, p6_model, ..Config::default() };
        match self.personality {
            Of::P6 => Config { p6_model, ..Config::default() },
            Of::Version1 => Config { personality: Personality::Version1, ..general },
            Of::Version2 => Config { personality: Personality::Version2, fixed: 3, ..general },
            Of::Version3 => Config { personality: Personality::Version3, fixed: 3, any_thread: true, ..general },
        }
    }

    /// Checks the options. `trace` is where the trace is, or will be.
    pub(super) fn meant(&self, trace: &Path) -> Result<Meant, CountError> {
        let straps = self.straps();
        let metrics: Vec<Formula> = self.metric.iter().map(|text| Formula::parse(text)).collect::<Result<_, _>>()?;
        let (events, summary) = self.events(&straps, &metrics)?;
        let build = build_for(&straps).ok_or(CountError::Options {
            what: "no build of the unit has these counters",
            help: "use --personality p6",
        })?;
        let lanes =
            usize::from(self.retire_lanes.unwrap_or(if self.cpi.is_some() { 1 } else { 4 })).min(lanes_of(build));
        let job = Job {
            events,
            straps,
            build,
            engine: self.engine,
            trace: trace.to_owned(),
            limit: self.limit,
            lanes,
            spacing: self.cpi.unwrap_or(1),
            portion: (self.from.clone(), self.to.clone()),
            interval: self.interval,
            passes: self.passes.map(usize::from),
        };
        Ok(Meant { job, summary, clock: self.clock.as_deref().map(clock_of).transpose()?, metrics })
    }

    /// The events, each once, and whether the summary is asked for.
    fn events(&self, straps: &Config, metrics: &[Formula]) -> Result<(Vec<Wanted>, bool), CountError> {
        let (sums, named): (Vec<&str>, Vec<&str>) =
            self.what.iter().map(String::as_str).partition(|what| *what == "SUM");
        let mut events = Vec::new();
        if !sums.is_empty() {
            if straps.personality != Personality::P6 {
                let help = "leave out --personality";
                return Err(CountError::Options { what: "SUM counts events of P6", help });
            }
            for event in SUMMARY_EVENTS {
                events.push(Wanted::parse(event.mnemonic(), straps)?);
            }
        }
        let of_metrics = metrics.iter().flat_map(Formula::events);
        for given in named.into_iter().chain(self.event.iter().map(String::as_str)).chain(of_metrics) {
            let wanted = Wanted::parse(given, straps)?;
            if !events.contains(&wanted) {
                events.push(wanted);
            }
        }
        if events.is_empty() {
            let help = "give events with -e, or SUM; --list lists the events";
            return Err(CountError::Options { what: "there is nothing to count", help });
        }
        Ok((events, !sums.is_empty()))
    }
}
