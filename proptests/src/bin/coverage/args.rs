//! The command line.

use clap::{Parser, Subcommand};
use proptests::unit::{Checks, default_name, folder};
use std::path::PathBuf;
use std::thread;

/// Counts which situations random cases meet, and steers them to those that they seldom meet.
///
/// Exit code: 0 all is well; 1 a case does not agree, something that is listed as out of reach was met, or a listed place is no
/// longer there; 2 wrong arguments or files, or a program that is missing; 130 stopped before the end.
#[derive(Debug, Parser)]
#[command(name = "coverage", version, after_help = "Example: coverage run --cases 20000 && coverage report")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play cases to model and RTL, and add what they meet to the file of counts
    Run(RunArgs),
    /// The same seeds with and without steering, from nothing: how many bins are met after how many cases
    Compare(CompareArgs),
    /// Play cases to a build of the RTL that counts lines and toggles
    Rtl(RtlArgs),
    /// Play cases and the runs made by hand in lockstep: which bits of ports and registers change, both ways
    Toggles(TogglesArgs),
    /// Join all counts into one report: summary, JSON, one HTML page
    Report(ReportArgs),
    /// Add files of counts
    Merge {
        /// The unit
        #[arg(long, default_value = default_name())]
        unit: String,
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Where the sum goes; replaced if it is there
        #[arg(long, short)]
        out: PathBuf,
    },
}

/// The folder of a unit's results.
pub(crate) fn results(unit: &dyn Checks) -> PathBuf {
    folder(unit, "target/coverage")
}

/// The file of a unit's counts, unless another one is named.
pub(crate) fn counts(unit: &dyn Checks, named: Option<&PathBuf>) -> PathBuf {
    named.cloned().unwrap_or_else(|| results(unit).join("functional.json"))
}

#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    /// The unit
    #[arg(long, default_value = default_name())]
    pub(crate) unit: String,
    /// Seed of the cases
    #[arg(long, default_value_t = 2007)]
    pub(crate) seed: u64,
    /// Cases after which what was met steers the next ones
    #[arg(long, default_value_t = 250, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) round: u64,
    /// Threads [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl Common {
    pub(crate) fn jobs(&self) -> usize {
        self.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Cases
    #[arg(long, default_value_t = 10_000)]
    pub(crate) cases: u64,
    /// Counts are added to this file [default: target/coverage/functional.json; for another unit than the first
    /// target/coverage/UNIT/functional.json]
    #[arg(long)]
    pub(crate) counts: Option<PathBuf>,
    /// Begin anew whatever the file says
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Draw the cases as the property tests do
    #[arg(long)]
    pub(crate) unsteered: bool,
    /// The model alone, without the RTL beside it
    #[arg(long)]
    pub(crate) model_only: bool,
    /// Play one case alone, and if it does not agree make it as small as it can be; needs --steer if it was steered
    #[arg(long)]
    pub(crate) case: Option<u64>,
    /// Counts that steer the one case
    #[arg(long, requires = "case")]
    pub(crate) steer: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Cases of each way
    #[arg(long, default_value_t = 4000)]
    pub(crate) cases: u64,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RtlArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Cases
    #[arg(long, default_value_t = 600)]
    pub(crate) cases: u64,
    /// Counts that steer the cases; without the file they are not steered [default: as of run]
    #[arg(long)]
    pub(crate) counts: Option<PathBuf>,
    /// Where build and results go [default: rtl, beside the counts]
    #[arg(long)]
    pub(crate) folder: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct TogglesArgs {
    /// The unit
    #[arg(long, default_value = default_name())]
    pub(crate) unit: String,
    /// Seed of the cases
    #[arg(long, default_value_t = 2007)]
    pub(crate) seed: u64,
    /// Cases of each family
    #[arg(long, default_value_t = 250)]
    pub(crate) cases: u64,
    /// Bits of the longest latency that the unit measures; bit n takes 2^n cycles
    #[arg(long, default_value_t = 18, value_parser = clap::value_parser!(u32).range(7..=31))]
    pub(crate) wait_bits: u32,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// The unit
    #[arg(long, default_value = default_name())]
    pub(crate) unit: String,
    /// The counts [default: as of run]
    #[arg(long)]
    pub(crate) counts: Option<PathBuf>,
    /// The folder of the results of `coverage rtl`; without results there the report is of the counts alone [default: as of rtl]
    #[arg(long)]
    pub(crate) rtl: Option<PathBuf>,
    /// Where report.json and report.html go [default: beside the counts]
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Holes to name in the summary
    #[arg(long, default_value_t = 20)]
    pub(crate) holes: usize,
}
