//! Situations of a run, from the outputs: debug exceptions by class and cause, cuts, answers.

use crate::cosim::Situations;
use crate::lockstep::Field;
use lwp_model::debug::DbClass;
use lwp_model::retire::RegResult;
use lwp_model::{Choice, Unit};

/// In the order of the summary.
const NAMES: [&str; 13] = [
    "trap",
    "fault",
    "abort",
    "rollback",
    "breakpoint reported",
    "step reported",
    "several breakpoints reported",
    "step and breakpoint reported",
    "group cut before a lane",
    "group cut behind a lane",
    "breakpoint held",
    "RF pushed as 1",
    "request refused",
];

/// Counts of a run.
#[derive(Debug)]
pub(super) struct DebugSituations {
    valid: Field,
    class: Field,
    b: Field,
    bs: Field,
    cut: Field,
    cut_before: Field,
    hold: Field,
    frame_rf: Field,
    done: Field,
    result: Field,
    /// Whether a request was pending in the cycle before, and whether a breakpoint was held.
    before: [bool; 2],
    counts: [u64; NAMES.len()],
}

impl DebugSituations {
    /// Returns counts of a run that has not begun, for a build of the unit.
    pub(super) fn new<U: Unit>() -> Self {
        let field =
            |name: &str| *U::OUTPUT_FIELDS.iter().find(|field| field.name == name).expect("a field of the contract");
        Self {
            valid: field("db_valid"),
            class: field("db_class"),
            b: field("db_b"),
            bs: field("db_bs"),
            cut: field("cut_valid"),
            cut_before: field("cut_before"),
            hold: field("hold"),
            frame_rf: field("frame_rf"),
            done: field("reg_done"),
            result: field("reg_result"),
            before: [false; 2],
            counts: [0; NAMES.len()],
        }
    }

    fn row(&mut self, row: &[u32]) {
        let is = |field: Field| field.of(row) != 0;
        let raised = is(self.valid) && !self.before[0];
        let class = |class: DbClass| raised && self.class.of(row) == u64::from(class.code());
        let (b, step) = (self.b.of(row).count_ones(), is(self.bs));
        let met = [
            class(DbClass::Trap),
            class(DbClass::Fault),
            class(DbClass::Abort),
            class(DbClass::Rollback),
            raised && b > 0,
            raised && step,
            raised && b > 1,
            raised && step && b > 0,
            is(self.cut) && is(self.cut_before),
            is(self.cut) && !is(self.cut_before),
            is(self.hold) && !self.before[1],
            is(self.frame_rf),
            is(self.done) && self.result.of(row) != u64::from(RegResult::Done.code()),
        ];
        self.counts.iter_mut().zip(met).for_each(|(count, met)| *count += u64::from(met));
        self.before = [is(self.valid), is(self.hold)];
    }
}

impl Situations for DebugSituations {
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
    use lwp_model::debug::DebugUnit;

    type One = DebugUnit<1, 1>;

    fn row(values: &[(&str, u64)]) -> Vec<u32> {
        let mut row = vec![0; One::OUTPUT_WORDS];
        for (name, value) in values {
            One::OUTPUT_FIELDS.iter().find(|field| field.name == *name).expect("a field").set(&mut row, *value);
        }
        row
    }

    #[test]
    fn an_exception_counts_once_however_long_it_waits() {
        let trap = [("db_valid", 1), ("db_b", 0b0101), ("db_bs", 1)];
        let rows = [
            row(&[]),
            row(&[&trap[..], &[("cut_valid", 1)]].concat()),
            row(&trap),
            row(&[("frame_valid", 1), ("frame_rf", 1), ("hold", 1)]),
            row(&[("hold", 1), ("reg_done", 1), ("reg_result", 5), ("db_valid", 1), ("db_class", 1)]),
        ];
        let mut situations = DebugSituations::new::<One>();
        situations.take(&rows.concat(), One::OUTPUT_WORDS);
        let met: Vec<_> = situations.counts().into_iter().filter(|(_, count)| *count != 0).collect();
        let expected = [
            ("trap", 1),
            ("fault", 1),
            ("breakpoint reported", 1),
            ("step reported", 1),
            ("several breakpoints reported", 1),
            ("step and breakpoint reported", 1),
            ("group cut behind a lane", 1),
            ("breakpoint held", 1),
            ("RF pushed as 1", 1),
            ("request refused", 1),
        ];
        assert_eq!(met, expected);
    }
}
