//! `judge`: replays and shrinks capsules of violated properties, which `lwp-sim` does not know.

use clap::{Parser, Subcommand};
use miette::Report;
use proptests::capsule::Properties;
use sim_harness::capsule::{Capsule, Judge, ReplayError, ShrinkError, ShrinkOptions, Verdict, Way, replay, shrink_on};
use sim_harness::lockstep::Window;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Replays and shrinks capsules of violated properties.
///
/// `lwp-sim` does the same for capsules of mismatches and assertions, and knows nothing of properties.
///
/// Exit codes: 0 the property holds, or the capsule was shrunk; 1 it is violated as recorded; 2 the capsule is wrong; 3 a file cannot
/// be written; 4 it fails otherwise than recorded, or not at all where it is to be shrunk; 5 the two builds of the RTL disagree.
#[derive(Parser)]
#[command(name = "judge", version, arg_required_else_help = true, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play the capsule again, model and both builds of the RTL, and judge what they show
    Replay {
        /// The capsule
        capsule: PathBuf,
    },
    /// Make the capsule smaller while the same property is violated
    Shrink {
        /// The capsule
        capsule: PathBuf,
        /// Where the smaller one goes [default: beside it, NAME.small.capsule]
        #[arg(short, long)]
        output: Option<PathBuf>,
        /// Candidates that are judged at most
        #[arg(long, default_value_t = ShrinkOptions::default().tries)]
        tries: u64,
    },
}

/// An error and its exit code.
struct Failed(Report, u8);

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Replay { capsule } => again(&capsule),
        Command::Shrink { capsule, output, tries } => {
            let output = output.unwrap_or_else(|| capsule.with_extension("small.capsule"));
            smaller(&capsule, &output, tries)
        }
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(Failed(report, code)) => {
            eprintln!("{report:?}");
            ExitCode::from(code)
        }
    }
}

fn load(path: &Path) -> Result<(Capsule, String), Failed> {
    let capsule = Capsule::load(path).map_err(|error| Failed(error.into(), 2))?;
    match capsule.header().failure.way.clone() {
        Way::Property { name } => Ok((capsule, name)),
        way => Err(Failed(miette::miette!(help = "`lwp-sim` replays and shrinks it", "the capsule says: {way}"), 2)),
    }
}

fn again(path: &Path) -> Result<u8, Failed> {
    let (capsule, name) = load(path)?;
    let replayed = replay(&capsule, Window { before: 0, after: 0 }).map_err(|error| match error {
        ReplayError::BuildsDisagree { .. } => Failed(error.into(), 5),
        _ => Failed(error.into(), 2),
    })?;
    if let Some(found) = replayed.found {
        println!("cycle {}: {}, so the property was not judged", found.cycle, found.way);
        return Ok(4);
    }
    let recorded = capsule.header().failure.cycle;
    match verdict(&capsule, &name)? {
        Verdict::Unknown => Err(Failed(miette::miette!("there is no property `{name}` here"), 2)),
        Verdict::Holds => {
            println!("{name}: holds in all {} cycles, and model and RTL agree", replayed.cycles);
            Ok(0)
        }
        Verdict::Violated(cycle, reason) => {
            println!("{name}: {reason}");
            if cycle == recorded {
                return Ok(1);
            }
            println!("(recorded for cycle {recorded})");
            Ok(4)
        }
    }
}

/// Model and RTL have been seen to agree, so what the model shows is what both do.
fn verdict(capsule: &Capsule, name: &str) -> Result<Verdict, Failed> {
    let failed = |error: sim_harness::capsule::CapsuleError| Failed(error.into(), 2);
    let (mut model, build) = (capsule.model().map_err(failed)?, capsule.build().map_err(failed)?);
    let (inputs, words) = (capsule.inputs(), build.info().out_words);
    let mut rows = vec![0; inputs.len() / build.info().in_words * words];
    let each = inputs.chunks_exact(build.info().in_words).zip(rows.chunks_exact_mut(words));
    each.for_each(|(inputs, row)| model.cycle(inputs, row));
    Ok(Properties.judge(name, build, &capsule.header().straps, &inputs, &rows))
}

fn smaller(path: &Path, output: &Path, tries: u64) -> Result<u8, Failed> {
    let (capsule, _) = load(path)?;
    let build = capsule.build().map_err(|error| Failed(error.into(), 2))?;
    let options = ShrinkOptions { tries, ..ShrinkOptions::default() };
    let small =
        shrink_on(&build, Some(&Properties), &capsule, &options, &mut |_| true).map_err(|error| match error {
            ShrinkError::DoesNotFail { .. } => Failed(error.into(), 4),
            ShrinkError::Replay(ReplayError::BuildsDisagree { .. }) => Failed(error.into(), 5),
            _ => Failed(error.into(), 2),
        })?;
    small.save(output).map_err(|error| Failed(error.into(), 3))?;
    println!("{} cycles before, {} now: {}", capsule.header().cycles, small.header().cycles, output.display());
    Ok(0)
}
