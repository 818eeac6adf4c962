//! The command line of `lwp-sim cosim`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Run a trace through the unit and compare RTL and model in every cycle.
///
/// A world of its own surrounds the unit: a core that retires the trace, memory with latency, stalls and page faults, an
/// operating system that enables LWP and takes the threshold interrupt, and a program that drains the ring buffer. With the
/// engine `lockstep` the model runs in that world, and the Verilated RTL has to show the same outputs and the same registers in
/// every cycle. The same trace, session and options always give the same run.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct CosimArgs {
    /// The trace: a capture of `lwp-sim capture`, a retire log (JSON Lines) or a ChampSim trace; xz, gzip or zstd are fine
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: PathBuf,

    /// The session (TOML): control block, consumer, memory, straps, system. Without it all three events are sampled
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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) cpi: Option<u64>,

    /// Instructions that retire in one cycle at most [default: 4; 1 if --cpi is given]
    #[arg(long, value_name = "1..4", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) retire_lanes: Option<u8>,

    /// Threads of a lockstep run: model and RTL take turns, or each has its own
    #[arg(long, value_name = "1|2", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) threads: u8,

    /// Seed of the memory's stalls, faults and latencies, in place of the session's
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Write the summary as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Write every record as JSON Lines: seq, event_id, core, flags, ip, data, address
    #[arg(long, value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,

    /// Write the bytes of the control block as they are after the last SLWPCB
    #[arg(long, value_name = "FILE")]
    pub(crate) dump_lwpcb: Option<PathBuf>,

    /// Write the bytes of the ring buffer as they are after the last SLWPCB
    #[arg(long, value_name = "FILE")]
    pub(crate) dump_buffer: Option<PathBuf>,

    /// Write waves (FST) of the RTL: around the first mismatch, or of the first million cycles if there is none
    #[arg(long, value_name = "FILE.fst")]
    pub(crate) waves: Option<PathBuf>,

    /// Check the assertions in the RTL, too: runs the traced build, which is slower
    #[arg(long)]
    pub(crate) assertions: bool,

    /// Where the failure capsule goes if RTL and model disagree [default: TRACE-cycleN.capsule in this folder]
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

/// What runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The model in its world, and the RTL compared with it in every bit of every cycle
    Lockstep,
    /// The model alone: fastest
    Model,
    /// The RTL alone, in the same world
    Rtl,
}

impl Engine {
    /// Its name on the command line and in the summary.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lockstep => "lockstep",
            Self::Model => "model",
            Self::Rtl => "rtl",
        }
    }
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

const AFTER: &str = "\
Examples:
  lwp-sim cosim --trace ls.trace
      all three events, default session, RTL against model
  lwp-sim cosim --trace ls.trace --session s.toml --json run.json --records records.jsonl
      the summary for programs, and every record
  lwp-sim cosim --trace log.jsonl --cpi 500 --dump-lwpcb block.bin --dump-buffer ring.bin
      one instruction every 500 cycles; the memory as the program would find it
  lwp-sim cosim --trace ls.trace --limit 1000000 --engine model --json - | jq .records
  lwp-sim cosim --trace ls.trace --waves mismatch.fst
      if RTL and model disagree, the waves around the place
  lwp-sim cosim --trace ls.trace --report failure
      if RTL and model disagree, failure/failure.html says which stage and why; beside it text, JSON and waves of both

A session file (everything has a default; see the book):
  [lwpcb]
  buffer_size = 131072
  random = 4
  threshold = 98304
  [[lwpcb.event]]
  id = 1                 # 1 instructions retired, 2 branches retired, 3 DCache misses
  interval = 10007
  [consumer]
  mode = \"interrupt\"     # never, periodic (with period = N cycles), interrupt
  [memory]
  latency = [4, 20]      # cycles
  fault = 0.001          # probability
  [straps]               # every choice of the contract: store_timing, fault_policy, address_policy, ...
  store_timing = \"sync\"
  [system]
  start = \"lwpmsr1\"      # llwpcb (the default), or lwpmsr1: the session is loaded on the way into ring 3
  switch_every = 100000  # cycles from one thread switch to the next

Exit codes:
  0    RTL and model agree (or one of them ran alone)
  1    they do not: the first mismatch is printed, with the command that repeats the run with waves, and a
       failure capsule is written; or an assertion failed in the RTL (--assertions, --waves)
  2    the command line, the trace or the session is wrong
  3    something cannot be read or written
  5    the fast and the traced build of the RTL do not fail in the same cycle
  130  Ctrl-C: the run was brought to an orderly end, and all outputs are there up to that point";
