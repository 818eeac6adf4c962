//! `lwp-sim triage`: many capsules, one line for each bug.

use super::exit::{self, Failure};
use super::interrupt;
use clap::Args;
use indicatif::ProgressBar;
use sim_harness::capsule::ShrinkOptions;
use sim_harness::report::{Output, print, separate};
use sim_harness::triage::{Batch, bar, list};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Group failure capsules by what they shrink to: unit, kind of failure, stage and field.
///
/// Replays each capsule, shrinks it, and asks the report for stage and field. Capsules that agree in unit, kind, stage and field are
/// one line, with the smallest of them, which `lwp-sim report` explains. The number of an array's element does not count.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct TriageArgs {
    /// Folders with capsules (`*.capsule`), or capsules
    #[arg(value_name = "FOLDER", required = true)]
    paths: Vec<PathBuf>,

    /// Where the smallest capsule of each group goes [default: beside the capsule that was shrunk, NAME.small.capsule]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// Write the groups as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Candidates that are played at most, for each capsule
    #[arg(long, value_name = "N", default_value_t = 4000)]
    tries: u64,

    /// Do not shrink: group the capsules as they are, and write none
    #[arg(long)]
    as_found: bool,

    /// Show neither progress nor groups
    #[arg(short, long)]
    quiet: bool,
}

const AFTER: &str = "\
Examples:
  lwp-sim triage target/capsules
      a line for each bug, and the smallest capsule of each as NAME.small.capsule
  lwp-sim triage target/capsules --json - -q | jq -r '.groups[] | [(.capsules | length), .headline] | @tsv'
  lwp-sim triage --as-found a.capsule b.capsule

A shrunk capsule is left out if the capsule that was shrunk is in the same folder. A capsule that cannot be used is told and
left out. Properties are not judged here: a capsule of a property is grouped by the rule that it records; `judge triage` judges.

Exit codes:
  0    no capsule fails (any more)
  1    some fail
  2    the command line is wrong, there is no capsule, or none fails and one of them cannot be used
  3    a folder cannot be read, or a file cannot be written
  5    the fast and the traced build of the RTL do not fail in the same cycle, for one capsule at least
  130  Ctrl-C or SIGTERM: what was examined so far is grouped";

/// Examines all capsules, prints the groups, writes the smallest capsules.
pub(crate) fn run(args: &TriageArgs) -> Result<ExitCode, Failure> {
    let listed = list(&args.paths)?;
    let inputs: Vec<&Path> = listed.capsules.iter().map(PathBuf::as_path).collect();
    separate(&inputs, &args.json.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let json = args.json.as_deref().map(Output::create).transpose()?;
    interrupt::catch();
    let options = ShrinkOptions { tries: args.tries, ..ShrinkOptions::default() };
    let batch = Batch { judge: None, options: (!args.as_found).then_some(options) };
    let bar = if args.quiet { ProgressBar::hidden() } else { bar(listed.capsules.len()) };
    let mut triage = batch.run(&listed, &bar, &interrupt::requested);
    triage.keep(args.output.as_deref())?;
    if let Some(json) = json {
        json.write_whole(&triage.to_json())?;
    }
    if !args.quiet {
        print(&triage.to_string(), args.json.as_deref().is_some_and(Output::is_stdout))?;
    }
    Ok(ExitCode::from(if interrupt::requested() { exit::INTERRUPTED } else { triage.exit_code() }))
}
