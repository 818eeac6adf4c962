//! The command line of `lwp-sim cosim`.

use super::units::Dumps;
use clap::Args;
pub(crate) use sim_harness::cosim::Engine;
use sim_harness::cosim::MOST_CPI;
use sim_harness::unit::{UNITS, Unit};
use std::path::PathBuf;

/// Run a trace through the unit and compare RTL and model in every cycle.
///
/// An environment of its own surrounds the unit: a core that retires the trace, and what else the unit needs, as its session says.
/// With the engine `lockstep` the model runs in that environment, and the Verilated RTL has to show the same outputs and the same
/// registers in every cycle. The same trace, session and options always give the same run.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = after())]
pub(crate) struct CosimArgs {
    /// The trace: a capture of `lwp-sim capture`, a retire log (JSON Lines) or a ChampSim trace; xz, gzip or zstd are fine
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: PathBuf,

    /// The hardware unit
    #[arg(long, value_name = "NAME", default_value = super::units::default())]
    pub(crate) unit: String,

    /// The session of the unit (TOML): its straps and what surrounds it. Each unit has a default session
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<PathBuf>,

    /// What runs: RTL against the model, or one of them alone
    #[arg(long, value_enum, default_value_t = Engine::Lockstep)]
    pub(crate) engine: Engine,

    /// Stop after this many instructions
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,

    /// Cycles from one group of retiring instructions to the next [default: 1]
    ///
    /// Without --retire-lanes a group is then one instruction. From a few hundred cycles on, every record is in memory before
    /// the next instruction retires, so that the contents of memory can be predicted by hand.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_CPI))]
    pub(crate) cpi: Option<u64>,

    /// Instructions that retire in one cycle at most [default: 4; 1 if --cpi is given]
    #[arg(long, value_name = "1..4", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) retire_lanes: Option<u8>,

    /// Threads of a lockstep run: model and RTL take turns, or each has its own
    #[arg(long, value_name = "1|2", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) threads: u8,

    /// Seed of all that the environment draws, in place of the session's
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Write the summary as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Write every record of the unit as JSON Lines
    #[arg(long, value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,

    /// What the unit can write down at the end.
    #[command(flatten)]
    pub(crate) dumps: Dumps,

    /// Write waves (FST) of the RTL: around the first mismatch, or of the first million cycles if there is none
    #[arg(long, value_name = "FILE.fst")]
    pub(crate) waves: Option<PathBuf>,

    /// Check the assertions in the RTL, too: runs the traced build, which is slower
    #[arg(long)]
    pub(crate) assertions: bool,

    /// Where the failure capsule goes if RTL and model disagree [default: named after trace, unit, session, seed and cycle, in this folder]
    ///
    /// It holds all that is needed to see the failure again: `lwp-sim replay` does that, `lwp-sim shrink` makes it smaller.
    #[arg(long, value_name = "FILE")]
    pub(crate) capsule: Option<PathBuf>,

    /// If RTL and model disagree, write a report that argues into this folder: text, page, JSON, waves, views for viewers
    #[arg(long, value_name = "FOLDER")]
    pub(crate) report: Option<PathBuf>,

    /// Show neither progress nor summary; warnings and errors remain
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl CosimArgs {
    /// Cycles between groups.
    pub(crate) fn spacing(&self) -> u64 {
        self.cpi.unwrap_or(1)
    }

    /// Instructions in a group.
    pub(crate) fn lanes(&self) -> usize {
        let default = if self.cpi.is_some() { 1 } else { 4 };
        usize::from(self.retire_lanes.unwrap_or(default))
    }
}

/// Examples, among them a session of each unit, and exit codes.
fn after() -> String {
    let session = |unit: &&Unit| {
        format!(
            "A session of the unit `{}` (everything has a default; see the book):\n{}\n",
            unit.name, unit.cosim.example
        )
    };
    AFTER.replace("SESSIONS\n", &(UNITS.iter().map(session).collect::<Vec<_>>().join("\n") + "\n"))
}

const AFTER: &str = "\
Examples:
  lwp-sim cosim --trace ls.trace
      default session, RTL against model
  lwp-sim cosim --trace ls.trace --session s.toml --json run.json --records records.jsonl
      the summary for programs, and every record
  lwp-sim cosim --trace log.jsonl --cpi 500 --records records.jsonl
      one instruction every 500 cycles
  lwp-sim cosim --trace ls.trace --limit 1000000 --engine model --json - | jq .cycles
  lwp-sim cosim --trace ls.trace --waves mismatch.fst
      if RTL and model disagree, the waves around the place
  lwp-sim cosim --trace ls.trace --report failure
      if RTL and model disagree, failure/failure.html says which stage and why; beside it text, JSON and waves of both

SESSIONS
Exit codes:
  0    RTL and model agree (or one of them ran alone)
  1    they do not: the first mismatch is printed, with the command that repeats the run with waves, and a
       failure capsule is written; or an assertion failed in the RTL (--assertions, --waves)
  2    the command line, the trace or the session is wrong
  3    something cannot be read or written
  5    the fast and the traced build of the RTL do not fail in the same cycle
  130  Ctrl-C or SIGTERM: the run was brought to an orderly end, and all outputs are there up to that point";
