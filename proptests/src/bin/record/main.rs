//! `record`: what the RTL shows in the cases of the lockstep properties, in one file.

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use proptests::record::{Failed, Runs};
use proptests::unit::{Checks, check_environment, default_name, find};
use recording::Writer;
use sim_harness::complain;
use sim_harness::report::{Output, OutputError, folder_of, print};
use sim_harness::stop;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Records what the RTL shows in the cases of the lockstep properties, so that a changed model can be compared with it without
/// a build of the RTL.
///
/// The cases are those of a unit's lockstep properties with the same seeds, then those of the long run (`soak`) in their order. Every
/// recorded cycle has been compared with the model as it is.
///
/// Exit codes: 0 recorded; 1 model and RTL differ; 2 wrong use, or the file cannot be written; 130 Ctrl-C or SIGTERM: nothing is written.
#[derive(Parser)]
#[command(name = "record", version, max_term_width = 110)]
struct Cli {
    /// The unit
    #[arg(long, default_value = default_name())]
    unit: String,
    /// Where the recording goes [default: target/mutants/UNIT/model.recording]
    #[arg(short, long)]
    output: Option<PathBuf>,
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

/// Why nothing is recorded.
enum Ended {
    /// The command line is wrong.
    Usage(String),
    /// Model and RTL differ.
    Differ(String),
    /// The file cannot be written.
    File(OutputError),
}

impl From<OutputError> for Ended {
    fn from(error: OutputError) -> Self {
        Self::File(error)
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let default = || Path::new("target/mutants").join(&cli.unit).join("model.recording");
    let output = cli.output.clone().unwrap_or_else(default);
    match record(&cli, &output) {
        Ok((runs, cycles)) => {
            let told = format!("{}: {runs} runs, {cycles} cycles\n", output.display());
            match print(&told, Output::is_stdout(&output)) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => failed(2, &error.to_string()),
            }
        }
        Err(Ended::Differ(reason)) => {
            failed(1, &format!("{reason}; mutants are of use only once the properties hold: run `make test` first"))
        }
        Err(Ended::File(error)) => failed(2, &error.to_string()),
        Err(Ended::Usage(why)) => failed(2, &why),
    }
}

fn failed(code: u8, why: &str) -> ExitCode {
    complain!("error: {why}");
    ExitCode::from(code)
}

/// Checks the command line, and records.
fn record(cli: &Cli, output: &Path) -> Result<(u32, u64), Ended> {
    let unit = find(&cli.unit).map_err(Ended::Usage)?;
    check_environment().map_err(Ended::Usage)?;
    let cases = unit.recorded_families().saturating_mul(cli.cases);
    if cases == 0 && cli.soak == 0 {
        return Err(Ended::Usage("there is nothing to record: give --cases or --soak more than 0".to_owned()));
    }
    let folder = folder_of(output);
    std::fs::create_dir_all(folder).map_err(|error| OutputError { path: folder.to_owned(), error })?;
    let file = Output::create(output)?;
    clear_away(file.temporary());
    let bar = ProgressBar::new(cases.saturating_add(cli.soak / 1000));
    bar.set_style(
        ProgressStyle::with_template("{bar:40} {percent} % recorded, {eta} to go")
            .unwrap_or(ProgressStyle::default_bar()),
    );
    let runs = Runs { seed: cli.seed, cases: cli.cases, soak: cli.soak };
    let counted = write(unit, &file, &runs, &bar);
    bar.finish_and_clear();
    let counted = counted.map_err(|failed| match failed {
        Failed::Differ(reason) => Ended::Differ(reason),
        Failed::File(error) => Ended::File(file.error(error)),
    })?;
    file.commit()?;
    Ok(counted)
}

/// The file gets its name only when it is whole. A run that is asked to end leaves nothing of it.
fn clear_away(unfinished: Option<&Path>) {
    let unfinished = unfinished.map(Path::to_owned);
    // Fails only if the system has no signals; then Ctrl-C just kills.
    let _ = stop::on_request(move || {
        if let Some(path) = &unfinished {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(stop::INTERRUPTED.into());
    });
}

fn write(unit: &dyn Checks, file: &Output, runs: &Runs, bar: &ProgressBar) -> Result<(u32, u64), Failed> {
    let mut to = Writer::new(BufWriter::with_capacity(1 << 20, file.handle()?))?;
    unit.record(&mut to, runs, &|more| bar.inc(more))?;
    Ok(to.finish()?)
}
