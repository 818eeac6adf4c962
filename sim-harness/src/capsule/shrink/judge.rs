//! Whether a candidate fails, and in which cycle.

use super::super::error::CapsuleError;
use super::super::file::Capsule;
use super::super::replay::mismatch;
use super::super::target::{Target, begin};
use super::super::unit::{Drive, Played, Unit};
use crate::lockstep::differences;
use crate::rtl::{BuildId, Flavour};
use capsule_file::{Checkpoint, Way};
use std::fmt::Debug;

/// Somebody who knows properties.
pub trait Judge: Debug {
    /// Whether the property of this name is violated by these rows of inputs, and of outputs and registers: in which cycle, and why.
    fn judge(&self, name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict;
}

/// What a [`Judge`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is no such property.
    Unknown,
    /// It holds.
    Holds,
    /// It is violated in this cycle.
    Violated(u64, String),
}

/// Judges the property `name` in the first `cycles` cycles of a capsule, in which model and RTL agree: what the model shows is what both do.
///
/// # Errors
///
/// If the capsule cannot be used.
pub fn judged(capsule: &Capsule, judge: &dyn Judge, name: &str, cycles: u64) -> Result<Verdict, CapsuleError> {
    let (mut model, build, mut inputs) = (capsule.model()?, capsule.build()?, capsule.inputs());
    let (of_input, of_output) = (build.info().in_words, build.info().out_words);
    inputs.truncate(usize::try_from(cycles).unwrap_or(usize::MAX).saturating_mul(of_input));
    let mut rows = vec![0; inputs.len() / of_input * of_output];
    let each = inputs.chunks_exact(of_input).zip(rows.chunks_exact_mut(of_output));
    each.for_each(|(inputs, row)| model.cycle(inputs, row));
    Ok(judge.judge(name, build, &capsule.header().straps, &inputs, &rows))
}

/// Plays candidates and says whether they fail in the way that is looked for.
pub(super) struct Player<'a> {
    pub(super) target: &'a dyn Target,
    pub(super) judge: Option<&'a dyn Judge>,
    pub(super) unit: &'static Unit,
    pub(super) way: Way,
    /// Where all candidates begin, if that is not reset.
    pub(super) checkpoint: Option<Checkpoint>,
}

impl Player<'_> {
    /// The cycle in which it fails in that way; `None` if it does not, or in another way before.
    pub(super) fn fails(&self, straps: &[u32], played: &Played) -> Option<u64> {
        match &self.way {
            Way::Mismatch { .. } => self.differs(straps, played),
            Way::Assertion { label } => self.asserts(label, straps, played),
            Way::Property { name } => {
                let build = self.target.build();
                match self.judge?.judge(name, build, straps, &played.inputs, &played.expected) {
                    Verdict::Violated(cycle, _) => Some(cycle),
                    _ => None,
                }
            }
        }
    }

    /// What its judge says of the property that these rows violate.
    pub(super) fn reason(&self, straps: &[u32], rows: &[u32]) -> Option<String> {
        let Way::Property { name } = &self.way else { return None };
        let (build, mut played) = (self.target.build(), Played::default());
        let mut model = (self.unit.model)(build, straps).ok()?;
        model.drive(rows, Drive::Raw, usize::MAX, &mut played);
        match self.judge?.judge(name, build, straps, &played.inputs, &played.expected) {
            Verdict::Violated(_, reason) => Some(reason),
            _ => None,
        }
    }

    fn differs(&self, straps: &[u32], played: &Played) -> Option<u64> {
        let (in_words, words) = (self.target.build().info().in_words, self.target.build().info().out_words);
        let first = played.inputs.get(..in_words)?;
        let (mut subject, done) = begin(self.target, Flavour::Fast, straps, self.checkpoint.as_ref(), first)?;
        let mut stop = subject.replay(&played.inputs[done * in_words..], &played.expected[done * words..]).err()?;
        stop.cycle_in_batch += done;
        let expected = &played.expected[stop.cycle_in_batch * words..][..words];
        let way = mismatch(&differences((self.unit.fields)(self.target.build()), expected, &stop.actual));
        (stop.differs && way == self.way).then_some(stop.cycle_in_batch as u64)
    }

    fn asserts(&self, label: &str, straps: &[u32], played: &Played) -> Option<u64> {
        let mut subject = self.target.power_up(Flavour::Traced, straps);
        let stop = subject.replay(&played.inputs, &played.expected).err()?;
        let same = stop.assertion_failed && subject.assertion_label().as_deref() == Some(label);
        same.then_some(stop.cycle_in_batch as u64)
    }
}
