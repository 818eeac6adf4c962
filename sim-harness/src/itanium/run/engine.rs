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
        let rtl = Rtl::of::<Self>(job.build, Flavour::Fast, &job.straps);
        in_lockstep((model, environment), (job.build, rtl), visit)
    }

    fn capsule(job: &Job<'_>, failure: Failure, repeat: &str) -> Result<Capsule, RunError> {
        let environment = Processor::<BUNDLES>::new(&job.setup, job.core(), ENTRIES);
        let mut producer = ModelProducer::new(made::<BUNDLES, ENTRIES>(&job.straps), environment, |_: &mut _| ());
        let origin = origin("lwp-sim itanium", repeat, BTreeMap::new());
        let straps = strap_words::<Self>(&job.straps);
        Ok(Capsule::record(job.build, &straps, &mut producer, failure, origin)?)
    }
}

/// The run on the model; the RTL repeats it and is compared in every register of every cycle.
fn in_lockstep<const BUNDLES: usize, const ENTRIES: usize>(
    (model, environment): (Itanium<BUNDLES, ENTRIES>, Processor<BUNDLES>),
    (build, mut rtl): (BuildId, Rtl),
    visit: impl FnMut(&mut Processor<BUNDLES>) + Send,
) -> Result<Ran, RunError> {
    rtl.mute();
    let mut producer = ModelProducer::new(model, environment, visit);
    // A run is short: two threads would take longer to begin.
    let fields = <Itanium<BUNDLES, ENTRIES> as lwp_model::Unit>::OUTPUT_FIELDS;
    let options = Options { threads: Threads::One, history: HISTORY, ..Options::new(fields) };
    let report = lockstep::run(&mut producer, &mut rtl, options);
    let mismatch = report.divergence.as_ref().map(|found| MismatchReport::of(found, build));
    finish(&producer.into_parts().0, (report.cycles, mismatch))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capsule::Way;
    use crate::itanium::ia64::Bundle;
    use crate::itanium::machine::File;
    use lwp_model::itanium::{IsmOrder, RegOp, RegRequest};

    const NOP: u64 = 0x000_0800_0000;

    /// PMC\[4\] counts instructions of IA-64 alone, by the order of the field.
    fn setup() -> Setup {
        let write = |number, wdata| RegRequest { valid: true, op: RegOp::WriteFile, lp: 0, number, wdata };
        let up = RegRequest { op: RegOp::Ssm, ..write(0, 4) };
        let requests = vec![write(File::Pmc.number(4), 0b10 << 24 | 0x80F), up, write(File::Pmc.number(0), 0)];
        Setup { requests, timer: 0, limit: 1000 }
    }

    /// RTL with the other order of `ism` counts nothing.
    #[test]
    fn a_difference_is_found_and_can_be_kept() {
        let nops = Bundle { template: 1, slots: [NOP; 3] };
        let image = Image::of_bundles(0x1000, &[nops, nops, Bundle { slots: [0, NOP, NOP], ..nops }]);
        let build = BuildId::ItaniumB1e4;
        let straps = Config::default();
        let job = Job { build, engine: Engine::Lockstep, straps, image: &image, level: 0, setup: setup() };
        let ran = job.run(&AtomicBool::new(false)).unwrap();
        assert_eq!((ran.ended.counts[0], ran.mismatch.is_none()), (6, true));

        let other = Config { ism_order: IsmOrder::Printed, ..straps };
        let rtl = Rtl::of::<Itanium<1, 4>>(build, Flavour::Fast, &other);
        let environment = Processor::new(&job.setup, job.core(), 4);
        let ran = in_lockstep((made::<1, 4>(&straps), environment), (build, rtl), |_: &mut _| ()).unwrap();
        let mismatch = ran.mismatch.expect("a difference");
        let first = mismatch.first();
        assert_eq!(first.field, "state.counter[0].count");
        let failure = Failure::new(Way::Mismatch { field: first.field.clone() }, first.cycle);
        let mut capsule = job.capsule(failure, "again").unwrap();
        assert!(capsule.header().unit == "itanium" && capsule.header().cycles > first.cycle);
        assert!(!capsule.confirm(&build).unwrap(), "RTL with the straps of the run is right");
    }
}
