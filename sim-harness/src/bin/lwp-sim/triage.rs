//! `lwp-sim triage`: many capsules, one line for each bug.

use super::exit::{self, Failure};
use super::interrupt;
use clap::Args;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use miette::Diagnostic;
use sim_harness::capsule::{Capsule, CapsuleError, ReplayError, ShrinkOptions, Shrinking};
use sim_harness::report::{Output, OutputError};
use sim_harness::triage::{Listed, Outcome, Triage, TriageError, capsules_in, examine};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Group failure capsules by what they shrink to: kind of failure, stage and field.
///
/// Replays each capsule, shrinks it, and asks the report for stage and field. Capsules that agree in kind, stage and field are one
/// line, with the smallest of them, which `lwp-sim report` explains. The number of an array's element does not count.
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
left out. Properties are not judged here: a capsule of a property is grouped by the rule that it records.

Exit codes:
  0    no capsule fails (any more)
  1    some fail
  2    the command line is wrong, there is no capsule, or none fails and one of them cannot be used
  3    a folder cannot be read, or a file cannot be written
  5    the fast and the traced build of the RTL do not fail in the same cycle, for one capsule at least
  130  Ctrl-C: what was examined so far is grouped";

/// Examines all capsules, prints the groups, writes the smallest capsules.
pub(crate) fn run(args: &TriageArgs) -> Result<ExitCode, Failure> {
    let Listed { capsules, left_out } = list(&args.paths)?;
    let json = args.json.as_deref().map(Output::create).transpose()?;
    interrupt::catch();
    let bar = bar(capsules.len(), args.quiet);
    let mut triage = Triage { left_out, ..Triage::default() };
    let mut builds_differ = false;
    for path in &capsules {
        if interrupt::requested() {
            triage.not_examined += 1;
            continue;
        }
        let examined = one(path, args, &bar);
        builds_differ |= matches!(examined, Err(TriageError::Replay(ReplayError::BuildsDisagree { .. })));
        triage.add(path, outcome(examined));
        bar.inc(1);
    }
    bar.finish_and_clear();
    keep(&mut triage, args)?;
    if let Some(json) = json {
        let mut text = serde_json::to_vec_pretty(&triage).expect("groups are plain data");
        text.push(b'\n');
        json.write_whole(&text)?;
    }
    if !args.quiet {
        show(&triage, args);
    }
    Ok(ExitCode::from(match &triage {
        _ if interrupt::requested() => exit::INTERRUPTED,
        _ if builds_differ => exit::BUILDS,
        Triage { groups, .. } if !groups.is_empty() => exit::MISMATCH,
        Triage { refused, .. } if !refused.is_empty() => exit::USAGE,
        _ => 0,
    }))
}

/// The capsules of all paths, each once.
fn list(paths: &[PathBuf]) -> Result<Listed, Failure> {
    let mut all = Listed::default();
    for path in paths {
        if !path.exists() {
            let message = format!("there is no folder or capsule `{}`", path.display());
            return Err(Failure::option(&message, "name the folder in which the capsules are"));
        }
        let listed = capsules_in(path).map_err(|error| Failure::from(OutputError { path: path.clone(), error }))?;
        all.left_out += listed.left_out;
        let new: Vec<_> = listed.capsules.into_iter().filter(|path| !all.capsules.contains(path)).collect();
        all.capsules.extend(new);
    }
    if all.capsules.is_empty() {
        let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        let message = format!("no capsule is in {}", names.join(", "));
        return Err(Failure::option(
            &message,
            "the names of capsules end with `.capsule`; folders in it are not searched",
        ));
    }
    Ok(all)
}

fn one(path: &Path, args: &TriageArgs, bar: &ProgressBar) -> Result<Option<sim_harness::triage::Failing>, TriageError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    bar.set_message(name.clone());
    let capsule = Capsule::load(path)?;
    let options = ShrinkOptions { tries: args.tries, ..ShrinkOptions::default() };
    let options = (!args.as_found).then_some(&options);
    let mut visit = |now: Shrinking| {
        if !bar.is_hidden() {
            bar.set_message(format!("{name}: {} cycles, {} tries", HumanCount(now.cycles), HumanCount(now.tries)));
        }
        !interrupt::requested()
    };
    examine(&capsule.build()?, None, &capsule, options, &mut visit)
}

fn outcome(examined: Result<Option<sim_harness::triage::Failing>, TriageError>) -> Outcome {
    match examined {
        Ok(Some(failing)) => Outcome::Fails(Box::new(failing)),
        Ok(None) => Outcome::Passes,
        Err(error) => {
            // The list names the file.
            let message = match &error {
                TriageError::Replay(ReplayError::Capsule(CapsuleError::Unreadable { source, .. })) => {
                    source.to_string()
                }
                error => error.to_string(),
            };
            Outcome::Refused { message, help: error.help().map(|help| help.to_string()) }
        }
    }
}

/// Writes the smallest capsule of each group, if it was shrunk here.
fn keep(triage: &mut Triage, args: &TriageArgs) -> Result<(), Failure> {
    if let Some(folder) = &args.output {
        fs::create_dir_all(folder).map_err(|error| OutputError { path: folder.clone(), error })?;
    }
    for group in &mut triage.groups {
        let Some(capsule) = group.unwritten.take() else { continue };
        let beside = group.smallest.with_extension("small.capsule");
        let path = match (&args.output, beside.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => beside,
        };
        group.smallest = capsule.keep(&path)?;
    }
    Ok(())
}

/// On standard output, or on standard error if that is taken. Whoever closed the pipe has seen enough.
fn show(triage: &Triage, args: &TriageArgs) {
    let text = triage.to_string();
    let taken = args.json.as_deref().is_some_and(Output::is_stdout);
    let _ = if taken { io::stderr().write_all(text.as_bytes()) } else { io::stdout().write_all(text.as_bytes()) };
}

fn bar(capsules: usize, quiet: bool) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} capsules, {msg}");
    ProgressBar::new(capsules as u64).with_style(style.expect("the template is right"))
}
