//! `judge`: replays, shrinks and groups capsules of violated properties, which `lwp-sim` does not know.

mod triage;

use clap::{Parser, Subcommand};
use miette::Report;
use proptests::unit::Properties;
use sim_harness::capsule::{
    Capsule, CapsuleError, ReplayError, ShrinkError, ShrinkOptions, Verdict, Way, judged, replay, shrink_on,
};
use sim_harness::complain;
use sim_harness::lockstep::Window;
use sim_harness::report::{Clash, Output, OutputError, print, separate};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Replays, shrinks and groups capsules of violated properties.
///
/// `lwp-sim` does the same for capsules of mismatches and assertions, and knows nothing of properties.
///
/// Exit codes: 0 the property holds, or the capsule was shrunk; 1 it is violated as recorded; 2 the command line or the capsule is wrong;
/// 3 a file cannot be read or written; 4 it fails otherwise than recorded, or not at all where it is to be shrunk; 5 the two builds of
/// the RTL disagree. Those of `triage`: 0 no capsule fails; 1 some fail; 2 there is no capsule, or none fails and one cannot be used; 3 and
/// 5 as above; 130 Ctrl-C or SIGTERM.
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
        /// Cycles that the capsule may have: all are held in memory, over a kilobyte a cycle
        #[arg(long, value_name = "N", default_value_t = ShrinkOptions::default().longest)]
        longest: u64,
    },
    /// Make the capsule smaller while the same property is violated
    Shrink {
        /// The capsule
        capsule: PathBuf,
        /// Where the smaller one goes [default: beside it, NAME.small.capsule]
        #[arg(short, long)]
        output: Option<PathBuf>,
        /// Candidates that are judged at most
        #[arg(long, value_name = "N", default_value_t = ShrinkOptions::default().tries)]
        tries: u64,
        /// Cycles that the capsule may have up to its failure: all are held in memory, over a kilobyte a cycle
        #[arg(long, value_name = "N", default_value_t = ShrinkOptions::default().longest)]
        longest: u64,
    },
    /// Group capsules of any kind by what they shrink to; properties are judged
    Triage(triage::TriageArgs),
}

/// An error and its exit code.
struct Failed(Report, u8);

impl From<CapsuleError> for Failed {
    fn from(error: CapsuleError) -> Self {
        let code = if matches!(error, CapsuleError::Unreadable { .. }) { 3 } else { 2 };
        Self(error.into(), code)
    }
}

impl From<ReplayError> for Failed {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Capsule(error) => error.into(),
            _ => Self(error.into(), 5),
        }
    }
}

impl From<ShrinkError> for Failed {
    fn from(error: ShrinkError) -> Self {
        match error {
            ShrinkError::Replay(error) => error.into(),
            ShrinkError::DoesNotFail { .. } => Self(error.into(), 4),
            _ => Self(error.into(), 2),
        }
    }
}

impl From<OutputError> for Failed {
    fn from(error: OutputError) -> Self {
        Self(error.into(), 3)
    }
}

impl From<Clash> for Failed {
    fn from(error: Clash) -> Self {
        Self(error.into(), 2)
    }
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Replay { capsule, longest } => again(&capsule, longest),
        Command::Shrink { capsule, output, tries, longest } => {
            smaller(&capsule, output.as_deref(), &ShrinkOptions { tries, longest, ..ShrinkOptions::default() })
        }
        Command::Triage(args) => triage::run(&args),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(Failed(report, code)) => {
            complain!("{report:?}");
            ExitCode::from(code)
        }
    }
}

fn load(path: &Path) -> Result<(Capsule, String), Failed> {
    let capsule = Capsule::load(path)?;
    match capsule.header().failure.way.clone() {
        Way::Property { name } => Ok((capsule, name)),
        way => Err(Failed(miette::miette!(help = "`lwp-sim` replays and shrinks it", "the capsule says: {way}"), 2)),
    }
}

fn again(path: &Path, longest: u64) -> Result<u8, Failed> {
    let (capsule, name) = load(path)?;
    // Before hours are spent on it: a small file can say very many cycles.
    let cycles = capsule.header().cycles;
    if cycles > longest {
        return Err(Failed(
            miette::miette!(
                help = "raise the limit with --longest, at over a kilobyte of memory a cycle",
                "the capsule has {cycles} cycles, and {longest} is the most that is checked"
            ),
            2,
        ));
    }
    let replayed = replay(&capsule, Window { before: 0, after: 0 })?;
    let recorded = capsule.header().failure.cycle;
    match (judged(&capsule, &Properties, &name, replayed.cycles)?, replayed.found) {
        (Verdict::Unknown, _) => Err(Failed(
            miette::miette!(
                help = "`reading` has one in every unit, `monitors` in those that have monitors",
                "no checker evaluates the property `{name}`"
            ),
            2,
        )),
        (Verdict::Violated(cycle, reason), _) => {
            let elsewhere =
                if cycle == recorded { String::new() } else { format!("(recorded for cycle {recorded})\n") };
            print(&format!("{name}: {reason}\n{elsewhere}"), false)?;
            Ok(if cycle == recorded { 1 } else { 4 })
        }
        (Verdict::Holds, Some(found)) => {
            let (cycle, way) = (found.cycle, found.way);
            print(&format!("cycle {cycle}: {way}; the property was checked up to there, and holds\n"), false)?;
            Ok(4)
        }
        (Verdict::Holds, None) => {
            print(&format!("{name}: holds in all {} cycles, and model and RTL agree\n", replayed.cycles), false)?;
            Ok(0)
        }
    }
}

fn smaller(path: &Path, output: Option<&Path>, options: &ShrinkOptions) -> Result<u8, Failed> {
    if let Some(output) = output {
        separate(&[path], &[output])?;
    }
    let (capsule, _) = load(path)?;
    let small = shrink_on(&capsule.build()?, Some(&Properties), &capsule, options, &mut |_| true)?;
    let output = match output {
        Some(output) => small.save(output).map(|()| output.to_owned())?,
        None => small.keep(&path.with_extension("small.capsule"))?,
    };
    let (before, now) = (capsule.header().cycles, small.header());
    let mut text = format!("{before} cycles before, {} now: {}\n", now.cycles, output.display());
    text += &format!("fails in cycle {}: {}\n", now.failure.cycle, now.failure.text);
    if let Some(rule) = small.broken_rule() {
        text += &format!("its inputs break a rule of the ports in {rule}\n");
    }
    print(&text, Output::is_stdout(&output))?;
    Ok(0)
}
