//! `soak`: model against RTL for as many random cycles as you like.

mod args;
mod report;

use args::Args;
use clap::Parser;
use proptests::capsule::{self, advice};
use proptests::runner::prefix;
use proptests::soak::{Case, Progress, run};
use proptests::state_file::{self, lock_file, lock_of};
use proptests::unit::check_environment;
use report::Report;
use sha2::{Digest, Sha256};
use sim_harness::rtl::BuildId;
use sim_harness::stop::{self, INTERRUPTED};
use sim_harness::{complain, say};
use std::fs::{File, TryLockError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// The run was asked to end.
static STOPPED: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let args = Args::parse();
    match soak(&args) {
        Ok(code) => code,
        Err(text) => {
            complain!("soak: {text}");
            ExitCode::from(2)
        }
    }
}

fn soak(args: &Args) -> Result<ExitCode, String> {
    let (unit, builds) = (args.unit()?, args.builds()?);
    check_environment()?;
    if let Some(number) = args.case {
        return Ok(explain(args, Case::new(unit, args.seed, number, &builds), &builds));
    }
    state_file::check(&args.state()).map_err(|error| format!("{}: {error}", args.state().display()))?;
    let _alone = alone(&args.state())?;
    let mut progress = take_up(args, &builds)?;
    stop::on_request(|| STOPPED.store(true, Ordering::Relaxed)).map_err(|error| error.to_string())?;
    let report = Report::new(args, unit, &progress);
    let outcome = run(unit, &mut progress, &builds, args.cycles, args.jobs(), &|progress| {
        report.show(progress);
        !STOPPED.load(Ordering::Relaxed)
    });
    report.close();
    progress.write(&args.state()).map_err(|error| format!("{}: {error}", args.state().display()))?;
    report.summary(&progress);
    match outcome {
        Err(failure) => {
            say!("case {} of seed {} does not agree: {}", failure.number, args.seed, failure.reason);
            let case = Case::new(unit, args.seed, failure.number, &builds);
            // The same again, on this thread, which then knows its inputs.
            let _ = catch_unwind(AssertUnwindSafe(|| case.play(&builds)));
            let repeat =
                format!("{}soak --seed {} --case {}{}", prefix(), args.seed, failure.number, args.build_option());
            say!("shrink and repeat it with: {repeat}{}", save(args, case, "", &repeat));
            Ok(ExitCode::FAILURE)
        }
        Ok(()) if progress.cycles < args.cycles => {
            say!("stopped; the same command goes on from here");
            Ok(ExitCode::from(INTERRUPTED))
        }
        Ok(()) => Ok(ExitCode::SUCCESS),
    }
}

/// Holds the state of a run for this program as long as the file is open.
fn alone(state: &Path) -> Result<File, String> {
    let file = lock_file(state).map_err(|error| format!("{}: {error}", lock_of(state).display()))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(format!(
            "another soak goes on with {}; wait for its end, or name another file with --state",
            state.display()
        )),
        // A file system without locks cannot tell.
        _ => Ok(file),
    }
}

/// The state of an earlier run of the same seed and builds, or a fresh one.
fn take_up(args: &Args, builds: &[BuildId]) -> Result<Progress, String> {
    let names: Vec<String> = builds.iter().map(|build| build.name().to_owned()).collect();
    let program = program()?;
    let fresh = Progress { program: program.clone(), seed: args.seed, builds: names.clone(), ..Progress::default() };
    if args.fresh {
        return Ok(fresh);
    }
    let earlier = Progress::read(&args.state()).map_err(|error| {
        format!("{} is not the state of a run: {error}; --fresh begins anew and replaces it", args.state().display())
    })?;
    match earlier {
        None => Ok(fresh),
        Some(earlier) if earlier.program != program => Err(format!(
            "{} is of another version of model, RTL or cases, whose cycles do not count for this one; --fresh begins anew, --state names another file",
            args.state().display()
        )),
        Some(earlier) if earlier.seed == args.seed && earlier.builds == names => Ok(earlier),
        Some(earlier) => Err(format!(
            "{} is of seed {} and builds {}, not of seed {} and builds {}; --fresh begins anew, --state names another file",
            args.state().display(),
            earlier.seed,
            earlier.builds.join(","),
            args.seed,
            names.join(",")
        )),
    }
}

/// What the cycles of a run are of: the SHA-256 of this program, which has model and RTL in it, and what its cases are steered by.
fn program() -> Result<String, String> {
    let bytes = std::env::current_exe()
        .and_then(std::fs::read)
        .map_err(|error| format!("this program cannot be read: {error}"))?;
    Ok(format!("{}{:x}", prefix(), Sha256::digest(bytes)))
}

/// The noted failure as a capsule beside the state of the run; what to tell of it.
fn save(args: &Args, case: Case, what: &str, repeat: &str) -> String {
    let name = format!("seed{}-case{}{what}.capsule", case.seed, case.number);
    advice(capsule::save(
        &args.state().with_file_name(name),
        "soak",
        repeat,
        &[("run", case.seed), ("case", case.number)],
    ))
}

fn explain(args: &Args, case: Case, builds: &[BuildId]) -> ExitCode {
    say!("case {} of seed {} on {}", case.number, case.seed, case.build(builds).name());
    match case.explain(builds) {
        None => {
            say!("model and RTL agree");
            ExitCode::SUCCESS
        }
        Some(text) => {
            let repeat = format!("{}soak --seed {} --case {}{}", prefix(), case.seed, case.number, args.build_option());
            say!("{text}{}", save(args, case, ".shrunk", &repeat));
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::alone;

    #[test]
    fn a_second_run_on_one_state_is_refused_until_the_first_has_ended() {
        let state = std::env::temp_dir().join(format!("soak-alone-{}", std::process::id())).join("state.json");
        let first = alone(&state).unwrap();
        assert!(alone(&state).unwrap_err().starts_with("another soak goes on with"));
        drop(first);
        assert!(alone(&state).is_ok());
        let _ = std::fs::remove_dir_all(state.parent().unwrap());
    }
}
