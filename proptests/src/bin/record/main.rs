//! `record`: what the RTL shows in the cases of the lockstep properties, in one file.

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use proptests::record::{Failed, Runs};
use proptests::unit::{default_name, find};
use recording::Writer;
use sim_harness::say;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Records what the RTL shows in the cases of the lockstep properties, so that a changed model can be compared with it without
/// a build of the RTL.
///
/// The cases are those of a unit's lockstep properties with the same seeds, then those of the long run (`soak`) in their order. Every
/// recorded cycle has been compared with the model as it is.
///
/// Exit codes: 0 recorded; 1 model and RTL differ; 2 wrong use, or the file cannot be written.
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

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Under its own name only when it is whole.
    let default = || Path::new("target/mutants").join(&cli.unit).join("model.recording");
    let output = cli.output.clone().unwrap_or_else(default);
    let part = output.with_extension("part");
    match record(&cli, &output, &part) {
        Ok(Ok((runs, cycles))) => {
            say!("{}: {runs} runs, {cycles} cycles", output.display());
            ExitCode::SUCCESS
        }
        Ok(Err(Failed::Differ(reason))) => {
            eprintln!("error: {reason}; mutants are of use only once the properties hold: run `make test` first");
            ExitCode::from(1)
        }
        Ok(Err(Failed::File(error))) => {
            eprintln!("error: {}: {error}", part.display());
            ExitCode::from(2)
        }
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// The outer error: the command line is wrong.
fn record(cli: &Cli, output: &Path, part: &Path) -> Result<Result<(u32, u64), Failed>, String> {
    let unit = find(&cli.unit)?;
    let runs = Runs { seed: cli.seed, cases: cli.cases, soak: cli.soak };
    let bar = ProgressBar::new(unit.recorded_families() * cli.cases + cli.soak / 1000);
    bar.set_style(
        ProgressStyle::with_template("{bar:40} {percent} % recorded, {eta} to go")
            .unwrap_or(ProgressStyle::default_bar()),
    );
    let all = || {
        if let Some(folder) = part.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut to = Writer::new(BufWriter::with_capacity(1 << 20, File::create(part)?))?;
        unit.record(&mut to, &runs, &|more| bar.inc(more))?;
        let counted = to.finish()?;
        std::fs::rename(part, output)?;
        Ok(counted)
    };
    let result = all();
    bar.finish_and_clear();
    Ok(result)
}
