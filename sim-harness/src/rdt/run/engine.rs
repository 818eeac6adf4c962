//! One run: the unit, or model and RTL in lockstep, in the environment.

use super::error::RunError;
use super::observed::{Observed, Ports};
use super::progress::Progress;
use super::supply::Supply;
use crate::capsule::{Capsule, Failure, origin};
use crate::device::{ModelProducer, Shows, run_closed_loop};
use crate::lockstep::{self, Options, Threads};
use crate::rdt::environment::{Remains, Setup};
use crate::rdt::records::Recorder;
use crate::report::{MismatchReport, Output, TemporaryFolder};
use crate::rtl::{BuildId, Flavour, Rtl, strap_words};
use lwp_model::rdt::{Config, Inputs, Outputs, Rdt};
use std::collections::BTreeMap;
use std::path::Path;

/// Cycles before a mismatch that are shown.
const HISTORY: usize = 6;

/// Size of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// That of a build of the RTL.
    Build(BuildId),
    /// 512 sets of the L3 cache.
    Sets512,
    /// 4096 sets of the L3 cache.
    Sets4096,
}

/// What is run.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// Size of the unit.
    pub(super) size: Size,
    /// The run is compared with the RTL, which the size has.
    pub(super) lockstep: bool,
    /// Everything but the programs.
    pub(super) setup: Setup,
}

/// What is left of a run.
#[derive(Debug)]
pub(super) struct Ran {
    /// Programs, their accesses, the end of each.
    pub(super) remains: Remains<Supply>,
    /// What the ports have shown.
    pub(super) ports: Ports,
    /// The samples, as lines of JSON.
    pub(super) samples: String,
    /// Cycles in which model and RTL were compared.
    pub(super) compared: u64,
    /// The first difference of model and RTL.
    pub(super) mismatch: Option<MismatchReport>,
}

/// Runs the programs.
pub(super) fn run(job: &Job, programs: Vec<Supply>, progress: &Progress<'_>) -> Result<Ran, RunError> {
    match job.size {
        Size::Build(build) => {
            let ran = with_build!(rdt, build, |U| U::run(job, build, programs, progress));
            ran.expect("the build is one of this unit")
        }
        Size::Sets512 => {
            alone(&mut *Rdt::<4, 512, 16, 1024, 8, 16, 8>::made(&job.setup.straps), job, programs, progress)
        }
        Size::Sets4096 => {
            alone(&mut *Rdt::<4, 4096, 16, 1024, 8, 16, 8>::made(&job.setup.straps), job, programs, progress)
        }
    }
}

/// Runs the programs once more up to a failure, and returns its capsule; `repeat` is the command that repeats the run.
pub(super) fn capsule(
    job: &Job,
    programs: Vec<Supply>,
    failure: Failure,
    repeat: &str,
) -> Result<Option<Capsule>, RunError> {
    let Size::Build(build) = job.size else { return Ok(None) };
    let done = with_build!(rdt, build, |U| U::capsule(job, build, programs, (failure, repeat)));
    done.expect("the build is one of this unit").map(Some)
}

/// A model that can be run.
trait Runs {
    fn run(job: &Job, build: BuildId, programs: Vec<Supply>, progress: &Progress<'_>) -> Result<Ran, RunError>;

    fn capsule(job: &Job, build: BuildId, programs: Vec<Supply>, failure: (Failure, &str))
    -> Result<Capsule, RunError>;

    /// The model after reset; its straps are checked. It is large.
    fn made(straps: &Config) -> Box<Self>;
}

impl<
    const LP: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> Runs for Rdt<LP, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS, RMIDS, CLASSES>
where
    Self: Shows<Config = Config, Inputs = Inputs<LP>, Outputs = Outputs<LP>>,
{
    fn run(job: &Job, build: BuildId, programs: Vec<Supply>, progress: &Progress<'_>) -> Result<Ran, RunError> {
        let mut model = Self::made(&job.setup.straps);
        if job.lockstep {
            let rtl = Rtl::of::<Self>(build, Flavour::Fast, &job.setup.straps);
            in_lockstep(*model, (build, rtl), job, programs, progress)
        } else {
            alone(&mut *model, job, programs, progress)
        }
    }

    fn capsule(
        job: &Job,
        build: BuildId,
        programs: Vec<Supply>,
        (failure, repeat): (Failure, &str),
    ) -> Result<Capsule, RunError> {
        let environment = Observed::<LP, _>::new(&job.setup, programs, Recorder::default());
        let mut producer = ModelProducer::new(*Self::made(&job.setup.straps), environment, |_: &mut _| ());
        let origin = origin("lwp-sim rdt", repeat, BTreeMap::new());
        let straps = strap_words::<Self>(&job.setup.straps);
        Ok(Capsule::record(build, &straps, &mut producer, failure, origin)?)
    }

    fn made(straps: &Config) -> Box<Self> {
        Box::new(Self::new(*straps).unwrap_or_else(|error| panic!("the straps are checked: {error}")))
    }
}

/// Where the samples of a run are kept until it ends.
struct Samples {
    folder: TemporaryFolder,
}

impl Samples {
    const FILE: &'static str = "samples";

    fn new() -> Result<Self, RunError> {
        let folder = TemporaryFolder::create(&std::env::temp_dir(), "lwp-sim-rdt-", &[Self::FILE]);
        Ok(Self { folder: folder.map_err(RunError::Samples)? })
    }

