//! `replay`: holds the model against a recording.

use model_replay::replay;
use recording::Reader;
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
Holds the model against the recorded runs of the RTL, up to the first cycle that differs.

Usage: replay RECORDING

Prints one line of JSON: runs and cycles replayed and, if the model differs, in which run, cycle and field.
Exit codes: 0 the model shows what the RTL showed; 1 it differs; 2 wrong use, or the recording is missing, cut or of another version.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = match arguments.as_slice() {
        [help] if help == "--help" || help == "-h" => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        [path] => path,
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    // A panic is a result here, told on one line like any other.
    std::panic::set_hook(Box::new(|_| {}));
    match Reader::open(Path::new(path)).and_then(replay) {
        Ok(outcome) => {
            let (runs, cycles) = (outcome.runs, outcome.cycles);
            let Some(found) = outcome.difference else {
                println!("{{\"runs\":{runs},\"cycles\":{cycles}}}");
                return ExitCode::SUCCESS;
            };
            println!(
                "{{\"runs\":{runs},\"cycles\":{cycles},\"run\":{},\"name\":\"{}\",\"seed\":{},\"cycle\":{},\"field\":\"{}\"}}",
                found.number, found.run.name, found.run.seed, found.cycle, found.field
            );
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
