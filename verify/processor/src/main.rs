//! Compares a unit with the processor of this machine.

use clap::{Parser, ValueEnum};
use std::process::ExitCode;

/// Compare a unit with the processor of this machine
///
/// Random programs run on the processor, in a child under ptrace, and on model and RTL of the unit. What a debugger sees of both is
/// compared: cause, DR6, address and RF of every stop. Needs Linux on x86-64, and no privilege.
///
/// Exit codes: 0 no difference but the known ones; 1 a difference; 2 wrong use, or no comparison is possible here.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Examples:\n  processor --cases 100000\n  processor --seed 4711 --cases 1    one program again"
)]
struct Arguments {
    /// Unit to compare
    #[arg(long, value_enum, default_value = "debug")]
    unit: UnitName,
    /// Random programs
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,
    /// Seed of the first program; the others have the seeds behind it
    #[arg(long, default_value_t = 2007)]
    seed: u64,
    /// Print one line of JSON instead of the report
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum UnitName {
    /// The debug exceptions
    Debug,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.unit {
        UnitName::Debug => run(&arguments),
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn run(_: &Arguments) -> ExitCode {
    sim_harness::complain!("processor: the debug registers are reached by ptrace: this needs Linux on x86-64");
    ExitCode::from(2)
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn run(arguments: &Arguments) -> ExitCode {
    report::debug(arguments)
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod report;
