//! Runs a machine with the performance counters, and gives its events to the checker.

use super::variants::Variant;
use crate::build::Places;
use crate::failure::Failure;
use crate::image::Program;
use crate::say::say;
use crate::simulation::{self, Ended};
use ibex::counters::{Checker, Totals};
use ibex::trace::Event;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Cycles after which a run is ended: several times what the longest one takes.
const LIMIT: u32 = 10_000_000;

/// What a run showed.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// What the checker counted and found.
    pub(crate) totals: Totals,
    /// Cycles in which the model was compared, and no difference.
    pub(crate) lockstep: u64,
    /// What the simulation printed, if it was ended by the model or an assertion.
    pub(crate) stopped: Option<String>,
}

/// Runs a variant on its machine, calls `each` for every event and checks it.
pub(crate) fn variant(
    machine: &Path,
    program: &Program,
    variant: &Variant,
    mut each: impl FnMut(Event),
) -> Result<Outcome, Failure> {
    let symbols = [("parameters", &variant.parameters()[..]), ("counting", &variant.counting()[..])];
    let image = program.image_with(variant.name, &symbols)?;
    let mut command = Command::new(machine);
    command.arg(format!("+image={}", image.display())).arg(format!("+every={}", variant.every));
    command.arg(format!("+personality={}", variant.personality())).arg(format!("+limit={LIMIT}"));
    let mut checker = Checker::new(variant.setup(program)?);
    let Ended { lockstep, stopped } = simulation::run(&mut command, |event| {
        each(event);
        checker.event(event);
    })?;
    Ok(Outcome { totals: checker.finish(), lockstep, stopped })
}

/// Writes the events of a short run to a file, from the first access to the unit on, and prints the setup of its checker.
pub(crate) fn record(places: &Places, folder: &Path) -> Result<(), Failure> {
    let recorded = Variant::recorded();
    let program = Program::compile_with(places, Some("perf"))?;
    let setup = recorded.setup(&program)?;
    let mut bytes = Vec::new();
    let outcome = variant(&recorded.machine.make(places)?, &program, &recorded, |event| {
        if !bytes.is_empty() || matches!(event, Event::Unit(_)) {
            bytes.extend_from_slice(&event.encode());
        }
    })?;
    let file = folder.join("perf.trace");
    fs::write(&file, bytes).map_err(Failure::at(&file))?;
    say!("{} {setup:#x?}, differences: {}", recorded.name, outcome.totals.differences);
    Ok(())
}
