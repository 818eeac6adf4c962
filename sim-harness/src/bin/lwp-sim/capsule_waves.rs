//! `lwp-sim waves`: the RTL's signals around a failure.

use super::exit::{self, Failure};
use super::waves::WaveFile;
use clap::Args;
use sim_harness::capsule::{Capsule, CapsuleWavesError, waves};
use sim_harness::command::shown;
use sim_harness::lockstep::Window;
use sim_harness::report::{Output, free_name, print, separate};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write waves (FST) of every signal of the RTL around the failure of a capsule.
///
/// Runs the capsule on the traced build of the RTL. `lwp-sim report --fst` writes registers and outputs of model and RTL side by side;
/// these waves have the wires inside the RTL, but no model. Time / 10 is the number of the cycle.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct WavesArgs {
    /// The capsule, as `lwp-sim cosim`, `lwp-sim shrink`, the property tests and foreign test benches write it
    #[arg(value_name = "CAPSULE")]
    capsule: PathBuf,

    /// Where the waves go [default: beside the capsule, NAME.fst, with a number if there is such a file]
    #[arg(short, long, value_name = "FILE.fst")]
    output: Option<PathBuf>,

    /// Cycles before the failure
    #[arg(long, value_name = "N", default_value_t = Window::default().before)]
    before: u64,

    /// Cycles after the failure; after the capsule's last cycle nothing comes in
    #[arg(long, value_name = "N", default_value_t = Window::default().after)]
    after: u64,

    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

const AFTER: &str = "\
Examples:
  lwp-sim waves ls-cycle4711.capsule && gtkwave ls-cycle4711.fst
  lwp-sim waves ls-cycle4711.capsule -o all.fst --before 4711

Exit codes:
  0    nothing fails (any more); the waves are those around the recorded cycle
  1    it fails, and the waves show it
  2    the command line or the capsule is wrong
  3    something cannot be read or written";

/// Runs, and writes the file.
pub(crate) fn run(args: &WavesArgs) -> Result<ExitCode, Failure> {
    let capsule = Capsule::load(&args.capsule)?;
    let free = |path: &Path| !path.exists();
    let target = args.output.clone().unwrap_or_else(|| free_name(&args.capsule.with_extension("fst"), free));
    separate(&[&args.capsule], &[&target])?;
    let file = WaveFile::create(&target)?;
    let written = waves(&capsule, Window { before: args.before, after: args.after }, file.path());
    let written = written.map_err(|error| match error {
        CapsuleWavesError::Capsule(error) => error.into(),
        CapsuleWavesError::File(error) => file.failure(error),
    })?;
    file.commit()?;
    if !args.quiet {
        let failure = &capsule.header().failure;
        let last = written.first_cycle + written.cycles - 1;
        let now = match written.fails {
            Some(cycle) => format!("fails in cycle {cycle}"),
            None => "nothing fails up to there".to_owned(),
        };
        let (place, first) = (shown(&target), written.first_cycle);
        let text = format!(
            "waves     {}: cycles {first} to {last}\nrecorded  cycle {}: {}\nnow       {now}\n",
            place.display(),
            failure.cycle,
            failure.way
        );
        print(&text, Output::is_stdout(&target))?;
    }
    Ok(ExitCode::from(if written.fails.is_some() { exit::MISMATCH } else { 0 }))
}
