//! A count: the plain counter over the trace, then as many passes over it as the events need.

use super::CountError;
use super::driver::{Driver, own_cycles};
use super::engine::{self, Ran, Work};
use super::event::Wanted;
use super::portion::Portion;
use super::schedule::{Pass, passes};
use super::source::Source;
use super::survey::{Mark, Reading, Survey, survey};
use super::world::World;
use crate::capsule::{Capsule, CapsuleError, Failure};
use crate::cosim::Engine;
use crate::perf::machine::Machine;
use crate::report::MismatchReport;
use crate::rtl::BuildId;
use lwp_model::Moore;
use lwp_model::perf::{Config, Inputs, Outputs, Perf};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is to be counted, on which processor, of which trace.
#[derive(Clone, Debug)]
pub struct Job {
    /// Events.
    pub events: Vec<Wanted>,
    /// Straps of the unit, which are legal for the build.
    pub straps: Config,
    /// Build of the unit.
    pub build: BuildId,
    /// What runs.
    pub engine: Engine,
    /// Trace.
    pub trace: PathBuf,
    /// Instructions of it.
    pub limit: Option<u64>,
    /// Instructions that retire in one cycle at most, and cycles from one group to the next.
    pub lanes: usize,
    /// Cycles from one group of instructions to the next.
    pub spacing: u64,
    /// Symbol or address at which counting begins and ends.
    pub portion: (Option<String>, Option<String>),
    /// Instructions after which the counts are read.
    pub interval: Option<u64>,
    /// Passes at most.
    pub passes: Option<usize>,
}

/// Follows a count.
pub trait Watch {
    /// How far it is: pass from 0 (which is the plain counter's), passes, instructions of the pass and of the trace. Whether it goes on.
    fn progress(&mut self, pass: usize, passes: usize, instructions: u64, total: Option<u64>) -> bool;

    /// An interval has ended.
    fn interval(&mut self, interval: &Interval);
}

/// The counts of an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Instructions at its end.
    pub instructions: u64,
    /// Counts since the last one.
    pub counts: Vec<u64>,
}

/// An event that was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Content of the register that selected it.
    pub select: u64,
    /// By the unit.
    pub count: u64,
    /// By the plain counter.
    pub exact: u64,
}

/// The result of a count.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Counts, in the order of the events.
    pub events: Vec<Count>,
    /// Intervals.
    pub intervals: Vec<Interval>,
    /// Passes over the trace, that of the plain counter not included.
    pub passes: usize,
    /// Instructions of the trace.
    pub instructions: u64,
    /// Cycles of all passes, and those in which model and RTL were compared.
    pub cycles: u64,
    /// Cycles in which model and RTL were compared.
    pub compared: u64,
    /// The first difference of model and RTL, and the number of its pass from 0.
    pub mismatch: Option<(usize, MismatchReport)>,
    /// What the reader of the trace tolerated.
    pub notes: Vec<String>,
    /// Whether the user stopped it; then nothing is counted.
    pub interrupted: bool,
}

/// Counts.
///
/// # Errors
/// [`CountError`].
pub fn count(job: &Job, watch: &mut dyn Watch) -> Result<Counts, CountError> {
    let schedule = passes(&job.events, &job.straps, job.passes)?;
    // What is missing or a directory is told when it is opened.
    if job.trace.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return Err(CountError::NotRepeatable { trace: job.trace.display().to_string(), times: schedule.len() + 1 });
    }
    let survey = plain(job, &schedule, watch)?;
    let mut counts = Counts {
        events: survey.counts.iter().map(|exact| Count { select: 0, count: 0, exact: *exact }).collect(),
        passes: schedule.len(),
        instructions: survey.instructions,
        interrupted: survey.stopped,
        ..Counts::default()
    };
    let mut readings: Vec<Vec<u64>> = vec![vec![0; job.events.len()]; survey.intervals.len() + 1];
    for (number, pass) in schedule.iter().enumerate() {
        if counts.interrupted || counts.mismatch.is_some() {
            break;
        }
        let last = number + 1 == schedule.len();
        one_pass(job, (number, pass, last), &survey, (&mut readings, &mut counts), watch)?;
    }
    let end = readings.pop().unwrap_or_default();
    counts.events.iter_mut().zip(end).for_each(|(event, count)| event.count = count);
    counts.notes = survey.notes;
    Ok(counts)
}

/// Makes a pass once more up to a failure, and returns its capsule; `repeat` is the command that repeats the count.
///
/// # Errors
/// [`CountError`].
pub(super) fn capsule(job: &Job, number: usize, failure: Failure, repeat: &str) -> Result<Capsule, CountError> {
    let schedule = passes(&job.events, &job.straps, job.passes)?;
    let survey = plain(job, &schedule, &mut Unwatched)?;
    let pass = &schedule[number];
    let done = with_build!(perf, job.build, |U| U::capsule(job, pass, &survey, (failure, repeat)));
    Ok(done.expect("the build is one of this unit")?)
}

/// Nobody follows.
struct Unwatched;

impl Watch for Unwatched {
    fn progress(&mut self, _: usize, _: usize, _: u64, _: Option<u64>) -> bool {
        true
    }

    fn interval(&mut self, _: &Interval) {}
}

/// Reads the trace for the first time.
fn plain(job: &Job, schedule: &[Pass], watch: &mut dyn Watch) -> Result<Survey, CountError> {
    let source = Source::open(&job.trace, job.limit)?;
    let portion = Portion::find(job.portion.0.as_deref(), job.portion.1.as_deref(), &source)?;
    let mut events: Vec<_> = job.events.iter().map(|wanted| (wanted.clone(), (0, 0))).collect();
    for pass in schedule {
        for assigned in &pass.events {
            events[assigned.event].1 = own_cycles(&pass.registers, assigned.place);
        }
    }
    let (lanes, spacing, interval) = (job.lanes, job.spacing, job.interval);
    let reading = Reading { events: &events, lanes, spacing, portion, interval };
    let (total, all) = (source.total(), schedule.len() + 1);
    survey(source, &reading, &mut |instructions| watch.progress(0, all, instructions, total))
}

