//! `lwp-sim capture`: runs a program and writes what it retires.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use indicatif::{HumanBytes, HumanCount};
use miette::{IntoDiagnostic, WrapErr};
use sim_harness::capture::{CaptureEnd, CaptureOptions, CaptureSummary, capture};
use sim_harness::stop::{self, INTERRUPTED};

/// Run a 64-bit x86 Linux program under qemu-user and write a trace of what it retires.
///
/// The trace holds every instruction of the program's first thread, where each branch went, and the
/// address and size of every load. Replay it with `lwp-sim cosim`.
///
/// The exit status is 0 if the trace is whole, whatever the program's own status, which is told;
/// 130 after Ctrl-C or SIGTERM, which stops the program and keeps what was captured; 1 if the capture failed.
#[derive(Args, Clone, Debug)]
pub(crate) struct CaptureArgs {
    /// The trace to write; replaced if it exists, once the new one is whole
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Stop the program after this many instructions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Show neither progress nor summary
    #[arg(short, long)]
    quiet: bool,

    /// The program, looked up in PATH, and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    command: Vec<OsString>,
}

/// Captures, and tells how it went on standard error.
///
/// # Errors
/// Whatever keeps the trace from being whole.
pub(crate) fn run(args: CaptureArgs) -> miette::Result<ExitCode> {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stop);
    stop::on_request(move || seen.store(true, Ordering::Relaxed))
        .into_diagnostic()
        .wrap_err("cannot arrange for Ctrl-C to stop the capture")?;
    let CaptureArgs { output, limit, quiet, command } = args;
    let options = CaptureOptions { output, command, limit, quiet };
    let summary = capture(&options, &stop)?;
    // Programs have been seen to close standard error for everyone: nothing to be done then.
    let _ = tell(&options, &summary, &mut std::io::stderr().lock());
    Ok(match summary.end {
        CaptureEnd::Interrupted => ExitCode::from(INTERRUPTED),
        _ => ExitCode::SUCCESS,
    })
}

/// Writes the summary, or without it only what was out of the ordinary.
fn tell(options: &CaptureOptions, summary: &CaptureSummary, out: &mut impl Write) -> std::io::Result<()> {
    if !options.quiet || !matches!(summary.end, CaptureEnd::Exited(0) | CaptureEnd::Limit) {
        writeln!(out, "capture: {}", summary.end)?;
    }
    if options.quiet {
        return Ok(());
    }
    let seconds = summary.time.as_secs_f64().max(1e-9);
    writeln!(
        out,
        "capture: {} instructions in {seconds:.1} s ({:.1} million a second), {} branches, {} loads",
        HumanCount(summary.instructions),
        summary.instructions as f64 / seconds / 1e6,
        HumanCount(summary.branches),
        HumanCount(summary.loads),
    )?;
    if summary.loads_left_out > 0 {
        let count = HumanCount(summary.loads_left_out);
        writeln!(out, "capture: {count} loads left out of string instructions that have too many")?;
    }
    if summary.other_threads > 0 {
        let count = HumanCount(summary.other_threads);
        writeln!(out, "capture: {count} instructions of other threads are not in the trace")?;
    }
    writeln!(
        out,
        "capture: wrote {} ({}, {:.2} bytes an instruction)",
        options.output.display(),
        HumanBytes(summary.bytes),
        summary.bytes as f64 / summary.instructions.max(1) as f64,
    )
}
