//! `coverage run` and `coverage merge`.

use super::STOPPED;
use super::args::{Common, RunArgs};
use indicatif::{ProgressBar, ProgressStyle};
use proptests::coverage::{Campaign, Claims, Failure, Layout, Totals};
use proptests::lwp::steer;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, String> {
    let campaign = campaign(args);
    if let Some(number) = args.case {
        return explain(args, &campaign, number);
    }
    let read = |path: &Path| if args.fresh { Ok(Totals::default()) } else { totals_if_any(path) };
    let before = read(&args.counts)?;
    ctrlc::set_handler(|| STOPPED.store(true, Ordering::Relaxed)).map_err(|error| error.to_string())?;
    let bar = bar(&args.common, args.cases);
    let outcome = campaign.play(&before, &|done, met| {
        show(&bar, done, met);
        !STOPPED.load(Ordering::Relaxed)
    });
    bar.finish_and_clear();
    let met = match outcome {
        Ok(met) => met,
        Err(failure) => return failed(args, &failure),
    };
    if args.fresh && args.counts.exists() {
        std::fs::remove_file(&args.counts).map_err(|error| format!("{}: {error}", args.counts.display()))?;
    }
    let all = met.add_to(&args.counts).map_err(|why| format!("{}: {why}", args.counts.display()))?;
    println!("{} cases, {} cycles; in all {} cases, {} cycles", met.runs, met.cycles, all.runs, all.cycles);
    println!("bins met: {} of {} that can be", all.hit(), Claims::get().reachable());
    println!("counts: {}", args.counts.display());
    if disproved(&all) {
        return Ok(ExitCode::FAILURE);
    }
    Ok(if STOPPED.load(Ordering::Relaxed) { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

fn campaign(args: &RunArgs) -> Campaign {
    Campaign {
        seed: args.common.seed,
        first: 0,
        cases: args.cases,
        round: (!args.unsteered).then_some(args.common.round),
        threads: args.common.jobs(),
        lockstep: !args.model_only,
    }
}

/// The counts of a file; none if there is no file.
pub(crate) fn totals_if_any(path: &Path) -> Result<Totals, String> {
    if !path.exists() {
        return Ok(Totals::default());
    }
    Totals::read(path).map_err(|why| format!("{}: {why}", path.display()))
}

pub(crate) fn bar(common: &Common, cases: u64) -> ProgressBar {
    let bar = if common.quiet { ProgressBar::hidden() } else { ProgressBar::new(cases) };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} cases, {eta} left, {msg}") {
        bar.set_style(style);
    }
    bar
}

pub(crate) fn show(bar: &ProgressBar, done: u64, met: &Totals) {
    bar.set_position(bar.position().max(done));
    bar.set_message(format!("{} bins met", met.hit()));
}

/// Says which claims the counts disprove; whether there are any.
pub(crate) fn disproved(totals: &Totals) -> bool {
    let (layout, claims) = (Layout::get(), Claims::get());
    let wrong = claims.disproved(&totals.counts);
    for bin in &wrong {
        let why = claims.about(*bin).map_or("", |claim| &claim.reason);
        let times = totals.counts[layout.place(*bin)];
        println!("met {times} times, though proptests/coverage/unreachable.toml says \"{why}\": {}", layout.name(*bin));
    }
    !wrong.is_empty()
}

fn failed(args: &RunArgs, failure: &Failure) -> Result<ExitCode, String> {
    println!("case {} of seed {} fails: {}", failure.number, args.common.seed, failure.reason);
    let steered = match &failure.steered_by {
        None => " --unsteered".to_owned(),
        Some(totals) => {
            let folder = args.counts.parent().unwrap_or(Path::new("."));
            let path = steer::save(totals, folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            format!(" --steer {}", path.display())
        }
    };
    println!("shrink and repeat it with: coverage run --seed {} --case {}{steered}", args.common.seed, failure.number);
    Ok(ExitCode::FAILURE)
}

fn explain(args: &RunArgs, campaign: &Campaign, number: u64) -> Result<ExitCode, String> {
    let steer = match &args.steer {
        Some(path) => Some(Arc::new(steer::read(path)?)),
        None if args.unsteered => None,
        None => return Err("--case needs --steer FILE, or --unsteered".to_owned()),
    };
    let explained = campaign.explain(number, steer);
    println!("{}", explained.as_deref().unwrap_or("the case passes"));
    Ok(if explained.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(crate) fn merge(files: &[PathBuf], out: &Path) -> Result<ExitCode, String> {
    let mut all = Totals::default();
    for file in files {
        all.merge(&Totals::read(file).map_err(|why| format!("{}: {why}", file.display()))?);
    }
    all.write(out).map_err(|error| format!("{}: {error}", out.display()))?;
    println!("{} cases, {} cycles, {} bins met: {}", all.runs, all.cycles, all.hit(), out.display());
    Ok(if disproved(&all) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
