//! One run of the program: on the model, or on model and RTL in lockstep.

use super::error::RunError;
use super::options::Engine;
use crate::capsule::{Capsule, Failure, origin};
use crate::device::{ModelProducer, run_closed_loop};
use crate::itanium::ia64::{Core, Image};
use crate::itanium::processor::{Ended, Processor, Setup};
use crate::lockstep::{self, Options, Threads};
use crate::report::MismatchReport;
use crate::rtl::{BuildId, Flavour, Rtl, strap_words};
use lwp_model::itanium::{Config, Itanium};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cycles before a mismatch that are shown.
const HISTORY: usize = 6;

/// What is run.
#[derive(Clone, Debug)]
pub(super) struct Job<'a> {
    pub(super) build: BuildId,
    pub(super) engine: Engine,
    pub(super) straps: Config,
    pub(super) image: &'a Image,
    /// Level of the program's first instruction.
    pub(super) level: u8,
    pub(super) setup: Setup,
}

/// What is left of a run.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) ended: Ended,
    /// What the program leaves in r8.
    pub(super) result: u64,
    /// Cycles in which model and RTL were compared.
    pub(super) compared: u64,
    pub(super) mismatch: Option<MismatchReport>,
}

impl Job<'_> {
    fn core(&self) -> Core {
        let mut core = Core::new(self.image.clone());
        core.set_cpl(self.level);
        core
    }

    /// Runs the program.
    pub(super) fn run(&self, stop: &AtomicBool) -> Result<Ran, RunError> {
        with_build!(itanium, self.build, |U| U::run(self, stop)).expect("the build is one of this unit")
    }

    /// Runs the program once more up to a failure; `repeat` is the command that repeats the run.
    pub(super) fn capsule(&self, failure: Failure, repeat: &str) -> Result<Capsule, RunError> {
        let done = with_build!(itanium, self.build, |U| U::capsule(self, failure, repeat));
        done.expect("the build is one of this unit")
    }
}

/// A model that can be run.
trait Runs {
    fn run(job: &Job<'_>, stop: &AtomicBool) -> Result<Ran, RunError>;

    fn capsule(job: &Job<'_>, failure: Failure, repeat: &str) -> Result<Capsule, RunError>;
}

impl<const BUNDLES: usize, const ENTRIES: usize> Runs for Itanium<BUNDLES, ENTRIES> {
    fn run(job: &Job<'_>, stop: &AtomicBool) -> Result<Ran, RunError> {
        let mut environment = Processor::<BUNDLES>::new(&job.setup, job.core(), ENTRIES);
        let mut model = made::<BUNDLES, ENTRIES>(&job.straps);
        let visit = |environment: &mut Processor<BUNDLES>| {
            if stop.load(Ordering::Relaxed) {
                crate::device::Environment::stop(environment);
            }
        };
        if job.engine == Engine::Model {
            run_closed_loop(&mut model, &mut environment, &mut |environment| visit(environment));
            return finish(&environment, (0, None));
        }
        let mut rtl = Rtl::of::<Self>(job.build, Flavour::Fast, &job.straps);
        rtl.mute();
        let mut producer = ModelProducer::new(model, environment, visit);
        // A run is short: two threads would take longer to begin.
        let options = Options {
            threads: Threads::One,
            history: HISTORY,
            ..Options::new(<Self as lwp_model::Unit>::OUTPUT_FIELDS)
        };
        let report = lockstep::run(&mut producer, &mut rtl, options);
        let mismatch = report.divergence.as_ref().map(|found| MismatchReport::of(found, job.build));
        finish(&producer.into_parts().0, (report.cycles, mismatch))
    }

    fn capsule(job: &Job<'_>, failure: Failure, repeat: &str) -> Result<Capsule, RunError> {
        let environment = Processor::<BUNDLES>::new(&job.setup, job.core(), ENTRIES);
        let mut producer = ModelProducer::new(made::<BUNDLES, ENTRIES>(&job.straps), environment, |_: &mut _| ());
        let origin = origin("lwp-sim itanium", repeat, BTreeMap::new());
        let straps = strap_words::<Self>(&job.straps);
        Ok(Capsule::record(job.build, &straps, &mut producer, failure, origin)?)
    }
}

fn made<const BUNDLES: usize, const ENTRIES: usize>(straps: &Config) -> Itanium<BUNDLES, ENTRIES> {
    Itanium::new(*straps).unwrap_or_else(|error| match error {})
}

fn finish<const BUNDLES: usize>(
    environment: &Processor<BUNDLES>,
    (compared, mismatch): (u64, Option<MismatchReport>),
) -> Result<Ran, RunError> {
    // What a wrong RTL does is told by its difference from the model.
    match environment.failure().filter(|_| mismatch.is_none()) {
        Some(failure) => Err(failure.into()),
        None => Ok(Ran { ended: environment.ended(), result: environment.core().general(8), compared, mismatch }),
    }
}
