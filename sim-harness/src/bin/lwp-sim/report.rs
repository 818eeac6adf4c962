//! `lwp-sim report`: a capsule, argued.

use super::exit::{self, Failure};
use super::failure_report::{Targets, WINDOW, argue};
use super::repeat;
use clap::Args;
use sim_harness::capsule::{Capsule, replay};
use sim_harness::report::failure::Analysis;
use sim_harness::report::{OutputError, unless_closed};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Say why a failure capsule fails: the guilty stage and field, what led there, the requirements it touches.
///
/// Replays the capsule in both builds of the RTL, as `lwp-sim replay` does, and argues from the rows around the failure.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct ReportArgs {
    /// The capsule, as `lwp-sim cosim`, `lwp-sim shrink` and the property tests write it
    #[arg(value_name = "CAPSULE")]
    capsule: PathBuf,

    /// Write a page for a browser, which needs nothing else
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,

    /// Write the report for programs
    #[arg(long, value_name = "FILE.json")]
    json: Option<PathBuf>,

    /// Write waves of inputs, model and RTL, and beside them views for GTKWave (.gtkw) and Surfer (.sucl)
    #[arg(long, value_name = "FILE.fst")]
    fst: Option<PathBuf>,

    /// Do not print the report
    #[arg(short, long)]
    quiet: bool,
}

const AFTER: &str = "\
Examples:
  lwp-sim report ls-cycle4711.capsule
      in the terminal; NO_COLOR and pipes take the colours out
  lwp-sim report ls-cycle4711.capsule --html why.html --json why.json --fst why.fst

Exit codes:
  0    nothing fails (any more): there is nothing to report
  1    it fails, and the report says why
  2    the command line or the capsule is wrong
  3    something cannot be read or written
  5    the fast and the traced build of the RTL do not fail in the same cycle";

/// Replays, argues, writes.
pub(crate) fn run(args: &ReportArgs) -> Result<ExitCode, Failure> {
    let targets = Targets { text: None, html: args.html.clone(), json: args.json.clone(), fst: args.fst.clone() };
    targets.check(&args.capsule)?;
    let capsule = Capsule::load(&args.capsule)?;
    let replayed = replay(&capsule, WINDOW)?;
    let again = repeat::replay(&args.capsule, &capsule.header().failure.way);
    let Some((evidence, analysis)) = argue(&capsule, &replayed, source(args, &capsule), Some(again))? else {
        let _ = writeln!(std::io::stderr(), "nothing fails in {} cycles: there is nothing to report", replayed.cycles);
        return Ok(ExitCode::SUCCESS);
    };
    let printed = if args.quiet { Ok(()) } else { print(&analysis) };
    targets.write(&evidence, &analysis)?;
    printed?;
    Ok(ExitCode::from(exit::MISMATCH))
}

/// Prints the report, coloured if standard output is a terminal and `NO_COLOR` does not forbid it.
fn print(analysis: &Analysis) -> Result<(), OutputError> {
    let mut out = anstream::stdout();
    let done = out.write_all(analysis.coloured_text().as_bytes()).and_then(|()| out.flush());
    unless_closed(done.map_err(OutputError::of_stdout))
}

/// The command that found it may have been another list of inputs, before shrinking.
fn source(args: &ReportArgs, capsule: &Capsule) -> String {
    let origin = &capsule.header().origin;
    let found = if origin.repeat.is_empty() { String::new() } else { format!(", found by `{}`", origin.repeat) };
    let shrunk = if capsule.header().shrunk.is_some() { ", shrunk" } else { "" };
    let start =
        capsule.header().checkpoint.as_ref().map_or_else(String::new, |_| format!(", from {}", capsule.start()));
    format!("capsule {}{shrunk}{start}{found}", args.capsule.display())
}
