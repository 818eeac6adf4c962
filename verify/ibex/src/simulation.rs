//! Runs a machine to its end.

use crate::failure::Failure;
use ibex::trace::{self, Event};
use std::path::Path;
use std::process::{Command, Stdio};

/// How a simulation ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Cycles in which the model was compared, and no difference.
    pub(crate) lockstep: u64,
    /// What the simulation printed, if it was ended by the model or an assertion.
    pub(crate) stopped: Option<String>,
}

/// Runs the command of a machine, and calls `each` for every event.
pub(crate) fn run(command: &mut Command, each: impl FnMut(Event)) -> Result<Ended, Failure> {
    let machine = Path::new(command.get_program()).to_owned();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(Failure::at(&machine))?;
    let stream = child.stdout.take().ok_or_else(|| Failure::new("no output of the machine"))?;
    let read = trace::read(stream, each);
    let output = child.wait_with_output().map_err(Failure::at(&machine))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let stopped = !output.status.success() && output.status.code() != Some(3);
    if !stopped {
        read.map_err(Failure::at(&machine))?;
    }
    let lockstep = text.lines().find_map(|line| line.strip_prefix("lockstep: ")?.split(' ').next()?.parse().ok());
    Ok(Ended { lockstep: lockstep.unwrap_or(0), stopped: stopped.then_some(text) })
}
