//! `judge triage`: many capsules, one line for each bug.

use super::Failed;
use clap::Args;
use proptests::unit::Properties;
use sim_harness::capsule::ShrinkOptions;
use sim_harness::report::{Output, print, separate};
use sim_harness::stop::{self, INTERRUPTED};
use sim_harness::triage::{Batch, ListError, bar, list};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// What is examined, and where the result goes.
#[derive(Args)]
pub(super) struct TriageArgs {
    /// Folders with capsules (`*.capsule`), or capsules
    #[arg(value_name = "FOLDER", required = true)]
    paths: Vec<PathBuf>,
    /// Where the smallest capsule of each group goes [default: beside the capsule that was shrunk, NAME.small.capsule]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Write the groups as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Candidates that are judged at most, for each capsule
    #[arg(long, value_name = "N", default_value_t = 4000)]
    tries: u64,
    /// Do not shrink: judge and group the capsules as they are, and write none
    #[arg(long)]
    as_found: bool,
}

impl From<ListError> for Failed {
    fn from(error: ListError) -> Self {
        let code = if matches!(error, ListError::Unreadable(_)) { 3 } else { 2 };
        Self(error.into(), code)
    }
}

/// Examines all capsules, prints the groups, writes the smallest capsules.
pub(super) fn run(args: &TriageArgs) -> Result<u8, Failed> {
    let listed = list(&args.paths)?;
    let inputs: Vec<&Path> = listed.capsules.iter().map(PathBuf::as_path).collect();
    separate(&inputs, &args.json.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let json = args.json.as_deref().map(Output::create).transpose()?;
    // Fails only if the system has no signals; then Ctrl-C just kills.
    let _ = stop::on_request(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    let stopped = || STOP.load(Ordering::Relaxed);
    let options = ShrinkOptions { tries: args.tries, ..ShrinkOptions::default() };
    let batch = Batch { judge: Some(&Properties), options: (!args.as_found).then_some(options) };
    let mut triage = batch.run(&listed, &bar(listed.capsules.len()), &stopped);
    triage.keep(args.output.as_deref())?;
    if let Some(json) = json {
        json.write_whole(&triage.to_json())?;
    }
    print(&triage.to_string(), args.json.as_deref().is_some_and(Output::is_stdout))?;
    Ok(if stopped() { INTERRUPTED } else { triage.exit_code() })
}
