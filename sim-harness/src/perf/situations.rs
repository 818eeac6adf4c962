//! Situations of a run, from the registers: answers, overflows, interrupts, freezes.

use crate::cosim::Situations;
use crate::lockstep::Field;
use lwp_model::retire::RegResult;
use lwp_model::{Choice, Unit};

/// In the order of the summary.
const NAMES: [&str; 8] = [
    "request done",
    "request refused",
    "general counter overflows",
    "fixed counter overflows",
    "interrupt requested",
    "overflow without interrupt",
    "counters frozen",
    "pin asserted",
];

/// Counts of a run.
#[derive(Debug)]
pub(super) struct PerfSituations {
    done: Field,
    result: Field,
    general: Vec<Field>,
    fixed: Vec<Field>,
    pins: Vec<Field>,
    enables: Vec<Field>,
    irqs: Vec<Field>,
    pmis: Vec<Field>,
    /// Row of the cycle before.
    before: Vec<u32>,
    counts: [u64; NAMES.len()],
}

impl PerfSituations {
    /// Returns counts of a run that has not begun, for a build of the unit.
    pub(super) fn new<U: Unit>() -> Self {
        let field =
            |name: &str| *U::OUTPUT_FIELDS.iter().find(|field| field.name == name).expect("a field of the contract");
        let all = |begin: &str, end: &str| -> Vec<Field> {
            let of = |field: &&Field| field.name.starts_with(begin) && field.name.ends_with(end);
            U::OUTPUT_FIELDS.iter().filter(of).copied().collect()
        };
        Self {
            done: field("reg_done"),
            result: field("reg_result"),
            general: all("general[", "overflow"),
            fixed: all("fixed[", "overflow"),
            pins: all("general[", "pin"),
            enables: all("state.general[", ".on"),
            irqs: all("lp[", ".irq"),
            pmis: all("lp[", ".pmi"),
            before: vec![0; U::OUTPUT_WORDS],
            counts: [0; NAMES.len()],
        }
    }

    fn row(&mut self, row: &[u32]) {
        if row == self.before {
            return;
        }
        let before = &self.before[..];
        let answered = self.done.of(row) != 0;
        let done = self.result.of(row) == u64::from(RegResult::Done.code());
        let are = |fields: &[Field]| fields.iter().filter(|field| field.of(row) != 0).count() as u64;
        let rise = |fields: &[Field]| fields.iter().filter(|field| field.of(row) > field.of(before)).count() as u64;
        let fall = |fields: &[Field]| fields.iter().filter(|field| field.of(row) < field.of(before)).count() as u64;
        let overflows = are(&self.general) + are(&self.fixed);
        let met = [
            u64::from(answered && done),
            u64::from(answered && !done),
            are(&self.general),
            are(&self.fixed),
            rise(&self.irqs),
            if are(&self.pmis) == 0 { overflows } else { 0 },
            u64::from(fall(&self.enables) > 0),
            rise(&self.pins),
        ];
        self.counts.iter_mut().zip(met).for_each(|(count, met)| *count += met);
        self.before.copy_from_slice(row);
    }
}

impl Situations for PerfSituations {
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
    use lwp_model::perf::Perf;

    type Two = Perf<2, 4, 3, 2>;

    /// A row with these bits set.
    fn row(names: &[&str]) -> Vec<u32> {
        let mut row = vec![0; Two::OUTPUT_WORDS];
        for name in names {
            let field = Two::OUTPUT_FIELDS.iter().find(|field| field.name == *name).expect("a field");
            row[field.word] |= 1 << field.lsb;
        }
        row
    }

    #[test]
    fn overflows_and_interrupts_are_counted_once() {
        let rows = [
            row(&["state.general[0][0].on", "reg_done"]),
            row(&["state.general[0][0].on", "general[1][2].overflow", "fixed[0][1].overflow"]),
            row(&["general[0][0].overflow", "lp[0].pmi", "lp[0].irq", "general[0][0].pin"]),
            row(&["lp[0].irq", "general[0][0].pin"]),
        ];
        let mut situations = PerfSituations::new::<Two>();
        situations.take(&rows.concat(), Two::OUTPUT_WORDS);
        let counts = situations.counts().into_iter().map(|(_, count)| count).collect::<Vec<_>>();
        assert_eq!(counts, [1, 0, 2, 1, 1, 2, 1, 1]);
    }
}
