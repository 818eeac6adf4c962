//! Hands cases to a program that [`build`](super::build()) made.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

/// Why the program did not play all cases.
#[derive(Debug)]
pub enum PlayerError {
    /// Model and RTL differ: what the program says.
    Differs(String),
    /// Anything else.
    Failed(String),
}

impl From<io::Error> for PlayerError {
    fn from(error: io::Error) -> Self {
        Self::Failed(format!("the RTL with counters: {error}"))
    }
}

/// A running program.
#[derive(Debug)]
pub struct Player {
    child: Child,
    pipe: Option<BufWriter<ChildStdin>>,
}

impl Player {
    /// Starts the program, which writes its counts to `counts` in the end.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(program: &Path, counts: &Path) -> Result<Self, PlayerError> {
        let mut child = Command::new(program).arg(counts).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipe = child.stdin.take().map(|pipe| BufWriter::with_capacity(1 << 16, pipe));
        Ok(Self { child, pipe })
    }

    /// Plays a case, given as its words.
    ///
    /// # Errors
    ///
    /// If the program has ended; [`finish`](Self::finish) says why.
    pub fn play(&mut self, words: &[u32]) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else { return Ok(()) };
        words.iter().try_for_each(|word| pipe.write_all(&word.to_le_bytes()))
    }

    /// Waits for the end.
    ///
    /// # Errors
    ///
    /// If a row did not agree, or the program failed.
    pub fn finish(mut self) -> Result<(), PlayerError> {
        // A program that has ended does not take the rest; its exit code says more.
        let _ = self.pipe.take().map(|mut pipe| pipe.flush());
        let output = self.child.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        match output.status.code() {
            Some(0) => Ok(()),
            Some(1) => Err(PlayerError::Differs(text)),
            _ => Err(PlayerError::Failed(format!("the RTL with counters failed: {}", output.status))),
        }
    }
}
