//! Writes the seeds of the corpora: `cargo run --release -p fuzz-inputs`. With `--targets` it names the targets.

use fuzz_inputs::TARGETS;
use fuzz_inputs::seeds::seeds;
use sim_harness::{complain, say};
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    if env::args().nth(1).as_deref() == Some("--targets") {
        TARGETS.iter().for_each(|target| say!("{}", target.name));
        return ExitCode::SUCCESS;
    }
    match write() {
        Ok(count) => {
            say!("{count} seeds written to verify/fuzz/corpus");
            ExitCode::SUCCESS
        }
        Err(error) => {
            complain!("fuzz-corpus: cannot write to verify/fuzz/corpus: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write() -> io::Result<usize> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    let seeds = seeds();
    for seed in &seeds {
        let folder = corpus.join(seed.target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(seed.name), &seed.bytes)?;
    }
    Ok(seeds.len())
}
