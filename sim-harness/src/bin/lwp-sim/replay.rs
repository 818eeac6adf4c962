//! `lwp-sim replay`: a failure again, bit for bit.

use super::engines::HISTORY;
use super::exit::{self, Failure};
use clap::Args;
use sim_harness::capsule::{Capsule, Failure as Recorded, Replayed, Way, replay};
use sim_harness::lockstep::Window;
use sim_harness::report::{MismatchReport, print};
use std::fmt::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Play a failure capsule again: model and RTL from reset, over the inputs that it holds.
///
/// The fast build of the RTL plays it first, then the traced one, which checks the assertions in the RTL. Both have to fail in
/// the same cycle and to show the same. Nothing else is needed: no trace, no session.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct ReplayArgs {
    /// The capsule, as `lwp-sim cosim`, `lwp-sim shrink` and the property tests write it
    #[arg(value_name = "CAPSULE")]
    capsule: PathBuf,

    /// Print nothing but errors: the exit code says it all
    #[arg(short, long)]
    quiet: bool,
}

const AFTER: &str = "\
Examples:
  lwp-sim replay ls-cycle4711.capsule
      what differs, and the inputs of the last cycles
  head -n 60 ls-cycle4711.capsule
      the text of a capsule: build, straps, failure, seeds, the command that found it, versions, digests of the sources
  git bisect run sh -c 'cargo build --release -p sim-harness || exit 125; target/release/lwp-sim replay -q x.capsule'
      the change that brought the failure

Exit codes:
  0    nothing fails (any more)
  1    it fails as recorded: same field or assertion, same cycle, same values, same rows up to there
  2    the command line or the capsule is wrong: no capsule, damaged, another version, unit or build
  3    the capsule cannot be read, or standard output cannot be written
  4    it fails, but in another cycle or another way than recorded; the sources may have changed, which is told
  5    the fast and the traced build of the RTL do not fail in the same cycle";

/// Replays, and says how it went.
pub(crate) fn run(args: &ReplayArgs) -> Result<ExitCode, Failure> {
    let capsule = Capsule::load(&args.capsule)?;
    let replayed = replay(&capsule, Window { before: HISTORY as u64 - 1, after: 0 })?;
    if replayed.found.is_none()
        && let Way::Property { name } = &capsule.header().failure.way
    {
        let message = format!("model and RTL agree, and whether the property `{name}` holds cannot be judged here");
        return Err(Failure::option(&message, "`cargo run --release -p proptests --bin judge -- replay CAPSULE` can"));
    }
    if !args.quiet {
        print(&told(args, &capsule, &replayed), false)?;
    }
    Ok(ExitCode::from(match (&replayed.found, replayed.as_recorded) {
        (None, _) => 0,
        (Some(_), true) => exit::MISMATCH,
        (Some(_), false) => exit::OTHERWISE,
    }))
}

/// The result in words.
fn told(args: &ReplayArgs, capsule: &Capsule, replayed: &Replayed) -> String {
    let mut text = String::new();
    // Memory takes everything.
    let _ = tell(args, capsule, replayed, &mut text);
    text
}

fn tell(args: &ReplayArgs, capsule: &Capsule, replayed: &Replayed, out: &mut impl Write) -> fmt::Result {
    let header = capsule.header();
    writeln!(
        out,
        "capsule   {}: {}, {} cycles from {}",
        args.capsule.display(),
        header.build,
        header.cycles,
        capsule.start()
    )?;
    match capsule.broken_rule() {
        None => writeln!(out, "inputs    keep the rules of the ports")?,
        Some(rule) => writeln!(out, "inputs    break a rule of the ports in {rule}")?,
    }
    if let Some(shrunk) = &header.shrunk {
        writeln!(out, "shrunk    from {} cycles, {} set fields", shrunk.cycles_before, shrunk.fields_before)?;
    }
    writeln!(out, "found by  {}: {}", header.origin.found_by, header.origin.repeat)?;
    writeln!(out, "recorded  {}", line(&header.failure))?;
    match &replayed.found {
        None => writeln!(out, "replayed  model and RTL agree in all {} cycles, no assertion fails", replayed.cycles)?,
        Some(found) => {
            let how = if replayed.as_recorded { "bit for bit as recorded" } else { "NOT as recorded" };
            // The fast build has no assertions.
            let asserted = matches!(found.way, Way::Assertion { .. });
            let builds = if asserted { "in the build that checks them" } else { "in both builds" };
            writeln!(out, "replayed  {}; {how}, {builds}", line(&found.failure()))?;
        }
    }
    if !header.origin.sources.contains_key("rtl") {
        writeln!(out, "sources   of its RTL are unknown, as it is from another test bench")?;
    }
    if !replayed.changed.is_empty() {
        writeln!(out, "sources   {} changed since the capsule was made", replayed.changed.join(" and "))?;
    }
    if let Some(report) = MismatchReport::of_replay(replayed) {
        writeln!(out, "{report}")?;
    }
    Ok(())
}

fn line(failure: &Recorded) -> String {
    format!("cycle {}: {}", failure.cycle, failure.way)
}
