//! `record`: what the RTL shows in the cases of the lockstep properties, in one file.

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use lwp_model::lwp::{Config, Lwp};
use proptests::lockstep::shown_by_rtl;
use proptests::lwp::bench::{Recording, play, play_noise};
use proptests::lwp::scenario::{Scenario, noise, scenario};
use proptests::runner::draw;
use proptests::soak::Case;
use recording::Writer;
use sim_harness::rtl::BuildId;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Records what the RTL shows in the cases of the lockstep properties, so that a changed model can be held against it without
/// a build of the RTL.
///
/// The cases are those of `lockstep::four_lanes_agree`, `one_lane_agrees` and `noise_agrees` with the same seeds, then those of
/// the long run (`soak`) in their order. Every recorded cycle has been compared with the model as it is.
///
/// Exit codes: 0 recorded; 1 model and RTL differ; 2 wrong use, or the file cannot be written.
#[derive(Parser)]
#[command(name = "record", version, max_term_width = 110)]
struct Cli {
    /// Where the recording goes
    #[arg(short, long, default_value = "target/mutants/model.recording")]
    output: PathBuf,
    /// Cases of each property
    #[arg(long, default_value_t = 2000)]
    cases: u64,
    /// Seed of the first case
    #[arg(long, default_value_t = 2007)]
    seed: u64,
    /// Cycles of the long run's cases that follow
    #[arg(long, default_value_t = 3_000_000)]
    soak: u64,
}

enum Failed {
    Differ(String),
    File(io::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

type Output = Writer<BufWriter<File>>;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Under its own name only when it is whole.
    let part = cli.output.with_extension("part");
    match record(&cli, &part) {
        Ok((runs, cycles)) => {
            println!("{}: {runs} runs, {cycles} cycles", cli.output.display());
            ExitCode::SUCCESS
        }
        Err(Failed::Differ(reason)) => {
            eprintln!("error: {reason}; mutants are of use only once the properties hold: run `make test` first");
            ExitCode::from(1)
        }
        Err(Failed::File(error)) => {
            eprintln!("error: {}: {error}", part.display());
            ExitCode::from(2)
        }
    }
}

fn record(cli: &Cli, part: &Path) -> Result<(u32, u64), Failed> {
    if let Some(folder) = part.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut to = Writer::new(BufWriter::with_capacity(1 << 20, File::create(part)?))?;
    let bar = ProgressBar::new(3 * cli.cases + cli.soak / 1000);
    bar.set_style(
        ProgressStyle::with_template("{bar:40} {percent} % recorded, {eta} to go")
            .unwrap_or(ProgressStyle::default_bar()),
    );
    let seeds = || bar.wrap_iter(cli.seed..cli.seed + cli.cases);
    for seed in seeds() {
        whole::<4, 8, 31>(&mut to, "four_lanes_agree", seed, BuildId::LwpW4, &draw(seed, &scenario(120)))?;
    }
    for seed in seeds() {
        whole::<1, 3, 10>(&mut to, "one_lane_agrees", seed, BuildId::LwpW1, &draw(seed, &scenario(120)))?;
    }
    for seed in seeds() {
        let (straps, cycles) = draw(seed, &noise());
        let recording = play_noise(&straps, &cycles).map_err(Failed::Differ)?;
        run::<4, 8, 31>(&mut to, "noise_agrees", seed, BuildId::LwpW4, &straps, &recording)?;
    }
    soak(cli, &mut to, &bar)?;
    let counted = to.finish()?;
    std::fs::rename(part, &cli.output)?;
    bar.finish_and_clear();
    Ok(counted)
}

/// The first cases of the long run.
fn soak(cli: &Cli, to: &mut Output, bar: &ProgressBar) -> Result<(), Failed> {
    let builds: Vec<_> = BuildId::of_unit("lwp").collect();
    let before = to.cycles();
    for number in 0.. {
        let done = to.cycles() - before;
        bar.set_position(3 * cli.cases + done / 1000);
        if done >= cli.soak {
            break;
        }
        let case = Case { seed: cli.seed, number };
        let scenario = case.scenario();
        match case.build(&builds) {
            BuildId::LwpW4 => whole::<4, 8, 31>(to, "soak", number, BuildId::LwpW4, &scenario)?,
            BuildId::LwpW1 => whole::<1, 3, 10>(to, "soak", number, BuildId::LwpW1, &scenario)?,
            #[allow(unreachable_patterns, reason = "with all sizes there are more, which the replay does not have")]
            _ => {}
        }
    }
    Ok(())
}

fn whole<const W: usize, const S: usize, const LAT: u32>(
    to: &mut Output,
    name: &str,
    seed: u64,
    build: BuildId,
    scenario: &Scenario,
) -> Result<(), Failed> {
    let (recording, _) = play::<W, S, LAT>(scenario);
    run::<W, S, LAT>(to, name, seed, build, &scenario.straps, &recording)
}

fn run<const W: usize, const S: usize, const LAT: u32>(
    to: &mut Output,
    name: &str,
    seed: u64,
    build: BuildId,
    straps: &Config,
    recording: &Recording<W>,
) -> Result<(), Failed> {
    let rows = shown_by_rtl::<Lwp<W, S, LAT>>(build, straps, recording)
        .map_err(|reason| Failed::Differ(format!("{name}, seed {seed}: {reason}")))?;
    to.run::<Lwp<W, S, LAT>>((name, seed), &[W as u32, S as u32, LAT], straps, &rows)?;
    Ok(())
}
