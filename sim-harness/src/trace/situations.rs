//! Situations of a run, from outputs and registers: stalls, messages, records, interrupts, freezes, answers.

use crate::cosim::Situations;
use crate::lockstep::Field;
use lwp_model::retire::RegResult;
use lwp_model::{Choice, Unit};

/// In the order of the summary.
const NAMES: [&str; 10] = [
    "messages in a row on the bus",
    "branch record stored",
    "branch record of a circular buffer",
    "precise record stored",
    "counter armed",
    "record lost",
    "interrupt requested",
    "stack frozen",
    "core stalled",
    "request refused",
];

/// Counts of a run.
#[derive(Debug)]
pub(super) struct TraceSituations {
    message: Field,
    stored: Field,
    lost: Field,
    requested: Field,
    stall: Field,
    armed: Field,
    frozen: Field,
    pebs: Field,
    circular: Field,
    done: Field,
    result: Field,
    /// Message, armed, circular, frozen and stall of the cycle before.
    before: [bool; 5],
    counts: [u64; NAMES.len()],
}

impl TraceSituations {
    /// Returns counts of a run that has not begun, for a build of the unit.
    pub(super) fn new<U: Unit>() -> Self {
        let field =
            |name: &str| *U::OUTPUT_FIELDS.iter().find(|field| field.name == name).expect("a field of the contract");
        Self {
            message: field("btm_valid"),
            stored: field("stored"),
            lost: field("lost"),
            requested: field("ds_pmi"),
            stall: field("stall"),
            armed: field("pebs_armed"),
            frozen: field("state.control.lbr_frozen"),
            pebs: field("state.store.pebs"),
            circular: field("state.store.circular"),
            done: field("reg_done"),
            result: field("reg_result"),
            before: [false; 5],
            counts: [0; NAMES.len()],
        }
    }

    fn row(&mut self, row: &[u32]) {
        let is = |field: Field| field.of(row) != 0;
        let now = [self.message, self.armed, self.circular, self.frozen, self.stall].map(is);
        let [message, armed, _, frozen, stall] = std::array::from_fn(|at| now[at] && !self.before[at]);
        let (stored, precise) = (is(self.stored), is(self.pebs));
        let met = [
            message,
            stored && !precise,
            stored && !precise && self.before[2],
            stored && precise,
            armed,
            is(self.lost),
            is(self.requested),
            frozen,
            stall,
            is(self.done) && self.result.of(row) != u64::from(RegResult::Done.code()),
        ];
        self.counts.iter_mut().zip(met).for_each(|(count, met)| *count += u64::from(met));
        self.before = now;
    }
}

impl Situations for TraceSituations {
    fn take(&mut self, rows: &[u32], words: usize) {
        rows.chunks_exact(words).for_each(|row| self.row(row));
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        NAMES.into_iter().zip(self.counts).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_model::trace::TraceUnit;

    type One = TraceUnit<1, 4>;

    fn row(values: &[(&str, u64)]) -> Vec<u32> {
        let mut row = vec![0; One::OUTPUT_WORDS];
        for (name, value) in values {
            One::OUTPUT_FIELDS.iter().find(|field| field.name == *name).expect("a field").set(&mut row, *value);
        }
        row
    }

    #[test]
    fn what_lasts_counts_once() {
        let rows = [
            row(&[("stall", 1), ("btm_valid", 1), ("state.store.circular", 1)]),
            row(&[("stall", 1), ("btm_valid", 1), ("stored", 1)]),
            row(&[("stored", 1), ("state.store.pebs", 1), ("ds_pmi", 1), ("pebs_armed", 1)]),
            row(&[("lost", 1), ("state.control.lbr_frozen", 1), ("pebs_armed", 3)]),
            row(&[("reg_done", 1), ("reg_result", 2), ("state.control.lbr_frozen", 1)]),
        ];
        let mut situations = TraceSituations::new::<One>();
        situations.take(&rows.concat(), One::OUTPUT_WORDS);
        assert_eq!(situations.counts(), NAMES.map(|name| (name, 1)));
    }
}
