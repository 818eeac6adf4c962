//! File of records, one JSON object per line.

use super::output::{Output, OutputError};
use serde::Serialize;
use std::io::{self, Write};

/// Writes records as JSON Lines during a run, in bounded memory. Without a file it discards them.
#[derive(Debug, Default)]
pub struct JsonLines {
    output: Option<Output>,
    failure: Option<io::Error>,
}

impl JsonLines {
    /// Writes to this file, if there is one.
    #[must_use]
    pub fn new(output: Option<Output>) -> Self {
        Self { output, failure: None }
    }

    /// Appends a line; it is made only if there is a file. After a failure the run goes on for its other results: the file is lost
    /// and [`commit`](Self::commit) complains.
    #[inline]
    pub fn push<T: Serialize>(&mut self, line: impl FnOnce() -> T) {
        if let (Some(output), None) = (&mut self.output, &self.failure) {
            self.failure = write(output, &line()).err();
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If a line could not be written, or the file not completed.
    pub fn commit(self) -> Result<(), OutputError> {
        match (self.output, self.failure) {
            (Some(output), Some(failure)) => Err(output.error(failure)),
            (Some(output), None) => output.commit(),
            (None, _) => Ok(()),
        }
    }
}

fn write(output: &mut Output, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, line)?;
    output.write_all(b"\n")
}