/// One pass; adds its readings and its cycles.
fn one_pass(
    job: &Job,
    (number, pass, last): (usize, &Pass, bool),
    survey: &Survey,
    (readings, counts): (&mut Vec<Vec<u64>>, &mut Counts),
    watch: &mut dyn Watch,
) -> Result<(), CountError> {
    let all = counts.passes + 1;
    let mut place = 0;
    let (mut before, mut stopped) = (vec![0; job.events.len()], false);
    let mut intervals = Vec::new();
    let mut told = |what: Told<'_>| match what {
        Told::Progress(instructions) => {
            stopped |= !watch.progress(number + 1, all, instructions, Some(survey.instructions));
            !stopped
        }
        Told::Read(instructions, values) => {
            let Some(row) = readings.get_mut(place) else { return true };
            for (assigned, value) in pass.events.iter().zip(values) {
                row[assigned.event] = *value;
            }
            place += 1;
            if last && job.interval.is_some() {
                let since = row.iter().zip(&before).map(|(now, before)| now - before).collect();
                before.clone_from(row);
                let interval = Interval { instructions, counts: since };
                watch.interval(&interval);
                intervals.push(interval);
            }
            true
        }
    };
    let done = with_build!(perf, job.build, |U| U::pass(job, pass, survey, &mut told));
    let ran = done.expect("the build is one of this unit");
    ran.done?;
    for assigned in &pass.events {
        counts.events[assigned.event].select = assigned.select;
    }
    counts.intervals.extend(intervals);
    counts.cycles += ran.cycles;
    counts.compared += ran.compared;
    counts.interrupted = stopped;
    counts.mismatch = ran.mismatch.map(|mismatch| (number, mismatch));
    Ok(())
}

/// What a pass tells while it runs.
#[derive(Clone, Copy, Debug)]
enum Told<'a> {
    /// So many instructions have retired.
    Progress(u64),
    /// The counters were read after so many instructions.
    Read(u64, &'a [u64]),
}

/// A model with which a pass can be made.
trait Passes {
    fn pass(
        job: &Job,
        pass: &Pass,
        survey: &Survey,
        told: &mut dyn FnMut(Told<'_>) -> bool,
    ) -> Ran<Result<(), CountError>>;

    fn capsule(job: &Job, pass: &Pass, survey: &Survey, failure: (Failure, &str)) -> Result<Capsule, CapsuleError>;
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Passes
    for Perf<LP, GENERAL, FIXED, LANES>
{
    fn pass(
        job: &Job,
        pass: &Pass,
        survey: &Survey,
        told: &mut dyn FnMut(Told<'_>) -> bool,
    ) -> Ran<Result<(), CountError>> {
        let work = PassWork::<LP, LANES> { job, pass, survey, told };
        engine::run::<Self, _>(job.engine, job.build, &job.straps, work)
    }

    fn capsule(job: &Job, pass: &Pass, survey: &Survey, failure: (Failure, &str)) -> Result<Capsule, CapsuleError> {
        let work = PassWork::<LP, LANES> { job, pass, survey, told: &mut |_| true };
        engine::capsule::<Self, _>(job.build, &job.straps, work, failure)
    }
}

/// One pass on a machine.
struct PassWork<'a, const LP: usize, const LANES: usize> {
    job: &'a Job,
    pass: &'a Pass,
    survey: &'a Survey,
    told: &'a mut dyn FnMut(Told<'_>) -> bool,
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>
    Work<Perf<LP, GENERAL, FIXED, LANES>> for PassWork<'_, LP, LANES>
{
    type Done = Result<(), CountError>;

    fn on<D>(self, machine: &Machine<D>, stop: &AtomicBool) -> Self::Done
    where
        D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
    {
        let Self { job, pass, survey, told } = self;
        machine.set_pce(true);
        let source = Source::open(&job.trace, job.limit)?;
        let mut world = World::<LP, LANES>::new(source, job.lanes, job.spacing);
        let (mut driver, mut active) = (Driver::new(pass), false);
        for (at, mark) in survey.marks.iter().copied().chain([(u64::MAX, Mark::End)]) {
            world.run_to(machine, at, &mut |retired| told(Told::Progress(retired)) && !stop.load(Ordering::Relaxed));
            if let Some(failure) = world.take_failure() {
                return Err(failure.into());
            }
            let core = &mut machine.core(0);
            if active && mark != Mark::Begin {
                driver.end(core)?;
            }
            if mark == Mark::Interval || at == u64::MAX {
                told(Told::Read(world.retired(), &driver.read(core)?));
            }
            active = mark == Mark::Begin || (mark == Mark::Interval && active);
            if active {
                driver.begin(core)?;
            }
        }
        Ok(())
    }
}

/// Returns the first build of the unit with so many counters.
#[must_use]
pub fn build_for(straps: &Config) -> Option<BuildId> {
    let size = |build: BuildId, name: &str| build.parameter(name).unwrap_or(0);
    BuildId::of_unit("perf").find(|build| {
        size(*build, "GeneralCounters") >= u32::from(straps.counters)
            && size(*build, "FixedCounters") >= u32::from(straps.fixed)
    })
}

/// Returns how many instructions a build can retire in a cycle.
#[must_use]
pub fn lanes_of(build: BuildId) -> usize {
    build.parameter("RetireLanes").unwrap_or(1) as usize
}
