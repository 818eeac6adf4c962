//! `lwp-sim count`: from command line to exit code.

use super::CountError;
use super::capsule;
use super::list::list;
use super::options::{CountOptions, Meant};
use super::progress::Progress;
use super::report::{Measured, Report};
use super::run::{Counts, count};
use crate::capture::{CaptureEnd, CaptureOptions, capture};
use crate::command::after_failure;
use crate::complain;
use crate::report::{Output, OutputError, TemporaryFolder, print, separate};
use crate::verb::{Ended, Verb, VerbError};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The command.
pub static VERB: Verb = Verb { name: "count", command, run, examples: EXAMPLES, heeds_stop: |_| true };

const EXAMPLES: &str = "  lwp-sim count SUM -- ls -l                    what the counters of a P6 say of a program\n";

const ABOUT: &str = "Count events of a program on the performance counters, as `perf stat` does";

const LONG: &str = "\
Count events of a program on the performance counters, as `perf stat` does

The program is captured, or its trace read. The driver of lwp-regs sets up the counters of the unit, starts them, stops them and \
reads them, in as many passes over the trace as the events need. A plain counter over the same trace gives the exact counts.";

const AFTER: &str = "\
Examples:
  lwp-sim count -e INST_RETIRED:u -e DATA_MEM_REFS -- ls -l
      two events, as with `pmcCount INST_RETIRED DATA_MEM_REFS ls -l`
  lwp-sim count SUM --clock 650 --runs 3 -- ls -l
      the ten events of the study, and what they say: means of three runs
  lwp-sim count -e BR_MISS_PRED_RETIRED,INST_RETIRED:c2 --trace ls.trace --interval 100000
      mispredicted branches, and cycles with at least two instructions, every 100,000 instructions
  lwp-sim count -m 'misses=DCU_LINES_IN/DATA_MEM_REFS' --from perl_run --to perl_destruct -- perl -e 'print 1'
      a metric of one's own, of a portion of the program
  lwp-sim count --personality 2 -e INSTRUCTION_RETIRED,LLC_MISSES --trace ls.trace --json -

The table goes to standard output, or to standard error if a program or --json - takes that.

Exit codes:
  0    everything is counted, and each count is the exact one
  1    model and RTL disagree, and a failure capsule is written; or a count is not the exact one
  2    the command line or the trace is wrong, the trace lacks what an event counts, or the program failed
  3    something cannot be read or written
  130  Ctrl-C or SIGTERM: nothing is counted";

fn command() -> Command {
    CountOptions::augment_args(Command::new("count")).about(ABOUT).long_about(LONG).after_long_help(AFTER)
}

fn run(matches: &ArgMatches, stop: &AtomicBool) -> Result<Ended, VerbError> {
    let options = CountOptions::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    if options.list {
        return print(&list(&options.straps()), false).map(|()| Ended::Done).map_err(|error| failed(error.into()));
    }
    measure(&options, stop).map_err(failed)
}

/// An error with its exit code.
fn failed(error: CountError) -> VerbError {
    match &error {
        CountError::Output(_) | CountError::Directory(_) => VerbError::io(error),
        CountError::Trace(crate::traces::TraceError::Unreadable { .. }) => VerbError::io(error),
        CountError::Differs { .. }
        | CountError::Driver { .. }
        | CountError::Capsule(_)
        | CountError::Replay(_)
        | CountError::Unconfirmed { .. } => VerbError::hardware(error),
        _ => VerbError::usage(error),
    }
}

