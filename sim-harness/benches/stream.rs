//! What it takes to get instructions from a trace to the unit, and how much memory, however long the trace is.
//!
//! `cargo bench -p sim-harness --bench stream -- --trace FILE [--quick]`; `make bench` captures the trace first, and
//! `make bench-long` one of a hundred million instructions.
//!
//! Each row does what the one above does and one thing more: the file is read, decompressed and decoded; caches and
//! predictor say how loads and branches went; the core and the memory around the model turn that into its inputs, and the model steps.

use lwp_model::lwp::Lwp;
use sim_harness::frontend::FrontEnd;
use sim_harness::lwp::device::run_closed_loop;
use sim_harness::lwp::environment::{Computer, Instructions};
use sim_harness::lwp::records::Recorder;
use sim_harness::lwp::session::{EVENT_SLOTS, Session};
use sim_harness::traces::{self, Retired, TraceError, TraceReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

const LANES: usize = 4;
const LATENCY_BITS: u32 = 31;

type Failed = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let Some((trace, limit)) = arguments() else {
        eprintln!("usage: cargo bench -p sim-harness --bench stream -- --trace FILE [--quick]");
        return ExitCode::from(2);
    };
    match measure(&trace, limit) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", trace.display());
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Option<(PathBuf, u64)> {
    let (mut trace, mut limit) = (None, u64::MAX);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--trace" => trace = Some(arguments.next()?.into()),
            "--quick" => limit = 300_000,
            "--bench" => {}
            _ => return None,
        }
    }
    Some((trace?, limit))
}

fn measure(trace: &Path, limit: u64) -> Result<(), Failed> {
    println!("{:34}{:>14}{:>12}{:>12}{:>16}", "", "instructions", "seconds", "M/s", "peak memory");
    let all = drain(&mut Source::open(trace, false)?, limit)?;
    row("read, decompress, decode", || drain(&mut Source::open(trace, false)?, all))?;
    row("caches and predictor, too", || drain(&mut Source::open(trace, true)?, all))?;
    // What is kept must not grow with the trace, but for pages that the records are written to.
    for (name, share) in [("model in its environment: a tenth", 10), ("... a third", 3), ("... all", 1)] {
        row(name, || closed_loop(trace, all / share))?;
    }
    Ok(())
}

fn row(name: &str, work: impl FnOnce() -> Result<u64, Failed>) -> Result<(), Failed> {
    let start = Instant::now();
    let instructions = work()?;
    let seconds = start.elapsed().as_secs_f64();
    let speed = instructions as f64 / seconds / 1e6;
    println!("{name:34}{instructions:14}{seconds:12.2}{speed:12.2}{:>16}", peak_memory());
    Ok(())
}

/// The instructions of the trace, as the unit's environment wants them.
struct Source {
    reader: Box<dyn TraceReader + Send>,
    front_end: Option<FrontEnd>,
    given: u64,
    present: Retired,
}

impl Source {
    fn open(trace: &Path, annotated: bool) -> Result<Self, Failed> {
        let reader = traces::open(trace)?;
        let wanted = annotated && !reader.annotated();
        let front_end = if wanted { Some(FrontEnd::new(&Session::default().frontend)?) } else { None };
        Ok(Self { reader, front_end, given: 0, present: Retired::default() })
    }
}

impl Instructions for Source {
    fn advance(&mut self) -> Result<bool, TraceError> {
        if !self.reader.next(&mut self.present)? {
            return Ok(false);
        }
        self.given += 1;
        if let Some(front_end) = &mut self.front_end {
            front_end.annotate(&mut self.present);
        }
        Ok(true)
    }

    #[inline]
    fn present(&self) -> &Retired {
        &self.present
    }
}

fn drain(source: &mut Source, limit: u64) -> Result<u64, Failed> {
    while source.given < limit && source.advance()? {}
    Ok(source.given)
}

fn closed_loop(trace: &Path, limit: u64) -> Result<u64, Failed> {
    let session = Session::default();
    let mut model: Lwp<LANES, EVENT_SLOTS, LATENCY_BITS> = Lwp::new(session.straps)?;
    let setup = session.setup(LANES, 1, LATENCY_BITS);
    let mut environment = Computer::new(&setup, Source::open(trace, true)?, Recorder::default());
    run_closed_loop(&mut model, &mut environment, &mut |environment| {
        if environment.stats().instructions >= limit {
            environment.stop();
        }
    });
    match environment.take_trace_failure() {
        Some(error) => Err(error.into()),
        None => Ok(environment.instructions().given),
    }
}

/// The most memory that this process has had so far.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |value| value.trim().to_owned())
}
