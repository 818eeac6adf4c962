//! `lwp-sim`: captures programs and runs them through a hardware unit, model and RTL side by side.

mod capsule;
mod capsule_waves;
mod capture;
mod cosim;
mod cosim_args;
mod engines;
mod exit;
mod failure_report;
mod interrupt;
mod outputs;
mod plan;
mod progress;
mod repeat;
mod replay;
mod report;
mod shrink;
mod triage;
mod units;
mod verbs;
mod waves;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

/// Models and Verilated RTL of hardware that profiles programs, fed with the instructions of real ones.
#[derive(Parser)]
#[command(name = "lwp-sim", version, arg_required_else_help = true, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    // The help is that of the arguments.
    Capture(capture::CaptureArgs),
    Cosim(Box<cosim_args::CosimArgs>),
    Replay(replay::ReplayArgs),
    Report(report::ReportArgs),
    Shrink(shrink::ShrinkArgs),
    Triage(triage::TriageArgs),
    Waves(capsule_waves::WavesArgs),
}

const EXAMPLES: &str = "\
Examples:
  lwp-sim capture -o ls.trace -- ls -l          trace a program
  lwp-sim cosim --trace ls.trace                profile it; RTL and model must agree in every bit
  lwp-sim cosim --trace ls.trace --session sim-harness/sessions/example.toml --json -
  lwp-sim replay ls-cycle4711.capsule           a failure that cosim has found, again
  lwp-sim report ls-cycle4711.capsule           why it fails: stage, field, what led there
  lwp-sim shrink ls-cycle4711.capsule           the same failure, smaller
  lwp-sim triage target/capsules                many failures: a line for each bug
  lwp-sim waves ls-cycle4711.capsule            every signal of the RTL around it
  lwp-sim cosim --help                          all options, exit codes, more examples";

fn main() -> ExitCode {
    let matches = verbs::add(Cli::command()).after_long_help(verbs::examples(EXAMPLES)).get_matches();
    if let Some(code) = verbs::run(&matches) {
        return code;
    }
    match Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).command {
        Command::Capture(args) => capture::run(args).unwrap_or_else(|report| {
            exit::complain(&report);
            ExitCode::FAILURE
        }),
        Command::Cosim(args) => cosim::run(&args).unwrap_or_else(|failure| failure.report()),
        Command::Replay(args) => replay::run(&args).unwrap_or_else(|failure| failure.report()),
        Command::Report(args) => report::run(&args).unwrap_or_else(|failure| failure.report()),
        Command::Shrink(args) => shrink::run(&args).unwrap_or_else(|failure| failure.report()),
        Command::Triage(args) => triage::run(&args).unwrap_or_else(|failure| failure.report()),
        Command::Waves(args) => capsule_waves::run(&args).unwrap_or_else(|failure| failure.report()),
    }
}
