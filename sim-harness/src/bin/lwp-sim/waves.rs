//! `--waves`: the run once more, on the traced build of the RTL.

use super::engines::HISTORY;
use super::exit::Failure;
use super::interrupt;
use super::plan::Plan;
use sim_harness::cosim::Visited;
use sim_harness::lockstep::{self, Batch, Flow, Options, Producer, WaveError, Window};
use sim_harness::report::{MismatchReport, OutputError, folder_of, temporary};
use sim_harness::rtl::Flavour;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Cycles that are shown of a run without a mismatch.
const CYCLES: u64 = 1_000_000;

/// A wave file that appears once it is complete.
#[derive(Debug)]
pub(crate) struct WaveFile {
    file: NamedTempFile,
    target: PathBuf,
}

impl WaveFile {
    /// Begins the file beside its place.
    pub(crate) fn create(target: &Path) -> Result<Self, Failure> {
        let file = temporary(folder_of(target), ".lwp-sim-", ".fst");
        let file = file.map_err(|error| Failure::from(OutputError { path: target.to_owned(), error }))?;
        Ok(Self { file, target: target.to_owned() })
    }

    /// Where the simulator writes.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// What the system said about it.
    pub(crate) fn failure(&self, error: io::Error) -> Failure {
        OutputError { path: self.target.clone(), error }.into()
    }

    /// Puts it in its place.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        let target = self.target;
        let kept = self.file.persist(&target).map(drop);
        kept.map_err(|error| OutputError { path: target, error: error.error }.into())
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
