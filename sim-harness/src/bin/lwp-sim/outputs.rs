//! The files that a run writes.

use super::cosim_args::CosimArgs;
use super::exit::Failure;
use sim_harness::report::{Output, OutputError, Summary, print, separate};
use std::path::{Path, PathBuf};

/// Files that are begun before the run, so that a wrong path does not cost one.
#[derive(Debug)]
pub(crate) struct Outputs {
    json: Option<Output>,
    /// By the name of the option.
    dumps: Vec<(&'static str, Output)>,
    /// Standard output is taken by one of them.
    stdout_taken: bool,
}

impl Outputs {
    /// Begins all files; that of the records is returned apart, as it is written during the run.
    pub(crate) fn create(args: &CosimArgs) -> Result<(Self, Option<Output>), Failure> {
        let paths = [&args.json, &args.records, &args.waves, &args.capsule].map(Option::as_ref);
        let dumps = args.dumps.iter().map(|(_, path)| path);
        let paths: Vec<&Path> = paths.into_iter().flatten().chain(dumps).map(PathBuf::as_path).collect();
        let inputs: Vec<&Path> =
            [Some(&args.trace), args.session.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        separate(&inputs, &paths)?;
        let create = |path: &Option<PathBuf>| path.as_deref().map(Output::create).transpose();
        let outputs = Self {
            json: create(&args.json)?,
            dumps: args
                .dumps
                .iter()
                .map(|(option, path)| Ok((option, Output::create(path)?)))
                .collect::<Result<_, OutputError>>()?,
            stdout_taken: paths.iter().any(|path| Output::is_stdout(path)),
        };
        Ok((outputs, create(&args.records)?))
    }

    /// The options of the dumps that are asked for.
    pub(crate) fn dumps(&self) -> Vec<&'static str> {
        self.dumps.iter().map(|(option, _)| *option).collect()
    }

    /// Writes the dumps, and the summary: for programs as JSON, for people to standard output, or to standard error if
    /// standard output is taken. Every file is tried; the first failure is returned.
    pub(crate) fn write(
        self,
        dumps: &[(&'static str, Vec<u8>)],
        summary: &Summary,
        quiet: bool,
    ) -> Result<(), Failure> {
        let bytes = |option| dumps.iter().find(|(other, _)| *other == option).map_or(&[][..], |(_, bytes)| bytes);
        let dump = |(option, output): (_, Output)| output.write_whole(bytes(option));
        // All are tried.
        let dumped: Vec<_> = self.dumps.into_iter().map(dump).collect();
        let dumped = dumped.into_iter().collect::<Result<(), _>>();
        let json = self.json.map_or(Ok(()), |output| {
            let mut text = serde_json::to_vec_pretty(summary).expect("a summary is plain data");
            text.push(b'\n');
            output.write_whole(&text)
        });
        let shown = if quiet { Ok(()) } else { print(&summary.to_string(), self.stdout_taken) };
        Ok(dumped.and(json).and(shown)?)
    }
}
