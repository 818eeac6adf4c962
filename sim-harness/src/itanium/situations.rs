//! Situations of a run, from the registers: counting, overflow, freeze, processes, answers.

use crate::cosim::Situations;
use crate::lockstep::Field;
use lwp_model::itanium::{COUNTERS, RegResult};
use lwp_model::{Choice, Unit};

/// In the order of the summary.
const NAMES: [&str; 9] = [
    "counter counts",
    "counter overflows",
    "monitoring frozen",
    "monitoring thawed",
    "interrupt requested",
    "pin pulsed",
    "bundle tagged",
    "status changed",
    "request done",
];

/// Counts of a run.
#[derive(Debug)]
pub(super) struct ItaniumSituations {
    count: [Field; COUNTERS],
    overflow: Field,
    fr: Field,
    irq: Field,
    pin: Field,
    status: [Field; 3],
    tags: Vec<Field>,
    done: Field,
    result: Field,
    /// Row of the cycle before.
    before: Vec<u32>,
    counts: [u64; NAMES.len()],
}

impl ItaniumSituations {
    /// Returns counts of a run that has not begun, for a build of the unit.
    pub(super) fn new<U: Unit>() -> Self {
        let find = |name: &str| U::OUTPUT_FIELDS.iter().find(|field| field.name == name).copied();
        let field = |name: &str| find(name).expect("a field of the contract");
        Self {
            count: std::array::from_fn(|c| field(&format!("state.counter[{c}].count"))),
            overflow: field("state.freeze.overflow"),
            fr: field("state.freeze.fr"),
            irq: field("irq"),
            pin: field("pin"),
            status: ["psr_up", "psr_sp", "psr_pp"].map(field),
            tags: (0..).map_while(|e| find(&format!("state.tag[{e}].pmc8"))).collect(),
            done: field("reg_done"),
            result: field("reg_result"),
            before: vec![0; U::OUTPUT_WORDS],
            counts: [0; NAMES.len()],
        }
    }

    fn row(&mut self, row: &[u32]) {
        if row == self.before {
            return;
        }
        let before = &self.before[..];
        let differs = |field: &Field| field.of(row) != field.of(before);
        let rises = |field: &Field| field.of(row) & !field.of(before) != 0;
        let done = self.done.of(row) != 0 && self.result.of(row) == u64::from(RegResult::Done.code());
        let tagged = |field: &&Field| differs(field) && field.of(row) != 0;
        let met = [
            self.count.iter().filter(|count| differs(count)).count() as u64,
            u64::from(rises(&self.overflow)),
            u64::from(rises(&self.fr)),
            u64::from(differs(&self.fr) && self.fr.of(row) == 0),
            u64::from(rises(&self.irq)),
            u64::from(self.pin.of(row).count_ones()),
            self.tags.iter().filter(tagged).count() as u64,
            u64::from(self.status.iter().any(differs)),
            u64::from(done),
        ];
        self.counts.iter_mut().zip(met).for_each(|(count, met)| *count += met);
        self.before.copy_from_slice(row);
    }
}

impl Situations for ItaniumSituations {
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
    use lwp_model::itanium::Itanium;

    type Small = Itanium<1, 4>;

    /// A row with these fields.
    fn row(values: &[(&str, u64)]) -> Vec<u32> {
        let mut row = vec![0; Small::OUTPUT_WORDS];
        for (name, value) in values {
            let field = Small::OUTPUT_FIELDS.iter().find(|field| field.name == *name).expect("a field");
            field.set(&mut row, *value);
        }
        row
    }

    #[test]
    fn what_changes_is_counted_once() {
        let (count, fr, overflow) = ("state.counter[2].count", "state.freeze.fr", "state.freeze.overflow");
        let frozen = [(count, 3), (fr, 1), (overflow, 4), ("irq", 1), ("pin", 4)];
        let rows = [
            row(&[(count, 0xFFFF_FFFF), ("state.tag[1].pmc8", 5)]),
            row(&frozen),
            row(&frozen),
            row(&[(count, 3), ("psr_up", 1), ("reg_done", 1)]),
        ];
        let mut situations = ItaniumSituations::new::<Small>();
        situations.take(&rows.concat(), Small::OUTPUT_WORDS);
        let met: Vec<_> = situations.counts().into_iter().filter(|(_, count)| *count != 0).collect();
        let expected = [
            ("counter counts", 2),
            ("counter overflows", 1),
            ("monitoring frozen", 1),
            ("monitoring thawed", 1),
            ("interrupt requested", 1),
            ("pin pulsed", 1),
            ("bundle tagged", 1),
            ("status changed", 1),
            ("request done", 1),
        ];
        assert_eq!(met, expected);
    }
}
