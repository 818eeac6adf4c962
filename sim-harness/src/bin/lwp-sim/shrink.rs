//! `lwp-sim shrink`: the same failure, smaller.

use super::exit::{self, Failure};
use super::interrupt;
use clap::Args;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use sim_harness::capsule::{Capsule, ShrinkOptions, Shrinking, shrink};
use sim_harness::command::shown;
use sim_harness::report::{Output, print, separate};
use std::fmt::{self, Write};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Make a failure capsule smaller, while it fails in the same way.
///
/// Cycles are left out, inputs made idle, straps given their defaults, numbers made smaller, as long as the same field is the first to
/// differ, or the same assertion fails. Idle cycles go too, unless the failure needs the time. A core and a memory that keep
/// the rules of the ports stand between candidate and unit, so that what is left is a run that may happen.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct ShrinkArgs {
    /// The capsule
    #[arg(value_name = "CAPSULE")]
    capsule: PathBuf,

    /// Where the smaller one goes [default: beside it, NAME.small.capsule]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Candidates that are played at most
    #[arg(long, value_name = "N", default_value_t = ShrinkOptions::default().tries)]
    tries: u64,

    /// Cycles that are played at most, of all candidates
    #[arg(long, value_name = "N", default_value_t = ShrinkOptions::default().cycles)]
    cycles: u64,

    /// Seconds that it takes at most [default: no limit]. With this limit the result may differ from run to run
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// Begin so many cycles before the failure, in the state that the run has there [default: from reset, but 10000 if the failure is later
    /// than --longest]
    ///
    /// The result fails as well, and begins in that state, too: it does not say how the run came there.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint: Option<u64>,

    /// Cycles up to the failure that are shrunk from reset: that needs over a kilobyte of memory for each
    #[arg(long, value_name = "N", default_value_t = ShrinkOptions::default().longest)]
    longest: u64,

    /// Leave out what the rules of the ports ask for, too: smaller still, but no core or memory would do that
    #[arg(long)]
    any_inputs: bool,

    /// Show neither progress nor result
    #[arg(short, long)]
    quiet: bool,
}

const AFTER: &str = "\
Examples:
  lwp-sim shrink ls-cycle4711.capsule
      writes ls-cycle4711.small.capsule
  lwp-sim shrink ls-cycle4711.capsule -o small.capsule --time 60 && lwp-sim replay small.capsule

Without --time the same capsule always shrinks to the same one. Ctrl-C ends the search and writes the smallest one so far.

Exit codes:
  0    the capsule was written: shrunk, or as small as it was
  2    the command line or the capsule is wrong
  3    something cannot be read or written
  4    the capsule does not fail in the way that it says, so there is nothing to keep
  5    the fast and the traced build of the RTL do not fail in the same cycle
  130  Ctrl-C or SIGTERM: the smallest capsule so far was written";

/// Shrinks, and writes the result.
pub(crate) fn run(args: &ShrinkArgs) -> Result<ExitCode, Failure> {
    if let Some(output) = &args.output {
        separate(&[&args.capsule], &[output])?;
    }
    let capsule = Capsule::load(&args.capsule)?;
    let ShrinkArgs { tries, cycles, time, longest, any_inputs, checkpoint, quiet, .. } = *args;
    let options = ShrinkOptions { tries, cycles, time, longest, any_inputs, checkpoint };
    interrupt::catch();
    let bar = bar(tries, quiet);
    let shrunk = shrink(&capsule, &options, &mut |now| {
        show(&bar, now);
        !interrupt::requested()
    });
    bar.finish_and_clear();
    let small = shrunk?;
    let output = match &args.output {
        Some(output) => small.save(output).map(|()| output.clone())?,
        None => small.keep(&beside(&args.capsule))?,
    };
    if !quiet {
        let mut text = String::new();
        // Memory takes everything.
        let _ = tell(&small, &shown(&output), &mut text);
        print(&text, Output::is_stdout(&output))?;
    }
    Ok(ExitCode::from(code(interrupt::requested())))
}

/// The exit code after a capsule was written.
fn code(interrupted: bool) -> u8 {
    if interrupted { exit::INTERRUPTED } else { 0 }
}

/// Why the search ended.
fn ended(complete: bool, interrupted: bool) -> &'static str {
    match (complete, interrupted) {
        (true, _) => "nothing more can be left out",
        (false, true) => "Ctrl-C ended the search: this is the smallest so far",
        (false, false) => "the budget ended the search",
    }
}

/// `NAME.small.capsule` in the same folder.
fn beside(capsule: &Path) -> PathBuf {
    capsule.with_extension("small.capsule")
}

fn bar(tries: u64, quiet: bool) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} tries, {msg}");
    ProgressBar::new(tries).with_style(style.expect("the template is right"))
}

fn show(bar: &ProgressBar, now: Shrinking) {
    bar.set_position(now.tries);
    if !bar.is_hidden() {
        bar.set_message(format!("{} cycles, {} set fields", HumanCount(now.cycles), HumanCount(now.fields)));
    }
}

fn tell(small: &Capsule, output: &Path, out: &mut impl Write) -> fmt::Result {
    let header = small.header();
    if let Some(shrunk) = &header.shrunk {
        let (before, after) = (HumanCount(shrunk.cycles_before), HumanCount(header.cycles));
        writeln!(out, "cycles      {before} before, {after} now")?;
        let (before, after) = (HumanCount(shrunk.fields_before), HumanCount(shrunk.fields));
        writeln!(out, "set fields  {before} before, {after} now")?;
        let end = ended(shrunk.complete, interrupt::requested());
        writeln!(out, "tries       {}; {end}", HumanCount(shrunk.tries))?;
    }
    if header.checkpoint.is_some() {
        writeln!(out, "begins in   {}", small.start())?;
    }
    match small.broken_rule() {
        None => writeln!(out, "inputs      keep the rules of the ports")?,
        Some(rule) => writeln!(out, "inputs      break a rule of the ports in {rule}")?,
    }
    writeln!(out, "fails       cycle {}: {}", header.failure.cycle, header.failure.way)?;
    writeln!(out, "written     {}", output.display())?;
    Ok(())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_one_stands_beside() {
        assert_eq!(beside(Path::new("a/b.capsule")), Path::new("a/b.small.capsule"));
        assert_eq!(beside(Path::new("b")), Path::new("b.small.capsule"));
    }

    #[test]
    fn an_interrupted_search_has_not_spent_its_budget() {
        let ctrl_c = ended(false, true);
        assert!(ctrl_c.contains("Ctrl-C") && !ctrl_c.contains("budget"), "{ctrl_c}");
        assert_eq!((code(true), code(false)), (130, 0));
        let spent = ended(false, false);
        assert!(spent.contains("budget") && !spent.contains("Ctrl-C"), "{spent}");
        assert_eq!(ended(true, true), ended(true, false), "it was complete before");
    }

    #[test]
    fn times_are_seconds() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        for text in ["", "soon", "-1", "NaN", "inf"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
