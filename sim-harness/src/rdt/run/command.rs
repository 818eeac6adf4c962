//! `lwp-sim rdt`: from command line to exit code.

use super::compare::Comparison;
use super::error::RunError;
use super::measured::Measured;
use super::options::{PictureOptions, RunOptions};
use super::plan::{self, PlanOptions};
use super::progress::Progress;
use super::scenario::{Scenario, Which};
use super::{capsule, lines, monitor, page, text};
use crate::command::after_failure;
use crate::report::{Output, print, separate};
use crate::verb::{Ended, Verb, VerbError};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;

/// The command.
pub static VERB: Verb = Verb {
    name: "rdt",
    command,
    run,
    examples: EXAMPLES,
    heeds_stop: |matches| matches.subcommand_name() != Some("plan"),
};

const EXAMPLES: &str =
    "  lwp-sim rdt --program a.trace --program b.trace --page rdt.html   two programs in one cache\n";

const ABOUT: &str = "Run programs side by side on a shared cache that counts and enforces (RDT)";

const LONG: &str = "\
Run programs side by side on a shared cache that counts and enforces (RDT)

Each program is a trace and runs on a logical processor of its own, with an RMID and a class of service. The drivers of lwp-regs set masks \
and delays and read what each RMID occupies and moves; the numbers shown are those of the registers, and are compared with what the ports \
of the unit showed. Where a build of the RTL has room for the caches, model and RTL are compared in every register of every cycle.";

const AFTER: &str = "\
Examples:
  lwp-sim capture -o stream.trace -- dd if=/dev/zero of=/dev/null count=2000
  lwp-sim capture -o small.trace -- true
  lwp-sim rdt --program stream.trace --program small.trace --page noisy.html
      who occupies what, and what it moves, over time
  lwp-sim rdt --program stream.trace --program small.trace --class 1,0 --mask 1=0x3 --mask 0=0xfffc --compare --page tamed.html
      each alone, together, and with the first confined to two ways
  lwp-sim rdt --program a.jsonl --direct --sets 8 --ways 4 --latency 1 --json -
      every access of a retire log, to be followed by hand
  lwp-sim rdt --program a.trace --program b.trace --session sim-harness/sessions/rdt.toml
  lwp-sim rdt monitor --program a.trace --program b.trace        a table over time, as `pqos` prints it
  lwp-sim rdt plan --app noisy:cache=25%,bandwidth=50%           masks and delays from shares

Without --direct each program has a first-level cache for data and one for code in front (LRU, write-back, no time), and takes no time \
between its accesses. The memory of program n begins at n x 2^48.

