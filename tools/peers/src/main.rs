//! The project's lockstep beside other ways to compare the same RTL with the same model, on the same inputs in one run.
//!
//! `make peers` captures the trace, builds the peers and calls this. The book's chapter "Peers" says what the table means.

mod contestant;
mod control;
mod flip;
mod lines;
mod ours;
mod program;
mod rounds;
mod table;
mod versions;
mod work;

use clap::Parser;
use sim_harness::{complain, say};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use work::{Sizes, Work};

/// A control was not noticed.
const UNNOTICED: u8 = 1;
/// The command line, the trace or a peer is at fault.
const FAULT: u8 = 2;

/// Speed of the bare RTL, of this project's lockstep, of a C++ loop, of marlin and of cocotb, all of which but the first compare
/// every output and all state in every cycle.
///
/// Exit codes: 0 all ran, or every control was noticed; 1 a control was not noticed; 2 anything else.
#[derive(Debug, Parser)]
#[command(name = "peers")]
struct Args {
    /// The trace that is played; `tools/scripts/capture-program` makes one
    #[arg(long, value_name = "FILE", default_value = "target/cosim/perl.lwptrace")]
    trace: PathBuf,
    /// Where the peers are built and the recorded inputs go
    #[arg(long, value_name = "FOLDER", default_value = "target/peers")]
    folder: PathBuf,
    /// Fewer cycles and rounds
    #[arg(long)]
    quick: bool,
    /// No speeds: spoil inputs and expected rows, and see that each contestant notices in the right cycle
    #[arg(long)]
    control: bool,
    /// The table as Markdown, for the book
    #[arg(long)]
    markdown: bool,
    /// Only these of the peers that are programs of their own: cpp, marlin, cocotb; or none
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_values = ["cpp", "marlin", "cocotb"],
          value_parser = ["cpp", "marlin", "cocotb", "none"])]
    only: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain!("peers: {error}");
            ExitCode::from(FAULT)
        }
    }
}

fn run(args: &Args) -> Result<u8, Box<dyn Error>> {
    let sizes = match (args.control, args.quick) {
        (true, _) => Sizes::CONTROL,
        (false, true) => Sizes::QUICK,
        (false, false) => Sizes::FULL,
    };
    std::fs::create_dir_all(&args.folder).map_err(|error| format!("{}: {error}", args.folder.display()))?;
    let work = Work::prepare(&args.trace, &args.folder, sizes)?;
    let programs = program::build(&args.folder, &args.only)?;
    if args.control {
        let unnoticed = control::run(&work, &programs)?;
        return Ok(if unnoticed == 0 { 0 } else { UNNOTICED });
    }
    let contestants = contestant::all(&work, &programs);
    let speeds = rounds::play(&contestants, sizes.rounds)?;
    say!("{}", table::render(&work, &contestants, &speeds, args.markdown).trim_end());
    say!("{}", lines::render(&programs, args.markdown)?.trim_end());
    Ok(0)
}
