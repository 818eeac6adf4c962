//! Capture: runs a user-mode x86-64 program under QEMU and writes what it retires into a
//! [capture file](crate::trace::capture_file).
//!
//! QEMU's user-mode emulation with a TCG plugin gives every executed instruction and the address of
//! every load and store, at tens of millions of instructions a second and without privileges. What instruction
//! it is, and where its loads and stores are merged from, the decoder says ([`instruction`]). Privilege level,
//! latencies and predictions are not known: the program runs in user mode, and the rest is the job of
//! a [front end](crate::frontend).
//!
//! Only the program's first thread is recorded; instructions of others are counted and told. A
//! program that forks is followed in the parent, one that replaces itself (`execve`) up to that
//! point.
//!
//! A signal is an interruption that leads to its handler. If the instruction before it lacks an access, or is one that can fault
//! (a division, an invalid or privileged one), it is an exception and that instruction has not retired; else an interrupt, whose
//! vector nobody knows and which is given as 0. A signal behind a system call or an indirect branch is not seen: it looks as
//! if that led to the handler. A repeated string instruction is one retirement with all its loads and stores; if a signal comes
//! between its iterations, those before it are left out.

mod assembler;
mod error;
pub mod instruction;
mod mappings;
mod output;
mod plugin;
mod process;
mod program;
mod progress;
mod raw;
mod ring;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assembler::Assembler;
pub use error::CaptureError;
use output::Output;
use process::Traced;
pub use program::Program;
use progress::Progress;
pub use raw::{assemble, parse_mappings};
use ring::Ring;

use crate::trace::capture_file::Header;
use crate::trace::{CaptureWriter, Finished};

/// How long to sleep when the program has written nothing.
const NAP: Duration = Duration::from_micros(500);

/// What to capture, and where to.
#[derive(Clone, Debug, Default)]
pub struct CaptureOptions {
    /// The file to write. One that exists is replaced once the new one is whole.
    pub output: PathBuf,
    /// The program as the user named it, and its arguments.
    pub command: Vec<std::ffi::OsString>,
    /// Number of instructions after which the program is stopped; `None` for no limit.
    pub limit: Option<u64>,
    /// No progress on the terminal.
    pub quiet: bool,
}

/// How a capture ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureEnd {
    /// The program exited with this status.
    Exited(i32),
    /// The program was ended by this signal.
    Killed(i32),
    /// The program replaced itself by another one, which is not in the trace.
    Replaced,
    /// The limit was reached and the program stopped.
    Limit,
    /// The user asked to stop.
    Interrupted,
}

impl std::fmt::Display for CaptureEnd {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited(status) => write!(formatter, "the program exited with status {status}"),
            Self::Killed(signal) => write!(formatter, "the program was ended by signal {signal}"),
            Self::Replaced => formatter.write_str("the program replaced itself by another one, which is not traced"),
            Self::Limit => formatter.write_str("the limit was reached and the program stopped"),
            Self::Interrupted => formatter.write_str("interrupted, the program was stopped"),
        }
    }
}

/// What a capture yielded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureSummary {
    /// Instructions in the file.
    pub instructions: u64,
    /// Transfers of control among them.
    pub branches: u64,
    /// Their loads.
    pub loads: u64,
    /// Loads left out of instructions that have too many.
    pub loads_left_out: u64,
    /// Instructions of other threads, not in the file.
    pub other_threads: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// How it ended.
    pub end: CaptureEnd,
}

/// Captures a program. Stores to `stop` from elsewhere end it early with a file that is whole.
///
/// # Errors
/// [`CaptureError`] if the program or QEMU cannot be found or run, or the file not be written. The
/// program is then stopped, and a file that existed before is left as it was.
pub fn capture(options: &CaptureOptions, stop: &AtomicBool) -> Result<CaptureSummary, CaptureError> {
    let began = Instant::now();
    let program = Program::find(&options.command)?;
    let output = Output::create(&options.output)?;
    let ring = Ring::create()?;
    let traced = Traced::start(&program, &ring)?;

    let header = Header {
        program: program.path.display().to_string(),
        args: program.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
        writer: concat!("lwp-sim ", env!("CARGO_PKG_VERSION")).to_owned(),
    };
    let cannot_write = |error| CaptureError::write(&options.output, error);
    let writer = CaptureWriter::new(output.file()?, &header).map_err(cannot_write)?;
    let assembler = Assembler::new(writer, options.limit.unwrap_or(u64::MAX));
    let mut session = Session { options, ring, traced, assembler, progress: Progress::new(options.quiet) };
    let end = session.run(stop)?;

    let Session { ring, assembler, .. } = session;
    let (other_threads, mappings) = (ring.other_threads()?, ring.mappings());
    let writer = assembler.into_writer();
    let Finished { trailer, bytes, .. } =
        writer.finish(&end.to_string(), other_threads, mappings).map_err(cannot_write)?;
    output.publish()?;
    Ok(CaptureSummary {
        instructions: trailer.instructions,
        branches: trailer.branches,
        loads: trailer.loads,
        loads_left_out: trailer.loads_left_out,
        other_threads,
        bytes,
        time: began.elapsed(),
        end,
    })
}

/// A running capture.
struct Session<'a, W: std::io::Write> {
    options: &'a CaptureOptions,
    ring: Ring,
    traced: Traced,
    assembler: Assembler<W>,
    progress: Progress,
}

impl<W: std::io::Write> Session<'_, W> {
    /// Takes what the program does until it, the limit or the user ends it.
    fn run(&mut self, stop: &AtomicBool) -> Result<CaptureEnd, CaptureError> {
        loop {
            // Asked first: what was written before the end is then certainly read after it.
            let status = self.traced.poll()?;
            let took = self.take()?;
            if self.assembler.is_full() {
                self.traced.stop()?;
                return Ok(CaptureEnd::Limit);
            }
            if stop.load(Ordering::Relaxed) {
                self.traced.stop()?;
                while self.take()? {}
                return Ok(CaptureEnd::Interrupted);
            }
            if took {
                self.progress.show(self.assembler.instructions());
                continue;
            }
            let Some(end) = status else {
                std::thread::sleep(NAP);
                continue;
            };
            if !self.ring.was_connected()? {
                return Err(CaptureError::PluginRefused { end: end.to_string() });
            }
            self.finish_last()?;
            return Ok(if self.ring.was_replaced()? { CaptureEnd::Replaced } else { end });
        }
    }

    /// Takes what is in the ring; false if that is nothing.
    fn take(&mut self) -> Result<bool, CaptureError> {
        let words = self.ring.read()?;
        if words.is_empty() {
            return Ok(false);
        }
        let taken = self.assembler.take(words);
        let count = taken.map_err(|error| error.in_file(&self.options.output))?;
        self.ring.consume(count)?;
        Ok(count > 0)
    }

    fn finish_last(&mut self) -> Result<(), CaptureError> {
        self.assembler.finish().map_err(|error| error.in_file(&self.options.output))
    }
}
