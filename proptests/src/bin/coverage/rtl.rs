//! `coverage rtl`.

use super::args::RtlArgs;
use super::run::{bar, totals_if_any};
use indicatif::ProgressBar;
use lwp_model::lwp::Lwp;
use proptests::coverage::Campaign;
use proptests::coverage::rtl::{BUILDS, Player, PlayerError, Sizes, build, merge};
use proptests::lwp::bench::{play, play_sequence};
use proptests::lwp::directed;
use proptests::lwp::scenario::{Scenario, Sequence};
use proptests::lwp::steer::Steer;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

pub(crate) fn rtl(args: &RtlArgs) -> Result<ExitCode, String> {
    let programs = BUILDS.map(|sizes| {
        eprintln!("coverage: the RTL with counters, {}: built unless it is up to date", sizes.name);
        build(sizes, &args.folder).map(|program| (sizes, program))
    });
    let programs = programs.into_iter().collect::<Result<Vec<_>, String>>()?;
    let counts = totals_if_any(&args.counts)?;
    let steer = args.counts.exists().then(|| Arc::new(Steer::new(&counts)));
    let bar = bar(&args.common, args.cases * programs.len() as u64);
    let played: Vec<Result<PathBuf, PlayerError>> = thread::scope(|scope| {
        let all: Vec<_> = programs
            .iter()
            .map(|(sizes, program)| {
                let (steer, bar) = (steer.clone(), &bar);
                scope.spawn(move || one(args, *sizes, program, steer, bar))
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
                println!("{what}\nrepeat it with: coverage run --seed {} --cases {}", args.common.seed, args.cases);
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    let merged = args.folder.join("coverage.dat");
    merge(&files, &merged, &args.folder.join("coverage.info"))?;
    println!("{} cases on each of {} builds: {}", args.cases, files.len(), merged.display());
    Ok(ExitCode::SUCCESS)
}

/// Hands one scenario to a build.
fn hand<const W: usize, const S: usize, const LAT: u32>(
    player: &mut Player,
    scenario: &Scenario,
) -> std::io::Result<()> {
    player.play(&scenario.straps, &play::<W, S, LAT>(scenario).0)
}

/// Hands one of the runs made by hand to it.
fn hand_sequence<const W: usize, const S: usize, const LAT: u32>(
    player: &mut Player,
    sequence: &Sequence,
) -> std::io::Result<()> {
    player.play(&sequence.scenario.straps, &play_sequence::<W, S, LAT>(sequence).0)
}

fn one(
    args: &RtlArgs,
    sizes: Sizes,
    program: &Path,
    steer: Option<Arc<Steer>>,
    bar: &ProgressBar,
) -> Result<PathBuf, PlayerError> {
    let name = format!("lwp_{}", sizes.name);
    let build = BuildId::from_name(&name).ok_or_else(|| PlayerError::Failed(format!("there is no build {name}")))?;
    with_build!(lwp, build, |U| sized(PhantomData::<U>, args, sizes, program, steer, bar)).expect("a build of lwp")
}

fn sized<const W: usize, const S: usize, const LAT: u32>(
    _: PhantomData<Lwp<W, S, LAT>>,
    args: &RtlArgs,
    sizes: Sizes,
    program: &Path,
    steer: Option<Arc<Steer>>,
    bar: &ProgressBar,
) -> Result<PathBuf, PlayerError> {
    let file = args.folder.join(format!("{}.dat", sizes.name));
    let mut player = Player::start(program, &file)?;
    let (seed, cases) = (args.common.seed, args.cases);
    let campaign = Campaign { seed, first: 0, cases, round: None, threads: 1, lockstep: false };
    if directed::all().iter().any(|directed| hand_sequence::<W, S, LAT>(&mut player, &directed.sequence).is_err()) {
        player.finish()?;
        return Ok(file);
    }
    for number in 0..cases {
        let (_, scenario) = campaign.scenario(number, steer.clone());
        if hand::<W, S, LAT>(&mut player, &scenario).is_err() {
            break;
        }
        bar.inc(1);
    }
    player.finish()?;
    Ok(file)
}
