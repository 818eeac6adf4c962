//! Runs a machine and gives its events to the checker.

use crate::build::Places;
use crate::failure::Failure;
use crate::image::Program;
use crate::say::say;
use crate::simulation::{self, Ended};
use crate::variants::Variant;
use ibex::trace::Event;
use ibex::{Checker, Totals};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a run showed.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// What the checker counted and found.
    pub(crate) totals: Totals,
    /// Instructions of user mode at each halfword of the program.
    pub(crate) executed: Vec<u64>,
    /// Cycles in which the model was compared, and no difference.
    pub(crate) lockstep: u64,
    /// What the simulation printed, if it was ended by the model or an assertion.
    pub(crate) stopped: Option<String>,
}

impl Outcome {
    /// Returns whether something was found.
    pub(crate) fn differs(&self) -> bool {
        self.totals.differences != 0 || self.stopped.is_some()
    }
}

fn command(machine: &Path, program: &Program, variant: &Variant, quiet: bool) -> Result<Command, Failure> {
    let image = program.image(variant)?;
    let mut command = Command::new(machine);
    command.arg(format!("+image={}", image.display())).arg(format!("+every={}", variant.every));
    command.arg(format!("+unit-every={}", variant.unit_every));
    if quiet {
        command.arg("+quiet");
    }
    Ok(command)
}

/// Runs a variant on its machine, and checks every event.
pub(crate) fn variant(machine: &Path, program: &Program, variant: &Variant) -> Result<Outcome, Failure> {
    let mut checker = Checker::new(program.setup(variant)?);
    let base = program.address("vectors")?;
    let mut executed = vec![0; 1 << 15];
    let mut progress = Progress::new(variant.name);
    let ended = simulation::run(&mut command(machine, program, variant, false)?, |event| {
        if let Event::Retire(shown) = event
            && !shown.trap
            && (shown.mode == 0 || checker.counts_machine_mode())
            && let Some(count) = executed.get_mut((shown.pc.wrapping_sub(base) / 2) as usize)
        {
            *count += 1;
            progress.show(shown.cycle);
        }
        checker.event(event);
    });
    progress.end();
    let Ended { lockstep, stopped } = ended?;
    Ok(Outcome { totals: checker.finish(), executed, lockstep, stopped })
}

/// Runs a variant without a checker, and returns its cycles for each microsecond of processor time.
pub(crate) fn speed(machine: &Path, program: &Program, variant: &Variant) -> Result<f64, Failure> {
    let mut end = None;
    simulation::run(&mut command(machine, program, variant, true)?, |event| {
        if let Event::End(last) = event {
            end = Some(last);
        }
    })?;
    let end = end.filter(|end| end.ended).ok_or_else(|| Failure::new("the program did not end"))?;
    Ok(f64::from(end.cycle) * 1e3 / end.nanoseconds as f64)
}

/// Writes the events of a run to a file, from the first access of the unit on, and prints the setup of its checker.
pub(crate) fn record(places: &Places, program: &Program, variant: &Variant, folder: &Path) -> Result<(), Failure> {
    let file = &folder.join(format!("{}.trace", variant.name));
    let mut bytes = Vec::new();
    simulation::run(&mut command(&variant.build.make(places)?, program, variant, false)?, |event| {
        if !bytes.is_empty() || matches!(event, Event::Unit(_)) {
            bytes.extend_from_slice(&event.encode());
        }
    })?;
    fs::write(file, bytes).map_err(Failure::at(file))?;
    say!("{} {:#x?}", variant.name, program.setup(variant)?);
    Ok(())
}

/// A line that shows how far a run is, on a terminal.
struct Progress {
    name: &'static str,
    shown: Option<Instant>,
    calls: u32,
}

impl Progress {
    fn new(name: &'static str) -> Self {
        Self { name, shown: io::stderr().is_terminal().then(Instant::now), calls: 0 }
    }

    fn show(&mut self, cycle: u32) {
        self.calls = self.calls.wrapping_add(1);
        if self.calls.is_multiple_of(1 << 14)
            && self.shown.is_some_and(|shown| shown.elapsed() > Duration::from_millis(500))
        {
            self.shown = Some(Instant::now());
            let _ = write!(io::stderr(), "\ribex: {}: {:.1} Mcycles ", self.name, f64::from(cycle) / 1e6);
        }
    }

    fn end(&self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
