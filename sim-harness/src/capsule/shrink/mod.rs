//! Smaller capsules that fail in the same way.
//!
//! Delta debugging over cycles, inputs and straps. A candidate counts if it fails in the same [`Way`](super::Way): the same
//! first field, the same assertion, the same property; the cycle may be another. Everything follows from the capsule and the
//! budget of tries: the same capsule always shrinks to the same one.
//!
//! A list of inputs from which cycles were taken is no run any more: the memory answers what nobody asked. So candidates
//! are played through a core and a memory that keep the rules of the ports ([`Drive`]), as long as the
//! failure survives that, and the result keeps the rules. If the failure needs inputs that break them, candidates are
//! played as they are, and the capsule says so.

mod candidate;
mod judge;
mod passes;
mod search;

use super::error::{CapsuleError, ReplayError};
use super::file::Capsule;
use super::rows::RowWriter;
use super::target::Target;
use crate::rtl::BuildId;
use crate::unit::Unit;
use capsule_file::{Shrunk, Way};
use miette::Diagnostic;
use search::Search;
use std::time::Duration;
use thiserror::Error;

pub use judge::{Judge, Verdict, judged};

/// How much work shrinking may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShrinkOptions {
    /// Candidates that may be played.
    pub tries: u64,
    /// Cycles that may be played, of all candidates.
    pub cycles: u64,
    /// Time that it may take. With a limit the result depends on the machine.
    pub time: Option<Duration>,
    /// Cycles that the capsule may have up to its failure: all candidates are held in memory, over a kilobyte a cycle.
    pub longest: u64,
    /// Candidates may break the rules of the ports even if the failure does not need it.
    pub any_inputs: bool,
    /// Begin so many cycles before the failure, in the state that the run has there. Without a number it is done for failures later than
    /// `longest`, with [`WINDOW`] cycles.
    pub checkpoint: Option<u64>,
}

/// Cycles before a late failure from which it is shrunk.
pub const WINDOW: u64 = 10_000;

impl Default for ShrinkOptions {
    fn default() -> Self {
        Self {
            tries: 20_000,
            cycles: 1_000_000_000,
            time: None,
            longest: 4_000_000,
            any_inputs: false,
            checkpoint: None,
        }
    }
}

/// How far shrinking is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shrinking {
    /// Candidates played.
    pub tries: u64,
    /// Cycles of the smallest capsule so far.
    pub cycles: u64,
    /// Its inputs that are not idle.
    pub fields: u64,
}

/// Why nothing was shrunk.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum ShrinkError {
    /// The capsule cannot be used, or the two builds of the RTL disagree on it.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Replay(#[from] ReplayError),
    /// It does not fail in the way that it says.
    #[error("the capsule does not fail in the way that it says: {recorded}")]
    #[diagnostic(
        code(shrink::does_not_fail),
        help("`lwp-sim replay` says what it does now; the sources may have changed since")
    )]
    DoesNotFail {
        /// The way that the capsule says.
        recorded: Way,
    },
    /// It would not fit into memory.
    #[error("the capsule fails in cycle {cycle}, and {longest} cycles are the most that are shrunk")]
    #[diagnostic(
        code(shrink::too_long),
        help(
            "raise the limit with --longest, at over a kilobyte of memory a cycle; or find the failure earlier, with a shorter \
             trace or another seed. Only a difference between model and RTL can be shrunk from a checkpoint"
        )
    )]
    TooLong {
        /// The cycle of its failure.
        cycle: u64,
        /// The limit.
        longest: u64,
    },
    /// The failure cannot be shrunk from a checkpoint.
    #[error("a checkpoint is no beginning for this failure: {way}")]
    #[diagnostic(
        code(shrink::checkpoint),
        help(
            "assertions, properties and units with memories hold what no register of the unit shows: shrink from reset, without \
             --checkpoint"
        )
    )]
    NoCheckpoint {
        /// The way that the capsule says.
        way: Way,
    },
    /// Only `proptests` can judge a property.
    #[error("the property `{name}` cannot be judged here")]
    #[diagnostic(code(shrink::property), help("`cargo run --release -p proptests --bin judge -- shrink CAPSULE` can"))]
    NoJudge {
        /// Its name.
        name: String,
    },
}

