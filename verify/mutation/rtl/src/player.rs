//! A running program with mutants.

use crate::mutant::Mutant;
use crate::mutator::write_numbers;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A mutant that a case has killed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Death {
    pub(crate) number: u32,
    /// The cycle of the case.
    pub(crate) cycle: u64,
    pub(crate) what: String,
}

/// The program; it knows which of its mutants are alive.
#[derive(Debug)]
pub(crate) struct Player {
    child: Child,
    pipe: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Player {
    pub(crate) fn start(program: &Path, mutants: &[Mutant], list: &Path) -> Result<Self, String> {
        write_numbers(mutants, list)?;
        let failed = |error| format!("{}: {error}", program.display());
        let mut command = Command::new(program);
        command.arg(list).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let (pipe, answers) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        let (Some(pipe), Some(answers)) = (pipe, answers) else { return Err("no pipe to the program".into()) };
        Ok(Self { child, pipe, answers })
    }

    /// Plays a case to every mutant that is alive, but not to `dead`, who are from now on. Returns who has died.
    pub(crate) fn play(&mut self, dead: &[u32], case: &[u32]) -> Result<Vec<Death>, String> {
        let words = [dead.len() as u32].into_iter().chain(dead.iter().copied()).chain(case.iter().copied());
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        if let Err(error) = self.pipe.write_all(&bytes).and_then(|()| self.pipe.flush()) {
            return Err(format!("the program with mutants has ended: {error}{}", self.status()));
        }
        let mut deaths = Vec::new();
        let mut line = String::new();
        loop {
            line.clear();
            match self.answers.read_line(&mut line) {
                Ok(0) | Err(_) => return Err(format!("the program with mutants has ended{}", self.status())),
                Ok(_) if line.starts_with("done") => return Ok(deaths),
                Ok(_) => deaths.push(death(&line).ok_or_else(|| format!("the program with mutants says {line}"))?),
            }
        }
    }

    fn status(&mut self) -> String {
        self.child.wait().map_or_else(|error| format!(" ({error})"), |status| format!(" ({status})"))
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // It ends with its input, which is closed after this; it may be in the middle of a case.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn death(line: &str) -> Option<Death> {
    let mut parts = line.split_whitespace();
    let number = parts.next()?.parse().ok()?;
    Some(Death { number, cycle: parts.next()?.parse().ok()?, what: parts.next()?.to_owned() })
}