Lines of --json: {\"cycle\",\"rmid\",\"lines\",\"total_bytes\",\"local_bytes\",\"class\"} for each reading, bytes since the beginning; then \
{\"rmid\",\"class\",\"hits\",\"misses\",\"lines\",\"total_bytes\",\"local_bytes\"} for each RMID, hits and misses of the L3 cache, with \
\"l2_hits\" and \"l2_misses\" if there is an L2 cache. With --compare each line has a \"run\".

Exit codes:
  0    everything is shown, and registers and ports agree
  1    model and RTL disagree, and a failure capsule is written; or registers and ports do
  2    the command line, a trace or the session is wrong, or a plan cannot be had
  3    something cannot be read or written
  130  Ctrl-C or SIGTERM: nothing is shown";

const MONITOR: &str = "Print what programs use over time, as `pqos` does";

const MONITOR_LONG: &str = "\
Print what programs use over time, as `pqos` does

Each program gets an RMID of its own, from 1 upwards, whatever the session says. At each interval the counters are read: the part of the L3 \
cache that the RMID occupies (LLC), and the bytes to and from memory per 1000 cycles since the last reading, in all (MBT), of this package \
(MBL) and of others (MBR).

Example:
  lwp-sim rdt monitor --program stream.trace --program small.trace --interval 5000";

/// A unit with a large cache is built on the stack.
const STACK: usize = 256 << 20;

fn command() -> Command {
    let monitor = RunOptions::augment_args(Command::new("monitor")).about(MONITOR).long_about(MONITOR_LONG);
    PictureOptions::augment_args(RunOptions::augment_args(Command::new("rdt")))
        .about(ABOUT)
        .long_about(LONG)
        .after_long_help(AFTER)
        .args_conflicts_with_subcommands(true)
        .subcommand(PlanOptions::command())
        .subcommand(monitor)
}

fn run(matches: &ArgMatches, stop: &AtomicBool) -> Result<Ended, VerbError> {
    match matches.subcommand() {
        Some(("plan", matches)) => {
            let options = PlanOptions::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
            plan::run(&options).map_err(|error| RunError::from(error).into_verb())?;
            Ok(Ended::Done)
        }
        Some((_, matches)) => {
            let options = RunOptions::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
            aside(|| monitored(&options, stop)).map_err(RunError::into_verb)
        }
        None => {
            let options = RunOptions::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
            let picture = PictureOptions::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
            aside(|| shown(&options, &picture, stop)).map_err(RunError::into_verb)
        }
    }
}

/// Does the work on a thread whose stack is large.
fn aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let worker = worker.unwrap_or_else(|error| panic!("a thread can be started: {error}"));
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Files to be written, which are begun before the run, so that it is not in vain.
struct Outputs {
    json: Option<Output>,
    page: Option<Output>,
    /// Standard output is taken.
    taken: bool,
}

impl Outputs {
    fn create(options: &RunOptions, page: Option<&Path>) -> Result<Self, RunError> {
        let json = options.json.as_deref();
        separate(&options.inputs(), &[json, page].into_iter().flatten().collect::<Vec<_>>())?;
        let taken = [json, page].into_iter().flatten().any(Output::is_stdout);
        let create = |path: Option<&Path>| path.map(Output::create).transpose();
        Ok(Self { json: create(json)?, page: create(page)?, taken })
    }

    /// Writes what was asked for, then the text.
    fn write(self, json: &[u8], page: impl FnOnce() -> String, text: &str, quiet: bool) -> Result<(), RunError> {
        if let Some(output) = self.json {
            output.write_whole(json)?;
        }
        if let Some(output) = self.page {
            output.write_whole(page().as_bytes())?;
        }
        if quiet { Ok(()) } else { Ok(print(text, self.taken)?) }
    }
}

/// Runs the programs, once or for a comparison, and writes everything.
fn shown(options: &RunOptions, picture: &PictureOptions, stop: &AtomicBool) -> Result<Ended, RunError> {
    let scenario = options.scenario()?;
    let outputs = Outputs::create(options, picture.page.as_deref())?;
    let progress = Progress::new(options.quiet, stop);
    if !picture.compare {
        let measured = scenario.run(Which::Together, &progress)?;
        return match early(options, &scenario, &progress, Which::Together, &measured)? {
            Some(ended) => Ok(ended),
            None => {
                let json = json(&scenario, [(None, &measured)].into_iter());
                outputs.write(
                    &json,
                    || page::run(&scenario, &measured),
                    &text::run(&scenario, &measured),
                    options.quiet,
                )?;
                Ok(Ended::Done)
            }
        };
    }
    match Comparison::make(&scenario, &progress)? {
        Err((which, measured)) => {
            Ok(early(options, &scenario, &progress, which, &measured)?.unwrap_or(Ended::Interrupted))
        }
        Ok(comparison) => {
            let alone = (0..scenario.traces.len()).map(Which::Alone);
            let labels = alone.chain([Which::Open, Which::Together]).map(|which| scenario.label(which));
            let labels: Vec<String> = labels.collect();
            let json = json(&scenario, labels.iter().map(|label| Some(label.as_str())).zip(comparison.runs()));
            let page = || page::comparison(&scenario, &comparison);
            outputs.write(&json, page, &comparison.text(&scenario), options.quiet)?;
            Ok(Ended::Done)
        }
    }
}

/// Runs the programs with RMIDs of their own, and prints a table for each reading.
fn monitored(options: &RunOptions, stop: &AtomicBool) -> Result<Ended, RunError> {
    let mut scenario = options.scenario()?;
    let programs = scenario.traces.len();
    monitor::assign(&mut scenario.sized, programs)?;
    let outputs = Outputs::create(options, None)?;
    let progress = Progress::new(options.quiet, stop);
    let measured = scenario.run(Which::Together, &progress)?;
    if let Some(ended) = early(options, &scenario, &progress, Which::Together, &measured)? {
        return Ok(ended);
    }
    let json = json(&scenario, [(None, &measured)].into_iter());
    outputs.write(&json, String::new, &monitor::text(&scenario, &measured), options.quiet)?;
    Ok(Ended::Done)
}

/// What a run that did not come to its end leaves.
fn early(
    options: &RunOptions,
    scenario: &Scenario,
    progress: &Progress<'_>,
    which: Which,
    measured: &Measured,
) -> Result<Option<Ended>, RunError> {
    if let Some(mismatch) = &measured.mismatch {
        let _ = writeln!(io::stderr(), "{}: {mismatch}", scenario.label(which));
        if let Some((path, unconfirmed)) = capsule::write(scenario, which, mismatch, options.capsule.as_deref())? {
            let _ = writeln!(io::stderr(), "{}", after_failure(&path));
            if let Some(error) = unconfirmed {
                return Err(error);
            }
        }
        return Ok(Some(Ended::Mismatch));
    }
    if progress.stopped() {
        let _ = writeln!(io::stderr(), "interrupted: nothing is shown");
        return Ok(Some(Ended::Interrupted));
    }
    Ok(None)
}

/// The runs as JSON Lines, each with its name if there are several.
fn json<'a>(scenario: &Scenario, runs: impl Iterator<Item = (Option<&'a str>, &'a Measured)>) -> Vec<u8> {
    let mut text = Vec::new();
    for (label, measured) in runs {
        lines::write(&mut text, measured, scenario.straps().l2, label).expect("memory takes everything");
    }
    text
}
