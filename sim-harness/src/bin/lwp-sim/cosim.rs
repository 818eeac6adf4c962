//! `lwp-sim cosim`: from command line to exit code.

use super::capsule;
use super::cosim_args::{CosimArgs, Engine};
use super::engines::{self, Outcome};
use super::exit::{self, Failure};
use super::failure_report;
use super::interrupt;
use super::outputs::Outputs;
use super::plan::Plan;
use super::progress::Progress;
use super::repeat;
use super::waves;
use sim_harness::command::after_failure;
use sim_harness::cosim::{Finished, Run};
use sim_harness::report::{MismatchReport, Summary};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Runs, writes everything, and says how it went.
pub(crate) fn run(args: &CosimArgs) -> Result<ExitCode, Failure> {
    if args.engine == Engine::Model && args.waves.is_some() {
        return Err(Failure::option("--waves needs RTL, but --engine model runs none", "use --engine lockstep or rtl"));
    }
    if args.engine == Engine::Model && args.assertions {
        return Err(Failure::option(
            "--assertions needs RTL, but --engine model runs none",
            "use --engine lockstep or rtl",
        ));
    }
    if args.engine != Engine::Lockstep && args.report.is_some() {
        return Err(Failure::option("--report needs model and RTL side by side", "use --engine lockstep"));
    }
    let plan = Plan::new(args)?;
    for warning in plan.run.warnings() {
        tell(format_args!("warning: {warning}"));
    }
    let (outputs, records) = Outputs::create(args)?;
    let mut run = plan.run.begin(plan.stream()?, records);
    if let Some(failure) = run.take_failure() {
        return Err(failure.into()); // nothing has run, so no summary is printed
    }
    interrupt::catch();
    let start = Instant::now();
    let progress = Progress::new(run.visited(), args.limit, args.quiet);
    let outcome = engines::run(args, &plan, run.as_mut(), &progress)?;
    let seconds = start.elapsed();
    drop(progress);
    finish(args, &plan, run, outcome, outputs, seconds)
}

/// Writes the outputs of a run that has ended.
fn finish(
    args: &CosimArgs,
    plan: &Plan,
    mut run: Box<dyn Run + '_>,
    outcome: Outcome,
    outputs: Outputs,
    time: Duration,
) -> Result<ExitCode, Failure> {
    let Outcome { cycles_compared, mut mismatch, asserted } = outcome;
    let stopped = run.take_failure().map(Failure::from);
    let mut summary = numbers(run.as_ref(), time);
    let Finished { instructions, summary: own, records, dumps } = run.finish(&outputs.dumps());
    summary.unit = plan.unit.name.to_owned();
    summary.engine = args.engine.name().to_owned();
    summary.trace = args.trace.display().to_string();
    summary.session = args.session.as_ref().map(|path| path.display().to_string());
    summary.interrupted = interrupt::requested();
    summary.cycles_compared = cycles_compared;
    summary.front_end = plan.run.front_end().map(|_| *instructions.numbers());
    summary.notes = instructions.notes();
    summary.own = own;
    summary.error = stopped.as_ref().map(Failure::message);
    let waved = write_waves(args, plan, &mut mismatch);
    summary.mismatch = mismatch.as_ref().map(MismatchReport::first);
    let written = outputs.write(&dumps, &summary, args.quiet).and(records.map_err(Failure::from));
    let mut capsule = mismatch.as_ref().map(|mismatch| capsule::write(args, plan, mismatch)).transpose();
    let reported = match &capsule {
        Ok(Some(written)) => failure_report::of_run(args, &written.capsule),
        _ => Ok(false),
    };
    if let (Some(mismatch), false) = (&mismatch, matches!(reported, Ok(true))) {
        let cut = summary.interrupted.then_some(summary.instructions);
        tell(format_args!("{mismatch}\nto repeat it with waves:\n  {}", repeat::command(args, cut)));
    }
    let unconfirmed = capsule.as_mut().ok().and_then(Option::as_mut).and_then(|written| written.unconfirmed.take());
    if let Ok(Some(written)) = &capsule {
        tell(format_args!("{}", after_failure(&written.path)));
    }
    let failures = [written.err(), waved.err(), capsule.err(), unconfirmed, reported.err(), asserted, stopped];
    Ok(ExitCode::from(verdict(mismatch.is_some(), summary.interrupted, failures.into_iter().flatten())))
}

/// Prints what failed and chooses the exit code: that the builds of the RTL disagree counts most, then a mismatch, then the first
/// failure.
fn verdict(mismatch: bool, interrupted: bool, failures: impl Iterator<Item = Failure>) -> u8 {
    let mut code = if interrupted { exit::INTERRUPTED } else { 0 };
    for (place, failure) in failures.enumerate() {
        failure.report();
        if place == 0 || failure.code() == exit::BUILDS {
            code = failure.code();
        }
    }
    if mismatch && code != exit::BUILDS { exit::MISMATCH } else { code }
}

fn numbers(run: &dyn Run, time: Duration) -> Summary {
    let seconds = time.as_secs_f64();
    Summary {
        instructions: run.visited().instructions(),
        cycles: run.cycles(),
        seconds,
        mcycles_per_second: run.cycles() as f64 / 1e6 / seconds.max(1e-9),
        ..Summary::default()
    }
}

/// Runs again with waves, if asked. The traced RTL checks assertions, which may be the first to find something.
fn write_waves(args: &CosimArgs, plan: &Plan, mismatch: &mut Option<MismatchReport>) -> Result<(), Failure> {
    let (Some(path), Engine::Lockstep) = (&args.waves, args.engine) else { return Ok(()) };
    match mismatch {
        Some(mismatch) => waves::around_mismatch(plan, mismatch.cycle(), path),
        None => {
            *mismatch = waves::of_beginning(plan, path)?;
            Ok(())
        }
    }
}

/// A line for people. A closed standard error cannot be helped.
fn tell(text: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mismatch_counts_most_then_the_first_failure_then_the_interrupt() {
        let usage = || Failure::option("wrong", "do it right");
        let disk = || {
            let error = io::ErrorKind::StorageFull.into();
            Failure::from(sim_harness::report::OutputError { path: "x".into(), error })
        };
        assert_eq!(verdict(false, false, [].into_iter()), 0);
        assert_eq!(verdict(false, true, [].into_iter()), exit::INTERRUPTED);
        assert_eq!(verdict(false, true, [disk(), usage()].into_iter()), exit::IO);
        assert_eq!(verdict(false, false, [usage(), disk()].into_iter()), exit::USAGE);
        assert_eq!(verdict(true, true, [disk()].into_iter()), exit::MISMATCH);
        let builds = || Failure::builds(std::io::Error::other("not alike"));
        assert_eq!(verdict(true, true, [disk(), builds(), usage()].into_iter()), exit::BUILDS);
    }
}
