//! `--waves`: the run once more, on the traced build of the RTL.

use super::engines::HISTORY;
use super::exit::Failure;
use super::interrupt;
use super::plan::Plan;
use sim_harness::cosim::Visited;
use sim_harness::lockstep::{self, Batch, Flow, Options, Producer, WaveError, Window};
use sim_harness::report::{MismatchReport, Output, temporary};
use sim_harness::rtl::Flavour;
use std::env;
use std::fs::File;
use std::io;
use std::path::Path;
use tempfile::NamedTempFile;

/// Cycles that are shown of a run without a mismatch.
const CYCLES: u64 = 1_000_000;

/// A wave file that appears once it is complete.
#[derive(Debug)]
pub(crate) struct WaveFile {
    output: Output,
    /// The simulator needs a file of its own for what goes to a device or pipe: it moves back and forth in it.
    aside: Option<NamedTempFile>,
}

impl WaveFile {
    /// Begins the file beside its place.
    pub(crate) fn create(target: &Path) -> Result<Self, Failure> {
        let output = Output::create(target)?;
        let aside = match output.temporary() {
            Some(_) => None,
            None => Some(temporary(&env::temp_dir(), ".lwp-sim-", ".fst").map_err(|error| output.error(error))?),
        };
        Ok(Self { output, aside })
    }

    /// Where the simulator writes.
    pub(crate) fn path(&self) -> &Path {
        let aside = self.aside.as_ref().map(NamedTempFile::path);
        aside.or_else(|| self.output.temporary()).expect("there is one or the other")
    }

    /// What the system said about it.
    pub(crate) fn failure(&self, error: io::Error) -> Failure {
        self.output.error(error).into()
    }

    /// Puts it in its place.
    pub(crate) fn commit(mut self) -> Result<(), Failure> {
        if let Some(aside) = &self.aside {
            // The simulator may have made the file anew.
            let copied = File::open(aside.path()).and_then(|mut waves| io::copy(&mut waves, &mut self.output));
            copied.map_err(|error| self.output.error(error))?;
        }
        Ok(self.output.commit()?)
    }
}

/// Runs the plan again and writes the waves around the mismatch in cycle `diverged_at`.
pub(crate) fn around_mismatch(plan: &Plan, diverged_at: u64, path: &Path) -> Result<(), Failure> {
    let waves = WaveFile::create(path)?;
    let mut producer = producer(plan, "--waves runs the trace twice")?;
    let mut rtl = plan.run.rtl(Flavour::Traced);
    rtl.mute();
    let done = lockstep::replay_with_waves(producer.as_mut(), &mut rtl, diverged_at, Window::default(), waves.path());
    match done {
        Ok(_) => waves.commit(),
        Err(WaveError::File { error, .. }) => Err(waves.failure(error)),
        // The waves are of the wrong place, but they are what there is.
        Err(error @ WaveError::Elsewhere { .. }) => {
            waves.commit()?;
            Err(Failure::builds(error))
        }
    }
}

/// Runs the beginning of the plan again, on RTL that checks its own assertions, and writes its waves.
pub(crate) fn of_beginning(plan: &Plan, path: &Path) -> Result<Option<MismatchReport>, Failure> {
    let waves = WaveFile::create(path)?;
    let mut rtl = plan.run.rtl(Flavour::Traced);
    rtl.mute();
    rtl.open_waves(waves.path()).map_err(|error| waves.failure(error))?;
    let mut beginning = Beginning { producer: producer(plan, "--waves runs the trace twice")?, left: CYCLES };
    let options = Options { history: HISTORY, ..Options::new(plan.fields()) };
    let report = lockstep::run(&mut beginning, &mut rtl, options);
    rtl.close_waves();
    waves.commit()?;
    Ok(report.divergence.as_ref().map(|found| MismatchReport::of(found, plan.run.build())))
}

/// The run from its beginning; `why` says what for.
pub(crate) fn producer<'p>(plan: &'p Plan, why: &str) -> Result<Box<dyn Producer + 'p>, Failure> {
    if !plan.is_repeatable() {
        let help = "write the trace to a file first";
        return Err(Failure::option(&format!("{why}, and a pipe cannot be read twice"), help));
    }
    let visit = |run: &mut dyn Visited| {
        if interrupt::requested() {
            run.stop();
        }
    };
    Ok(plan.run.producer(plan.stream()?, visit))
}

/// The first cycles of a producer, to the next whole batch.
struct Beginning<'p> {
    producer: Box<dyn Producer + 'p>,
    left: u64,
}

impl Producer for Beginning<'_> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        let flow = self.producer.fill(batch);
        self.left = self.left.saturating_sub(batch.cycles() as u64);
        if self.left == 0 { Flow::End } else { flow }
    }
}
