//! `coverage run` and `coverage merge`.

use super::STOPPED;
use super::args::{Common, RunArgs, counts};
use indicatif::{ProgressBar, ProgressStyle};
use proptests::coverage::{Campaign, Failure, Played, Totals};
use proptests::state_file;
use proptests::unit::{Checks, check_environment, find};
use sim_harness::command::{program, quoted};
use sim_harness::report::separate;
use sim_harness::say;
use sim_harness::stop::{self, INTERRUPTED};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, String> {
    check_environment()?;
    let campaign = campaign(args)?;
    let (unit, counts) = (campaign.unit, counts(campaign.unit, args.counts.as_ref()));
    if let Some(number) = args.case {
        return explain(args, &campaign, number);
    }
    state_file::check(&counts).map_err(|error| format!("{}: {error}", counts.display()))?;
    let before = if args.fresh { Totals::new(unit.layout()) } else { totals_if_any(unit, &counts)? };
    stop::on_request(|| STOPPED.store(true, Ordering::Relaxed)).map_err(|error| error.to_string())?;
    let bar = bar(&args.common, args.cases);
    let outcome = campaign.play(&before, &|done, met| {
        show(&bar, done, met);
        !STOPPED.load(Ordering::Relaxed)
    });
    bar.finish_and_clear();
    let Played { met, sightings } = match outcome {
        Ok(played) => played,
        Err(failure) => return failed(args, &counts, &failure),
    };
    let kept = if args.fresh { met.replace(&counts) } else { met.add_to(&counts) };
    let all = kept.map_err(|why| format!("{}: {why}", counts.display()))?;
    say!("{} cases, {} cycles; in all {} cases, {} cycles", met.runs, met.cycles, all.runs, all.cycles);
    say!("bins met: {} of {} that can be", all.hit(), unit.claims().reachable());
    say!("counts: {}", counts.display());
    let disproved = disproved(unit, &all);
    for sighting in &sightings {
        let name = unit.layout().name(unit.layout().at(sighting.place));
        say!("first met by case {} of seed {}: {name}", sighting.number, args.common.seed);
        let repeat = repeat(args, &counts, sighting.number, sighting.steered_by.as_ref())?;
        say!("see it with: {repeat}");
    }
    if disproved {
        return Ok(ExitCode::FAILURE);
    }
    Ok(if STOPPED.load(Ordering::Relaxed) { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

fn campaign(args: &RunArgs) -> Result<Campaign, String> {
    Ok(Campaign {
        unit: find(&args.common.unit)?,
        seed: args.common.seed,
        first: 0,
        cases: args.cases,
        round: (!args.unsteered).then_some(args.common.round),
        threads: args.common.jobs(),
        lockstep: !args.model_only,
    })
}

/// The counts of a file; none if there is no file.
pub(crate) fn totals_if_any(unit: &dyn Checks, path: &Path) -> Result<Totals, String> {
    if !path.exists() {
        return Ok(Totals::new(unit.layout()));
    }
    Totals::read(unit.layout(), path).map_err(|why| format!("{}: {why}", path.display()))
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
pub(crate) fn disproved(unit: &dyn Checks, totals: &Totals) -> bool {
    let (layout, claims) = (unit.layout(), unit.claims());
    let wrong = claims.disproved(&totals.counts);
    for bin in &wrong {
        let why = claims.about(*bin).map_or("", |claim| &claim.reason);
        let times = totals.counts[layout.place(*bin)];
        say!("met {times} times, though {} says \"{why}\": {}", claims.file, layout.name(*bin));
    }
    !wrong.is_empty()
}

fn failed(args: &RunArgs, counts: &Path, failure: &Failure) -> Result<ExitCode, String> {
    say!("case {} of seed {} fails: {}", failure.number, args.common.seed, failure.reason);
    let repeat = repeat(args, counts, failure.number, failure.steered_by.as_ref())?;
    say!("shrink and repeat it with: {repeat}");
    Ok(ExitCode::FAILURE)
}

/// The command that plays one case again; the counts that steered it are kept for it.
fn repeat(args: &RunArgs, counts: &Path, number: u64, steered_by: Option<&Totals>) -> Result<String, String> {
    let steered = match steered_by {
        None => " --unsteered".to_owned(),
        Some(totals) => {
            let folder = counts.parent().unwrap_or(Path::new("."));
            let path = totals.save_to_steer(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            format!(" --steer {}", quoted(&path))
        }
    };
    let (program, Common { unit, seed, .. }) = (program(), &args.common);
    Ok(format!("{program} run --unit {unit} --seed {seed} --case {number}{steered}"))
}

fn explain(args: &RunArgs, campaign: &Campaign, number: u64) -> Result<ExitCode, String> {
    let steer = match &args.steer {
        Some(path) => Some(Totals::read_to_steer(campaign.unit.layout(), path)?),
        None if args.unsteered => None,
        None => return Err("--case needs --steer FILE, or --unsteered".to_owned()),
    };
    let explained = campaign.explain(number, steer.as_ref());
    if let Some(explained) = explained {
        say!("{explained}");
        return Ok(ExitCode::FAILURE);
    }
    let (layout, claims) = (campaign.unit.layout(), campaign.unit.claims());
    let met = campaign.sightings(number, steer.as_ref())?;
    for &place in &met {
        let why = claims.about(layout.at(place)).map_or("", |claim| &claim.reason);
        say!("met, though {} says \"{why}\": {}", claims.file, layout.name(layout.at(place)));
    }
    if met.is_empty() {
        say!("the case passes");
    }
    Ok(if met.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(crate) fn merge(unit: &str, files: &[PathBuf], out: &Path) -> Result<ExitCode, String> {
    let unit = find(unit)?;
    let inputs: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    separate(&inputs, &[out]).map_err(|clash| format!("{clash}; give it another name with --out"))?;
    let mut all = Totals::new(unit.layout());
    for file in files {
        all.merge(&Totals::read(unit.layout(), file).map_err(|why| format!("{}: {why}", file.display()))?);
    }
    all.write(out).map_err(|error| format!("{}: {error}", out.display()))?;
    say!("{} cases, {} cycles, {} bins met: {}", all.runs, all.cycles, all.hit(), out.display());
    Ok(if disproved(unit, &all) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
