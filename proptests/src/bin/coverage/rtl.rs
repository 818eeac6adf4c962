//! `coverage rtl`.

use super::args::{RtlArgs, counts, results};
use super::report::places;
use super::run::{bar, totals_if_any};
use indicatif::ProgressBar;
use proptests::coverage::rtl::{Player, PlayerError, RtlClaims, build, merge};
use proptests::coverage::{Campaign, Totals};
use proptests::unit::{Checks, check_environment, find};
use sim_harness::rtl::BuildId;
use sim_harness::{complain, say};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

pub(crate) fn rtl(args: &RtlArgs) -> Result<ExitCode, String> {
    check_environment()?;
    let unit = find(&args.common.unit)?;
    let folder = args.folder.clone().unwrap_or_else(|| results(unit).join("rtl"));
    let programs = BuildId::of_unit(unit.name()).map(|id| {
        complain!("coverage: the RTL with counters, {}: built unless it is up to date", id.name());
        build(id, &folder).map(|program| (id, program))
    });
    let programs = programs.collect::<Result<Vec<_>, String>>()?;
    let counts = counts(unit, args.counts.as_ref());
    let totals = totals_if_any(unit, &counts)?;
    let steer = counts.exists().then_some(&totals);
    let bar = bar(&args.common, args.cases * programs.len() as u64);
    let played: Vec<Result<PathBuf, PlayerError>> = thread::scope(|scope| {
        let all: Vec<_> = programs
            .iter()
            .map(|(id, program)| {
                let work = Work { args, unit, id: *id, steer, bar: &bar };
                let file = folder.join(format!("{}.dat", id.name()));
                scope.spawn(move || work.play(program, file))
            })
            .collect();
        let lost = || Err(PlayerError::Failed("a thread panicked".to_owned()));
        all.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
    });
    bar.finish_and_clear();
    let mut files = Vec::new();
    for outcome in played {
        match outcome {
            Ok(file) => files.push(file),
            Err(PlayerError::Failed(why)) => return Err(why),
            Err(PlayerError::Differs(what)) => {
                let (unit, seed, cases) = (unit.name(), args.common.seed, args.cases);
                say!("{what}\nrepeat it with: coverage run --unit {unit} --seed {seed} --cases {cases}");
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    let merged = folder.join("coverage.dat");
    merge(&files, &merged, &folder.join("coverage.info"))?;
    say!("{} cases on each of {} builds: {}", args.cases, files.len(), merged.display());
    let places = places(&merged)?.ok_or_else(|| format!("{}: verilator_coverage left no counts", merged.display()))?;
    let wrong = RtlClaims::new(&unit.rtl_list())?.wrong(&places);
    wrong.iter().for_each(|line| say!("{line}"));
    Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a build is to play.
struct Work<'a> {
    args: &'a RtlArgs,
    unit: &'static dyn Checks,
    id: BuildId,
    steer: Option<&'a Totals>,
    bar: &'a ProgressBar,
}

impl Work<'_> {
    /// The runs made by hand, then drawn cases; returns the file of the counts.
    fn play(&self, program: &Path, file: PathBuf) -> Result<PathBuf, PlayerError> {
        let mut player = Player::start(program, &file)?;
        let (seed, cases) = (self.args.common.seed, self.args.cases);
        let campaign = Campaign { unit: self.unit, seed, first: 0, cases, round: None, threads: 1, lockstep: false };
        let counter = self.unit.counter(self.steer);
        let drawn = (0..cases).map(|number| {
            self.bar.inc(1);
            counter.words(campaign.of(number).0, self.id)
        });
        for words in self.unit.by_hand(self.id).into_iter().chain(drawn) {
            if player.play(&words).is_err() {
                break;
            }
        }
        player.finish()?;
        Ok(file)
    }
}
