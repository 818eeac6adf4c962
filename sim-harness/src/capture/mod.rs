//! Capture: runs a user-mode x86-64 program under QEMU and writes the instructions that it retires into a
//! [capture file](crate::traces::capture_file).
//!
//! QEMU's user-mode emulation with a TCG plugin reports every executed instruction and the address of every load and
//! store, at tens of millions of instructions per second and without privileges. The decoder determines the class of
//! each instruction and merges the reported accesses into its loads and stores ([`instruction`]). The privilege level,
//! latencies and predictions are not known: the program runs in user mode, and a [front end](crate::frontend) supplies
//! the rest.
//!
//! Only the program's first thread is recorded; instructions of other threads are counted and reported. If the program
//! forks, the parent is followed. If it replaces itself (`execve`), it is followed up to that point.
//!
//! A signal is recorded as an interruption that leads to its handler. If the instruction before it lacks an access, or
//! is one that can fault (a division, an invalid or privileged instruction), the interruption is an exception, and that
//! instruction has not retired. Otherwise the interruption is an interrupt; its vector is unknown and recorded as 0. A
//! signal after a system call or an indirect branch is not detected: it looks as if that instruction led to the
//! handler. A repeated string instruction is one retirement with all its loads and stores; if a signal arrives between
//! its iterations, the accesses of the earlier iterations are left out.

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

use crate::report::separate;
use crate::traces::capture_file::Header;
use crate::traces::{CaptureWriter, Finished};

/// The time to sleep when the program has written nothing.
const NAP: Duration = Duration::from_micros(500);

/// The program to capture, and the destination.
#[derive(Clone, Debug, Default)]
pub struct CaptureOptions {
    /// The file to write. An existing file is replaced once the new one is complete.
    pub output: PathBuf,
    /// The program as the user named it, and its arguments.
    pub command: Vec<std::ffi::OsString>,
    /// The number of instructions after which the program is stopped; `None` for no limit.
    pub limit: Option<u64>,
    /// Whether to suppress the progress display on the terminal.
    pub quiet: bool,
}

/// The way in which a capture ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureEnd {
    /// The program exited with this status.
    Exited(i32),
    /// The program was ended by this signal.
    Killed(i32),
    /// The program replaced itself by another one, which is not in the trace.
    Replaced,
    /// The limit was reached and the program was stopped.
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

/// The result of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureSummary {
    /// The number of instructions in the file.
    pub instructions: u64,
    /// The number of transfers of control among them.
    pub branches: u64,
    /// The number of their loads.
    pub loads: u64,
    /// The number of loads left out of instructions that have too many.
    pub loads_left_out: u64,
    /// The number of instructions of other threads, which are not in the file.
    pub other_threads: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The wall-clock time.
    pub time: Duration,
    /// The way in which it ended.
    pub end: CaptureEnd,
}

/// Captures a program. A store to `stop` from elsewhere ends the capture early with a complete file.
///
/// # Errors
/// [`CaptureError`] if the program or QEMU cannot be found or run, or if the file cannot be written. The program is
/// then stopped, and an existing file is left unchanged.
pub fn capture(options: &CaptureOptions, stop: &AtomicBool) -> Result<CaptureSummary, CaptureError> {
    let began = Instant::now();
    let program = Program::find(&options.command)?;
    separate(&[&program.path], &[&options.output])?;
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
    /// Records the program's execution until the program, the limit or the user ends it.
    fn run(&mut self, stop: &AtomicBool) -> Result<CaptureEnd, CaptureError> {
        loop {
            // The status is read first: everything that was written before the end is then certainly read after it.
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

    /// Processes the contents of the ring, and returns whether there were any.
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
