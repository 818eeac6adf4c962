//! What a run has met: the few situations that a unit names, counted in lockstep beside the comparison.

use crate::cosim::UnitSummary;
use crate::lockstep::{Batch, Flow, Producer};
use std::fmt::Debug;

/// Counts situations of a unit in the rows that its model shows.
pub trait Situations: Debug + Send {
    /// Takes the rows of some cycles, in their order. `words` is the length of a row.
    fn take(&mut self, rows: &[u32], words: usize);

    /// Each situation and how often it was met, in the order in which people read them.
    fn counts(&self) -> Vec<(&'static str, u64)>;
}

/// A producer that is watched, a batch at a time.
pub(super) struct Counting<'a, P> {
    pub(super) producer: &'a mut P,
    pub(super) situations: &'a mut dyn Situations,
    pub(super) words: usize,
}

impl<P: Producer> Producer for Counting<'_, P> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        let flow = self.producer.fill(batch);
        self.situations.take(batch.expected(), self.words);
        flow
    }
}

/// Adds the counts to a summary: what was met, and what was not.
pub(super) fn add(counts: &[(&'static str, u64)], to: &mut UnitSummary) {
    let keys = counts.iter().map(|(name, count)| ((*name).to_owned(), (*count).into()));
    to.keys.insert("situations".to_owned(), serde_json::Value::Object(keys.collect()));
    let met = counts.iter().filter(|(_, count)| *count != 0).map(|(name, count)| format!("{name}: {count}"));
    let never = counts.iter().filter(|(_, count)| *count == 0).map(|(name, _)| format!("{name}: 0"));
    to.lines.extend(wrapped("met", &met.collect::<Vec<_>>()));
    to.lines.extend(wrapped("never met", &never.collect::<Vec<_>>()));
}

/// Says why a run of one engine alone has no counts.
pub(super) fn add_none(to: &mut UnitSummary) {
    to.lines.push(("situations", "not counted: only lockstep makes the rows in which they show".to_owned()));
}

/// Three to a line: the label stands before the first.
fn wrapped(label: &'static str, words: &[String]) -> Vec<(&'static str, String)> {
    let line = |(place, words): (usize, &[String])| (if place == 0 { label } else { "" }, words.join(", "));
    words.chunks(3).enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_says_what_was_met_and_what_was_not() {
        let mut summary = UnitSummary::default();
        add(&[("ring at threshold", 4), ("ring above threshold", 0), ("record missed", 1)], &mut summary);
        let expected = [("met", "ring at threshold: 4, record missed: 1"), ("never met", "ring above threshold: 0")];
        assert_eq!(summary.lines, expected.map(|(label, text)| (label, text.to_owned())));
        assert_eq!(summary.keys["situations"]["ring above threshold"], 0);
    }
}
