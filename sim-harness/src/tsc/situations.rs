//! Situations of a run, from the registers: answers, writes, time.

use crate::cosim::Situations;
use crate::lockstep::Field;
use lwp_model::retire::RegResult;
use lwp_model::{Choice, Unit};

/// In the order of the summary.
const NAMES: [&str; 8] = [
    "request done",
    "request refused",
    "aux read",
    "offset written",
    "aux written",
    "low half of a counter wraps",
    "fraction of a tick left over",
    "boot ratio taken",
];

/// Registers of a logical processor.
#[derive(Clone, Copy, Debug)]
struct Processor {
    counter: Field,
    adjust: Field,
    aux: Field,
}

/// Counts of a run.
#[derive(Debug)]
pub(super) struct TscSituations {
    done: Field,
    result: Field,
    read_aux: Field,
    fraction: Field,
    booted: Field,
    processors: Vec<Processor>,
    /// Row of the cycle before.
    before: Vec<u32>,
    counts: [u64; NAMES.len()],
}

impl TscSituations {
    /// Returns counts of a run that has not begun, for a build of the unit.
    pub(super) fn new<U: Unit>() -> Self {
        let find = |name: &str| U::OUTPUT_FIELDS.iter().find(|field| field.name == name).copied();
        let field = |name: &str| find(name).expect("a field of the contract");
        let processor = |lp: usize| {
            let of = |name: &str| find(&format!("state.processors[{lp}].{name}"));
            Some(Processor { counter: of("counter")?, adjust: of("adjust")?, aux: of("aux")? })
        };
        Self {
            done: field("reg_done"),
            result: field("reg_result"),
            read_aux: field("reg_aux"),
            fraction: field("state.rate.fraction"),
            booted: field("state.rate.booted"),
            processors: (0..).map_while(processor).collect(),
            before: vec![0; U::OUTPUT_WORDS],
            counts: [0; NAMES.len()],
        }
    }

    fn row(&mut self, row: &[u32]) {
        if row == self.before {
            return;
        }
        let before = &self.before[..];
        let differs = |field: Field| field.of(row) != field.of(before);
        let answered = self.done.of(row) != 0;
        let done = self.result.of(row) == u64::from(RegResult::Done.code());
        let counts = |of: &dyn Fn(&Processor) -> bool| self.processors.iter().filter(|lp| of(lp)).count() as u64;
        // What ticks add is far below 2^32: a high half that changes alone was carried into.
        let wraps = |lp: &Processor| {
            !differs(lp.adjust) && lp.counter.of(row) >> 32 == (lp.counter.of(before) >> 32).wrapping_add(1)
        };
        let met = [
            u64::from(answered && done),
            u64::from(answered && !done),
            u64::from(answered && self.read_aux.of(row) != 0),
            counts(&|lp| differs(lp.adjust)),
            counts(&|lp| differs(lp.aux)),
            counts(&wraps),
            u64::from(differs(self.fraction) && self.fraction.of(row) != 0),
            u64::from(differs(self.booted)),
        ];
        self.counts.iter_mut().zip(met).for_each(|(count, met)| *count += met);
        self.before.copy_from_slice(row);
    }
}

impl Situations for TscSituations {
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
    use lwp_model::tsc::Tsc;

    type Two = Tsc<2>;

    /// A row with these fields.
    fn row(values: &[(&str, u64)]) -> Vec<u32> {
        let mut row = vec![0; Two::OUTPUT_WORDS];
        for (name, value) in values {
            let field = Two::OUTPUT_FIELDS.iter().find(|field| field.name == *name).expect("a field");
            let bits = u128::from(*value) << field.lsb;
            for (word, part) in
                row[field.word..].iter_mut().zip([bits as u32, (bits >> 32) as u32, (bits >> 64) as u32])
            {
                *word |= part;
            }
        }
        row
    }

    #[test]
    fn answers_writes_and_carries_are_counted_once() {
        let (counter, adjust) = ("state.processors[1].counter", "state.processors[1].adjust");
        let gp = u64::from(RegResult::GeneralProtection.code());
        let done = u64::from(RegResult::Done.code());
        let rows = [
            row(&[(counter, 0xFFFF_FFFE)]),
            row(&[(counter, 0x1_0000_0004), ("state.rate.fraction", 3)]),
            // Nothing new.
            row(&[(counter, 0x1_0000_0004), ("state.rate.fraction", 3)]),
            // A write of the counter is no carry.
            row(&[
                (counter, 0x2_0000_0004),
                (adjust, 0x1_0000_0000),
                ("reg_done", 1),
                ("reg_result", done),
                ("reg_aux", 7),
            ]),
            row(&[(counter, 0x2_0000_0004), (adjust, 0x1_0000_0000), ("reg_done", 1), ("reg_result", gp)]),
        ];
        let mut situations = TscSituations::new::<Two>();
        situations.take(&rows.concat(), Two::OUTPUT_WORDS);
        let met: Vec<_> = situations.counts().into_iter().filter(|(_, count)| *count != 0).collect();
        let expected = [
            ("request done", 1),
            ("request refused", 1),
            ("aux read", 1),
            ("offset written", 1),
            ("low half of a counter wraps", 1),
            ("fraction of a tick left over", 1),
        ];
        assert_eq!(met, expected);
    }
}
