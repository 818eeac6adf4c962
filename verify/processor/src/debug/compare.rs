//! One program on both.

use super::calibrate::Facts;
use super::event::{Event, line};
use super::processor::Processor;
use super::program::Program;
use super::unit;
use crate::child::ChildError;

/// What a comparison found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The stops of both.
    pub stops: Vec<Event>,
    /// They were alike in a further run only: an interrupt of this machine, or of the one below it, had come between.
    pub disturbed: bool,
}

/// Runs of the processor, one of which has to be the unit's.
const TRIES: usize = 4;

/// Runs a program on processor, model and RTL, and compares the stops.
///
/// # Errors
///
/// The two lists, if they differ in every try; the first cycle in which model and RTL differ; or why the processor gave no answer.
pub fn compare(processor: &mut Processor, facts: &Facts, program: &Program) -> Result<Compared, String> {
    let unit = unit::run(program, facts)?;
    let mut seen = Vec::new();
    for attempt in 0..TRIES {
        let run = answered(processor, program)?;
        if run == unit {
            return Ok(Compared { stops: unit, disturbed: attempt > 0 });
        }
        seen = run;
    }
    Err(format!("the processor stops otherwise than the unit\nprocessor: {}\nunit:      {}", line(&seen), line(&unit)))
}

/// The stops on the processor. A child that went astray is replaced.
fn answered(processor: &mut Processor, program: &Program) -> Result<Vec<Event>, String> {
    let result = processor.run(program);
    if let Err(ChildError::Astray(_)) = result {
        processor.renew().map_err(|error| error.to_string())?;
    }
    result.map_err(|error| error.to_string())
}

/// Returns what most of several runs on the processor are, as a line, and the unit's.
///
/// # Errors
///
/// As [`compare`].
pub fn repeated(processor: &mut Processor, facts: &Facts, program: &Program) -> Result<(String, String), String> {
    let unit = line(&unit::run(program, facts)?);
    let mut runs = Vec::new();
    for _ in 0..TRIES + 1 {
        runs.push(line(&answered(processor, program)?));
    }
    let most = runs.iter().max_by_key(|run| runs.iter().filter(|other| other == run).count());
    Ok((most.cloned().unwrap_or_default(), unit))
}
