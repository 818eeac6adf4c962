//! The command line.

use clap::Parser;
use std::path::PathBuf;

/// Run the LWP unit next to the core Ibex, and compare every record with what RVFI shows
///
/// A C program runs in user mode on the simulated core. A kernel switches LWP on, takes the threshold interrupt and
/// drains the ring. A checker counts the instructions that RVFI shows, and compares each record in memory with the
/// instruction that is due. The model of the unit runs in lockstep with its RTL.
///
/// In the variants `debug...` the debug unit is in the place of LWP: the kernel sets breakpoints on variables of the
/// program and takes #DB, and the checker decides from RVFI which instructions hit.
///
/// In the variants `perf...` the performance counters are there: the kernel samples at each overflow, and the checker
/// predicts each count and each interrupt from RVFI.
///
/// Exit codes: 0 no difference; 1 a difference, or a planted bug that was not found; 2 wrong use, or a tool is missing.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Examples:\n  make ibex\n  make ibex ARGS='--only main --rounds 1'\n  make ibex ARGS='--only debug'  the debug unit in the place of LWP\n  make ibex ARGS='--only perf'   the performance counters\n  make ibex ARGS='--losses'      instructions that no record \
                  can show, by interval and bus\n  make ibex ARGS='--plant all'   bugs that the checks must find"
)]
pub(crate) struct Options {
    /// Variants to run, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Rounds of the program in the variant `main`, of 950,000 instructions each
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=40), value_name = "N")]
    pub(crate) rounds: u32,
    /// Print the variants and the bugs that can be planted
    #[arg(long)]
    pub(crate) list: bool,
    /// Write the results as JSON to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Do not measure the speed with and without the unit, which takes two builds
    #[arg(long)]
    pub(crate) no_speed: bool,
    /// Measure the instructions that no record can show, by interval and bus
    #[arg(long, conflicts_with_all = ["only", "plant"])]
    pub(crate) losses: bool,
    /// Plant a bug in a copy of the RTL, and require that the checks find it; `all`: one after the other
    #[arg(long, value_name = "NAME", conflicts_with = "only")]
    pub(crate) plant: Option<String>,
    /// Write the events of four short runs to this folder, for the tests of the checker
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["only", "plant", "losses"])]
    pub(crate) record: Option<PathBuf>,
}
