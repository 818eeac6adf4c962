//! Interface of a unit to the programs of this crate. Each unit of the harness has a module in this crate with a `Checks`.

use crate::coverage::toggles::{ToggleRuns, Toggles, Unchanging};
use crate::coverage::{Claims, Counter, Layout, RtlList, Totals};
use crate::record::{Failed, Output, Runs};
use crate::soak::{Case, Outcome};
use crate::straps::{Coverage, Pair};
use lwp_model::Unit;
use recording::{Of, Rows};
use sim_harness::capsule::{Judge, Verdict};
use sim_harness::for_units;
use sim_harness::rtl::{BuildId, strap_words};
use std::fmt::Debug;
use std::time::{Duration, Instant};

/// The checks of a unit.
pub trait Checks: Debug + Sync {
    /// Name of the unit.
    fn name(&self) -> &'static str;

    /// Checks what the unit reads from the environment of the process.
    ///
    /// # Errors
    ///
    /// What is wrong, and what to do.
    fn check_environment(&self) -> Result<(), String> {
        Ok(())
    }

    /// Runs a case of the long run on a build and on the model of the same sizes.
    ///
    /// # Errors
    ///
    /// The difference and its cycle.
    fn soak(&self, case: &Case, build: BuildId) -> Result<Outcome, String>;

    /// Runs a case of the long run again and shrinks it; `None` if it passes.
    fn explain_soak(&self, case: &Case, build: BuildId) -> Option<String>;

    /// Returns the legal pairs of strap values.
    fn strap_pairs(&self) -> &'static Coverage;

    /// Returns a pair of strap values as text.
    fn pair_name(&self, pair: &Pair) -> String;

    /// Returns the bits that change in directed and in random runs in which model and RTL agree, an element for each build that is
    /// measured.
    ///
    /// # Errors
    ///
    /// The run in which model and RTL differ.
    fn toggles(&self, runs: &ToggleRuns) -> Result<Vec<Toggles>, String>;

    /// Returns the claims about bits that cannot change.
    ///
    /// # Errors
    ///
    /// If the list is wrong.
    fn unchanging(&self) -> Result<Unchanging, String>;

    /// Returns the bins of the functional coverage.
    fn layout(&self) -> &'static Layout;

    /// Returns the claims about bins that no run can meet.
    fn claims(&self) -> Claims;

    /// Returns a counter of the bins that cases meet. If the unit can steer, its cases aim at bins that `steer` has seldom met.
    fn counter(&self, steer: Option<&Totals>) -> Box<dyn Counter>;

    /// Returns the words of the directed runs, for the RTL with counters of lines and toggles.
    fn by_hand(&self, build: BuildId) -> Vec<Vec<u32>>;

    /// Returns the claims about lines of the RTL that cannot be reached.
    fn rtl_list(&self) -> RtlList;

    /// Records what the RTL shows in the cases of the lockstep properties, then in those of the long run. `done` is told each case of a
    /// property, and the thousands of cycles of the long run.
    ///
    /// # Errors
    ///
    /// If model and RTL differ, or the file cannot be written.
    fn record(&self, to: &mut Output, runs: &Runs, done: &dyn Fn(u64)) -> Result<(), Failed>;

    /// Returns the number of properties that are recorded.
    fn recorded_families(&self) -> u64;

    /// Whether the property of this name is violated by these rows of inputs, and of outputs and registers: in which cycle, and why.
    fn judge(&self, name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict;

    /// The lockstep properties whose cases are timed, and the build of each.
    fn bench_families(&self) -> &'static [(&'static str, BuildId)];

    /// A case of one of them, timed.
    fn bench_case(&self, family: usize, seed: u64) -> TimedCase;

    /// Returns rows of inputs of about `cycles` cycles for the benchmark, the first one in reset, and the words of the straps.
    fn bench_inputs(&self, build: BuildId, cycles: usize) -> (Vec<u32>, Vec<u32>);
}

/// A case of a lockstep property up to its rows: how long each part took.
#[derive(Debug)]
pub struct TimedCase {
    /// Drawing it, playing it on the model, packing its rows.
    pub times: [Duration; 3],
    /// The words of the straps.
    pub straps: Vec<u32>,
    /// Its rows.
    pub rows: Rows,
}

impl TimedCase {
    /// Draws a scenario and plays it.
    pub fn of<U: Unit, S>(draw: impl FnOnce() -> S, play: impl FnOnce(S) -> (U::Config, Of<U>)) -> Self {
        let mut times = [Duration::ZERO; 3];
        let start = Instant::now();
        let scenario = draw();
        times[0] = start.elapsed();
        let (straps, recording) = play(scenario);
        times[1] = start.elapsed() - times[0];
        let rows = recording.rows::<U>(&straps);
        times[2] = start.elapsed() - times[0] - times[1];
        Self { times, straps: strap_words::<U>(&straps), rows }
    }
}

/// Judges the properties of every unit: each of its own builds.
#[derive(Clone, Copy, Debug)]
pub struct Properties;

impl Judge for Properties {
    fn judge(&self, name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict {
        find(build.info().unit).map_or(Verdict::Unknown, |unit| unit.judge(name, build, straps, inputs, rows))
    }
}

macro_rules! list {
    ($($unit:ident)*) => {
        static UNITS: &[&dyn Checks] = &[$(&crate::$unit::Checks),*];
    };
}
for_units!(list);

/// Every unit, in the order of the harness's table.
#[must_use]
pub fn units() -> &'static [&'static dyn Checks] {
    UNITS
}

/// Checks what units read from the environment of the process.
///
/// # Errors
///
/// What is wrong, and what to do.
pub fn check_environment() -> Result<(), String> {
    units().iter().try_for_each(|unit| unit.check_environment())
}

/// Returns the unit with this name.
///
/// # Errors
///
/// The list of names, if there is no such unit.
pub fn find(name: &str) -> Result<&'static dyn Checks, String> {
    units().iter().find(|unit| unit.name() == name).copied().ok_or_else(|| {
        let names: Vec<&str> = units().iter().map(|unit| unit.name()).collect();
        format!("there is no unit \"{name}\"; there are {}", names.join(", "))
    })
}

/// Returns the name of the unit that a program takes by default: the first.
#[must_use]
pub fn default_name() -> &'static str {
    units()[0].name()
}

/// Returns the directory of a unit's results: `folder` for the first unit, a directory of its name in `folder` for each other unit.
#[must_use]
pub fn folder(unit: &dyn Checks, folder: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(folder);
    if unit.name() == default_name() { folder.to_owned() } else { folder.join(unit.name()) }
}

/// Replays a run on the RTL, and returns the outcome of a case of the long run.
///
/// # Errors
///
/// The difference and its cycle.
pub fn soaked<U: Unit>(
    case: &Case,
    build: BuildId,
    straps: &U::Config,
    recording: &Of<U>,
    pairs: Vec<Pair>,
) -> Result<Outcome, String> {
    crate::lockstep::agree::<U>(build, case.flavour(), straps, recording)?;
    Ok(Outcome { cycles: recording.cycles.len() as u64, pairs })
}
