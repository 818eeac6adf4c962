//! One capsule: replayed, shrunk, diagnosed.

use super::key::Key;
use crate::capsule::{
    Capsule, CapsuleError, Judge, ReplayError, ShrinkError, ShrinkOptions, Shrinking, Target, Verdict, Way, judged,
    replay_on, shrink_on,
};
use crate::lockstep::Window;
use crate::report::failure::{Analysis, Evidence, EvidenceError};
use miette::Diagnostic;
use thiserror::Error;

/// The cycle of the failure, and the one whose edge caused it.
const AROUND: Window = Window { before: 2, after: 1 };

/// A capsule that fails.
#[derive(Clone, Debug)]
pub struct Failing {
    /// Key of its group.
    pub key: Key,
    /// First line of its report.
    pub headline: String,
    /// The capsule, shrunk if shrinking was asked for and possible.
    pub capsule: Capsule,
    /// Whether the capsule is smaller than the one that was examined.
    pub shrunk: bool,
    /// Whether it fails in another way than recorded.
    pub moved: bool,
}

/// Reason why a capsule cannot be examined.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum TriageError {
    /// The capsule cannot be used, or the two builds of the RTL do not fail alike.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Replay(#[from] ReplayError),
    /// The failure cannot be diagnosed.
    #[error("the failure cannot be diagnosed: {0}")]
    #[diagnostic(code(triage::evidence), help("find the failure again"))]
    Evidence(#[from] EvidenceError),
    /// No judge knows the property.
    #[error("no checker evaluates the property `{0}`")]
    #[diagnostic(code(triage::property), help("use the program that wrote it"))]
    NoSuchProperty(String),
    /// The capsule is too long for its property to be judged.
    #[error("the capsule has {cycles} cycles, and the property of at most {longest} is judged")]
    #[diagnostic(
        code(triage::length),
        help("`judge replay --longest` judges it alone, at over a kilobyte of memory a cycle")
    )]
    TooLong {
        /// Cycles of the capsule.
        cycles: u64,
        /// Cycles that are judged at most.
        longest: u64,
    },
}

impl From<CapsuleError> for TriageError {
    fn from(error: CapsuleError) -> Self {
        Self::Replay(error.into())
    }
}

/// Replays a capsule, shrinks it with `options` (`None`: not at all), and diagnoses the result. Returns `None` if nothing fails (any
/// more). A capsule that fails in another way than recorded is examined for what it does now. Without a judge, the failure of a
/// property is taken as recorded. `visit` is called after each candidate of the search; false ends the search.
///
/// # Errors
/// If the capsule cannot be used, or the two builds of the RTL do not fail alike.
pub fn examine(
    target: &dyn Target,
    judge: Option<&dyn Judge>,
    capsule: &Capsule,
    options: Option<&ShrinkOptions>,
    visit: &mut dyn FnMut(Shrinking) -> bool,
) -> Result<Option<Failing>, TriageError> {
    let replayed = replay_on(target, capsule, AROUND)?;
    let recorded = &capsule.header().failure.way;
    let moved = replayed.found.as_ref().is_some_and(|found| found.way != *recorded);
    let now = match &replayed.found {
        Some(found) if moved => capsule.failing(found.failure())?,
        _ => capsule.clone(),
    };
    if replayed.found.is_none() && !still_violated(judge, capsule, options)? {
        return Ok(None);
    }
    let small = match smaller(target, judge, &now, options, visit) {
        Ok(small) => small,
        Err(ShrinkError::Replay(error)) => return Err(error.into()),
        Err(_) => None,
    };
    let shrunk = small.is_some();
    let replayed = if shrunk || moved { None } else { Some(replayed) };
    let capsule = small.unwrap_or(now);
    let replayed = replayed.map_or_else(|| replay_on(target, &capsule, AROUND), Ok)?;
    let Some(evidence) = Evidence::of_replay(&capsule, &replayed, String::new()) else { return Ok(None) };
    let analysis = Analysis::of(&evidence)?;
    let failure = &capsule.header().failure;
    let key = Key::of(&analysis, &failure.way, &failure.text);
    Ok(Some(Failing { key, headline: analysis.headline, capsule, shrunk, moved }))
}

/// Whether the recorded property of a capsule in which model and RTL agree is violated, as its judge says; without one, as recorded.
fn still_violated(
    judge: Option<&dyn Judge>,
    capsule: &Capsule,
    options: Option<&ShrinkOptions>,
) -> Result<bool, TriageError> {
    let Way::Property { name } = &capsule.header().failure.way else { return Ok(false) };
    let Some(judge) = judge else { return Ok(true) };
    let longest = options.map_or_else(|| ShrinkOptions::default().longest, |options| options.longest);
    let cycles = capsule.header().cycles;
    if cycles > longest {
        return Err(TriageError::TooLong { cycles, longest });
    }
    match judged(capsule, judge, name, cycles)? {
        Verdict::Holds => Ok(false),
        Verdict::Unknown => Err(TriageError::NoSuchProperty(name.clone())),
        Verdict::Violated(..) => Ok(true),
    }
}

/// The capsule after shrinking; `None` if it stays as it is.
fn smaller(
    target: &dyn Target,
    judge: Option<&dyn Judge>,
    capsule: &Capsule,
    options: Option<&ShrinkOptions>,
    visit: &mut dyn FnMut(Shrinking) -> bool,
) -> Result<Option<Capsule>, ShrinkError> {
    let complete = capsule.header().shrunk.is_some_and(|shrunk| shrunk.complete);
    let judged = judge.is_some() || !matches!(capsule.header().failure.way, Way::Property { .. });
    match options {
        Some(options) if judged && !complete => shrink_on(target, judge, capsule, options, visit).map(Some),
        _ => Ok(None),
    }
}