    fn path(&self) -> std::path::PathBuf {
        let folder: &Path = self.folder.path();
        folder.join(Self::FILE)
    }

    fn recorder(&self) -> Result<Recorder, RunError> {
        Ok(Recorder::new(Some(Output::create(&self.path())?)))
    }

    /// What is left of an environment.
    fn finish<const LP: usize>(
        &self,
        mut environment: Observed<LP, Supply>,
        (compared, mismatch): (u64, Option<MismatchReport>),
    ) -> Result<Ran, RunError> {
        if let Some(failure) = environment.computer.take_trace_failure() {
            return Err(failure.into());
        }
        // What a wrong RTL does is told by its difference from the model.
        if let Some(failure) = environment.computer.failure().filter(|_| mismatch.is_none()) {
            return Err(failure.into());
        }
        let Observed { computer, ports, .. } = environment;
        let mut remains = computer.finish();
        std::mem::take(&mut remains.records).commit()?;
        let samples = std::fs::read_to_string(self.path()).map_err(RunError::Samples)?;
        Ok(Ran { remains, ports, samples, compared, mismatch })
    }
}

/// The run on the model alone.
fn alone<U, const LP: usize>(
    model: &mut U,
    job: &Job,
    programs: Vec<Supply>,
    progress: &Progress<'_>,
) -> Result<Ran, RunError>
where
    U: lwp_model::Moore<Inputs = Inputs<LP>, Outputs = Outputs<LP>>,
{
    let samples = Samples::new()?;
    let mut environment = Observed::new(&job.setup, programs, samples.recorder()?);
    run_closed_loop(model, &mut environment, &mut |environment| visit(environment, progress));
    samples.finish(environment, (0, None))
}

/// The run on the model; the RTL repeats it and is compared in every register of every cycle.
fn in_lockstep<U, const LP: usize>(
    model: U,
    (build, mut rtl): (BuildId, Rtl),
    job: &Job,
    programs: Vec<Supply>,
    progress: &Progress<'_>,
) -> Result<Ran, RunError>
where
    U: Shows<Config = Config, Inputs = Inputs<LP>, Outputs = Outputs<LP>>,
{
    let samples = Samples::new()?;
    let environment = Observed::new(&job.setup, programs, samples.recorder()?);
    rtl.mute();
    let mut producer = ModelProducer::new(model, environment, |environment: &mut Observed<LP, Supply>| {
        visit(environment, progress);
    });
    let options = Options { threads: Threads::Two, history: HISTORY, ..Options::new(U::OUTPUT_FIELDS) };
    let report = lockstep::run(&mut producer, &mut rtl, options);
    let mismatch = report.divergence.as_ref().map(|found| MismatchReport::of(found, build));
    samples.finish(producer.into_parts().0, (report.cycles, mismatch))
}

/// Shows how far the run is; ends it after Ctrl-C.
fn visit<const LP: usize>(environment: &mut Observed<LP, Supply>, progress: &Progress<'_>) {
    let positions = (0..environment.programs).map(|number| environment.computer.program(number).position());
    let sum = positions.fold((0, 0), |sum, position| (sum.0 + position.0, sum.1 + position.1));
    if !progress.at(sum) {
        crate::device::Environment::stop(environment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capsule::Way;
    use crate::rdt::run::supply::Front;
    use crate::rdt::session::{Defaults, Session};
    use std::sync::atomic::AtomicBool;

    type Small = Rdt<2, 8, 4, 4, 2, 4, 4>;

    /// A program that writes line 0 and displaces it.
    fn programs() -> Vec<Supply> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let lines = (0..5)
            .map(|line| format!("{{\"ip\":\"0x1000\",\"stores\":[{{\"addr\":\"{:#x}\",\"size\":8}}]}}\n", line * 512));
        std::fs::write(&path, lines.collect::<String>()).unwrap();
        Front { first: None, limit: None }.open(&[path], 6, |_| true).unwrap()
    }

    fn job(session: &str) -> (Job, BuildId) {
        let session = Session::parse("s", session, &Defaults { programs: 1, l2: false }).unwrap();
        (Job { size: Size::Build(session.build), lockstep: true, setup: session.setup() }, session.build)
    }

    /// RTL that does not count what is written back.
    #[test]
    fn a_difference_is_found_and_can_be_kept() {
        let ((ours, build), (theirs, _)) = (job(""), job("[straps]\nwrite_backs = 0\n"));
        let stop = AtomicBool::new(false);
        let progress = Progress::new(true, &stop);
        let rtl = |job: &Job| (build, Rtl::of::<Small>(build, Flavour::Fast, &job.setup.straps));
        let model = || *Small::made(&ours.setup.straps);
        let same = in_lockstep(model(), rtl(&ours), &ours, programs(), &progress).unwrap();
        assert!(same.mismatch.is_none() && same.compared == same.remains.cycles, "{}", same.compared);
        let ran = in_lockstep(model(), rtl(&theirs), &ours, programs(), &progress).unwrap();
        let mismatch = ran.mismatch.expect("a count differs");
        assert!(mismatch.to_string().contains("rmid[1].total"), "{mismatch}");
        let failure = Failure::new(Way::Mismatch { field: mismatch.first().field.clone() }, mismatch.cycle());
        let mut capsule = capsule(&ours, programs(), failure, "again").unwrap().expect("there is RTL");
        assert!(!capsule.confirm(&build).unwrap(), "the RTL is that of the harness");
    }
}