impl From<CapsuleError> for ShrinkError {
    fn from(error: CapsuleError) -> Self {
        Self::Replay(error.into())
    }
}

/// Shrinks a capsule on the RTL of this program. `visit` is called after each candidate; false ends the search, and what was found so
/// far is returned.
///
/// # Errors
/// If the capsule cannot be used or does not fail, or if the two builds of the RTL do not fail alike on the result.
pub fn shrink(
    capsule: &Capsule,
    options: &ShrinkOptions,
    visit: &mut dyn FnMut(Shrinking) -> bool,
) -> Result<Capsule, ShrinkError> {
    let build: BuildId = capsule.build()?;
    shrink_on(&build, None, capsule, options, visit)
}

/// The same on something else than this program's RTL, with somebody who knows properties.
///
/// # Errors
/// As [`shrink`].
pub fn shrink_on(
    target: &dyn Target,
    judge: Option<&dyn Judge>,
    capsule: &Capsule,
    options: &ShrinkOptions,
    visit: &mut dyn FnMut(Shrinking) -> bool,
) -> Result<Capsule, ShrinkError> {
    let whole = capsule.header().failure.cycle + 1;
    let begun = begun(target, capsule, options)?;
    let mut search = Search::new(target, judge, &begun, options, visit)?;
    let (cycles, fields) = search.before();
    let cycles = if begun.header().checkpoint == capsule.header().checkpoint { cycles } else { whole };
    let complete = search.run();
    let best = search.best();
    let mut rows = RowWriter::new(capsule.header().in_words);
    best.rows.chunks_exact(capsule.header().in_words).for_each(|row| rows.push(row));
    let mut failure = capsule.header().failure.clone();
    failure.cycle = best.cycle;
    failure.text = search.reason().unwrap_or(failure.text);
    let origin = capsule.header().origin.clone();
    let checkpoint = begun.header().checkpoint.clone();
    let mut small = Capsule::starting(target.build(), &best.straps, checkpoint, rows, failure, origin)?;
    let earlier = capsule.header().shrunk;
    small.header_mut().shrunk = Some(Shrunk {
        cycles_before: earlier.map_or(cycles, |earlier| earlier.cycles_before),
        fields_before: earlier.map_or(fields, |earlier| earlier.fields_before),
        fields: search.size().fields,
        tries: search.size().tries + earlier.map_or(0, |earlier| earlier.tries),
        complete,
    });
    if small.confirm(target)? {
        return Ok(small);
    }
    Err(ShrinkError::DoesNotFail { recorded: small.header().failure.way.clone() })
}

/// The capsule itself, or the same failure from a checkpoint on.
fn begun(target: &dyn Target, capsule: &Capsule, options: &ShrinkOptions) -> Result<Capsule, ShrinkError> {
    let (way, cycle) = (&capsule.header().failure.way, capsule.header().failure.cycle);
    let late = cycle >= options.longest;
    let late = late.then_some(WINDOW.min(options.longest.saturating_sub(1)));
    let Some(before) = options.checkpoint.or(late) else { return Ok(capsule.clone()) };
    // Assertions and properties have a memory that no row shows, and so have some units.
    if !matches!(way, Way::Mismatch { .. }) || !Unit::of(target.build()).capsule.checkpoints {
        let error = ShrinkError::NoCheckpoint { way: way.clone() };
        return if options.checkpoint.is_some() { Err(error) } else { Ok(capsule.clone()) };
    }
    let mut begun = capsule.from_checkpoint(before)?;
    if begun.confirm(target)? { Ok(begun) } else { Err(ShrinkError::DoesNotFail { recorded: way.clone() }) }
}
