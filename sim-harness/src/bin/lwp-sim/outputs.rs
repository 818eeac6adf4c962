//! The files that a run writes.

use super::cosim_args::CosimArgs;
use super::exit::Failure;
use super::plan::Plan;
use sim_harness::lwp::world::GuestMemory;
use sim_harness::report::{Output, OutputError, Summary};
use std::io::{self, Write};
use std::path::PathBuf;

/// Files that are begun before the run, so that a wrong path does not cost one.
#[derive(Debug)]
pub(crate) struct Outputs {
    json: Option<Output>,
    lwpcb: Option<Output>,
    buffer: Option<Output>,
    /// Standard output is taken by one of them.
    stdout_taken: bool,
}

impl Outputs {
    /// Begins all files; that of the records is returned apart, as it is written during the run.
    pub(crate) fn create(args: &CosimArgs) -> Result<(Self, Option<Output>), Failure> {
        let paths = [&args.json, &args.records, &args.dump_lwpcb, &args.dump_buffer, &args.waves, &args.capsule]
            .map(Option::as_ref);
        let paths: Vec<&PathBuf> = paths.into_iter().flatten().collect();
        let same =
            |one: &PathBuf, other: &PathBuf| one == other || (Output::is_stdout(one) && Output::is_stdout(other));
        for (at, path) in paths.iter().enumerate() {
            let null = path.as_os_str() == "/dev/null";
            if !null && paths[..at].iter().any(|earlier| same(earlier, path)) {
                let message = format!("two outputs go to `{}`", path.display());
                return Err(Failure::option(&message, "give each its own file"));
            }
        }
        let create = |path: &Option<PathBuf>| path.as_deref().map(Output::create).transpose();
        let outputs = Self {
            json: create(&args.json)?,
            lwpcb: create(&args.dump_lwpcb)?,
            buffer: create(&args.dump_buffer)?,
            stdout_taken: paths.iter().any(|path| Output::is_stdout(path)),
        };
        Ok((outputs, create(&args.records)?))
    }

    /// Writes the dumps, and the summary: for programs as JSON, for people to standard output, or to standard error if
    /// standard output is taken. Every file is tried; the first failure is returned.
    pub(crate) fn write(
        self,
        plan: &Plan,
        memory: &GuestMemory,
        summary: &Summary,
        quiet: bool,
    ) -> Result<(), Failure> {
        let bytes = |address, length| {
            let mut bytes = vec![0; length];
            memory.read(address, &mut bytes);
            bytes
        };
        let setup = &plan.setup;
        let dump = |output: Option<Output>, address, length| {
            output.map_or(Ok(()), |output| output.write_whole(&bytes(address, length)))
        };
        let block = dump(self.lwpcb, setup.block(), setup.lwpcb_bytes());
        let buffer = dump(self.buffer, setup.buffer(), setup.image.size.buffer_size() as usize);
        let json = self.json.map_or(Ok(()), |output| {
            let mut text = serde_json::to_vec_pretty(summary).expect("a summary is plain data");
            text.push(b'\n');
            output.write_whole(&text)
        });
        let shown = if quiet { Ok(()) } else { show(summary, self.stdout_taken) };
        block.and(buffer).and(json)?;
        shown
    }
}

fn show(summary: &Summary, stdout_taken: bool) -> Result<(), Failure> {
    let text = summary.to_string();
    let (done, name) = if stdout_taken {
        (io::stderr().write_all(text.as_bytes()), "/dev/stderr")
    } else {
        let mut stdout = io::stdout().lock();
        (stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()), "/dev/stdout")
    };
    match done {
        // Whoever closed the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(OutputError { path: name.into(), error }.into()),
        Ok(()) => Ok(()),
    }
}