/// Counts, and writes everything.
fn measure(options: &CountOptions, stop: &AtomicBool) -> Result<Ended, CountError> {
    let inputs: Vec<&Path> = options.trace.iter().map(PathBuf::as_path).collect();
    separate(&inputs, &options.json.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let folder = || TemporaryFolder::create(&env::temp_dir(), "lwp-sim-count-", &["trace"]);
    let folder = options.trace.is_none().then(folder).transpose().map_err(CountError::Directory)?;
    let captured = folder.as_ref().map(|folder| folder.path().join("trace"));
    let trace = options.trace.clone().or_else(|| captured.clone()).unwrap_or_default();
    let meant = options.meant(&trace)?;
    if options.trace.is_none() && options.command.is_empty() {
        let help = "--trace FILE, or -- PROGRAM ARGUMENTS";
        return Err(CountError::Options { what: "there is no program to count", help });
    }
    let json = options.json.as_deref().map(Output::create).transpose()?;
    let aside = options.trace.is_none() || options.json.as_deref().is_some_and(Output::is_stdout);
    let (mut runs, mut program) = (Vec::new(), None);
    for _ in 0..options.runs {
        let done = run_once(options, &meant, captured.as_deref(), stop, aside);
        let differs = done.as_ref().is_ok_and(|(one, _)| one.mismatch.is_some());
        // Whatever else went wrong, for instance with a program that was sent the same signal.
        if stop.load(Ordering::Relaxed) && !differs {
            complain!("interrupted: nothing is counted");
            return Ok(Ended::Interrupted);
        }
        let (one, failed) = done?;
        runs.push(one);
        program = failed;
        if program.is_some() || runs.last().is_some_and(|run| run.mismatch.is_some()) {
            break;
        }
    }
    let ended = write(options, &meant, &runs, json, aside)?;
    match program {
        Some(end) if ended == Ended::Done => Err(CountError::Program { end }),
        _ => Ok(ended),
    }
}

/// Captures the program, if one is given, and counts; returns also how the program failed, if it did.
fn run_once(
    options: &CountOptions,
    meant: &Meant,
    captured: Option<&Path>,
    stop: &AtomicBool,
    aside: bool,
) -> Result<(Counts, Option<String>), CountError> {
    let program = captured.map(|captured| captured_program(options, captured, stop)).transpose()?.flatten();
    if stop.load(Ordering::Relaxed) {
        return Ok((Counts { interrupted: true, ..Counts::default() }, program));
    }
    Ok((count_once(meant, options, stop, aside)?, program))
}

/// Captures the program; returns how it failed, if it did.
fn captured_program(options: &CountOptions, output: &Path, stop: &AtomicBool) -> Result<Option<String>, CountError> {
    let (command, limit) = (options.command.clone(), options.limit);
    let options = CaptureOptions { output: output.to_owned(), command, limit, quiet: options.quiet };
    let end = capture(&options, stop)?.end;
    let fine =
        matches!(end, CaptureEnd::Exited(0) | CaptureEnd::Limit | CaptureEnd::Interrupted | CaptureEnd::Replaced);
    Ok((!fine).then(|| end.to_string()))
}

fn count_once(meant: &Meant, options: &CountOptions, stop: &AtomicBool, aside: bool) -> Result<Counts, CountError> {
    let mut progress = Progress::new(&meant.job.events, stop, (options.quiet, aside));
    let counts = count(&meant.job, &mut progress)?;
    match progress.failure.take() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(OutputError::of_stdout(error).into()),
        _ => Ok(counts),
    }
}

/// Writes the table and the JSON; then the first count that is wrong is an error.
fn write(
    options: &CountOptions,
    meant: &Meant,
    runs: &[Counts],
    json: Option<Output>,
    aside: bool,
) -> Result<Ended, CountError> {
    let of = options.trace.as_ref().map_or_else(
        || options.command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "),
        |trace| trace.display().to_string(),
    );
    let measured = Measured {
        events: &meant.job.events,
        straps: &meant.job.straps,
        engine: meant.job.engine.name(),
        of: &of,
        clock: meant.clock,
        metrics: &meant.metrics,
        summary: meant.summary,
    };
    let report = Report { measured, runs };
    if let Some(json) = json {
        let mut text = serde_json::to_vec_pretty(&report.json()).expect("a report is plain data");
        text.push(b'\n');
        json.write_whole(&text)?;
    }
    if !options.quiet {
        print(&report.text(), aside)?;
    }
    if let Some((pass, mismatch)) = runs.iter().find_map(|run| run.mismatch.as_ref()) {
        let _ = writeln!(io::stderr(), "{mismatch}");
        let (path, unconfirmed) = capsule::write(options, &meant.job, *pass, mismatch)?;
        let _ = writeln!(io::stderr(), "{}", after_failure(&path));
        return unconfirmed.map_or(Ok(Ended::Mismatch), Err);
    }
    for (at, event) in meant.job.events.iter().enumerate() {
        for run in runs {
            let (count, exact) = (run.events[at].count, run.events[at].exact);
            if count != exact {
                return Err(CountError::Differs { event: event.label(), count, exact });
            }
        }
    }
    Ok(Ended::Done)
}
