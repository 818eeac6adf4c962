//! File with recordings of the RTL in the cases of a unit's lockstep properties.

use crate::lockstep::shown_by_rtl;
use crate::soak::Case;
use crate::unit::Checks;
use lwp_model::Unit;
use recording::{Of, Writer};
use sim_harness::rtl::BuildId;
use std::fs::File;
use std::io::{self, BufWriter};

/// File of the recordings.
pub type Output = Writer<BufWriter<File>>;

/// Runs that are recorded.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// Seed of the first case.
    pub seed: u64,
    /// Number of cases of each property.
    pub cases: u64,
    /// Number of cycles of the long run, whose cases follow those of the properties.
    pub soak: u64,
}

/// Reason why nothing was recorded.
#[derive(Debug)]
pub enum Failed {
    /// Model and RTL differ.
    Differ(String),
    /// The file cannot be written.
    File(io::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

/// Writes a run after a comparison of the RTL with the model.
///
/// # Errors
///
/// If RTL and model differ, or the file cannot be written.
pub fn run<U: Unit>(
    to: &mut Output,
    (name, seed): (&str, u64),
    build: BuildId,
    straps: &U::Config,
    recording: &Of<U>,
) -> Result<(), Failed> {
    let rows = shown_by_rtl::<U>(build, straps, recording)
        .map_err(|reason| Failed::Differ(format!("{name}, seed {seed}: {reason}")))?;
    let sizes: Vec<u32> = build.info().parameters.iter().map(|(_, value)| *value).collect();
    to.run::<U>((name, seed), &sizes, straps, &rows)?;
    Ok(())
}

/// Writes the first cases of the long run, each by `one`, which may leave out a build. `done` is told by how many thousand cycles it
/// has come further.
///
/// # Errors
///
/// Those of `one`.
pub fn soak(
    to: &mut Output,
    unit: &'static dyn Checks,
    runs: &Runs,
    done: &dyn Fn(u64),
    mut one: impl FnMut(&mut Output, &Case, BuildId) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let builds: Vec<_> = BuildId::of_unit(unit.name()).collect();
    let (before, mut told) = (to.cycles(), 0);
    for number in 0.. {
        let cycles = to.cycles() - before;
        done(cycles / 1000 - told);
        told = cycles / 1000;
        if cycles >= runs.soak {
            break;
        }
        let case = Case::new(unit, runs.seed, number, &builds);
        one(to, &case, case.build(&builds))?;
    }
    Ok(())
}
