//! What a run has met, from the registers: the threshold, the ring, interrupts, faults, operations.

use super::fields::FIELDS;
use crate::cosim::Situations;
use crate::lockstep::Field;
use lwp_model::lwp::{CtlOp, StoreState};

/// Bytes of a record.
const RECORD: u64 = 32;

/// In the order of the summary.
const NAMES: [&str; 20] = [
    "record of instructions retired",
    "record of branches retired",
    "record of DCache misses",
    "no threshold",
    "ring below threshold",
    "ring at threshold",
    "ring above threshold",
    "ring full",
    "record missed",
    "head wraps",
    "tail read",
    "interrupt",
    "page fault",
    "access abandoned",
    "record pending",
    "record held outside ring 3",
    "load replayed for its address",
    "retirement stalls",
    "context saved",
    "context restored",
];

/// The registers that tell them.
#[derive(Clone, Copy, Debug)]
struct Registers {
    store_st: Field,
    event: Field,
    threshold: Field,
    head: Field,
    tail: Field,
    size: Field,
    irq: Field,
    pf_valid: Field,
    mem_drop: Field,
    pending: Field,
    tag_valid: Field,
    was_ring3: Field,
    active: Field,
    stall: Field,
    ctl_st: Field,
    ctl_op: Field,
}

impl Registers {
    fn new() -> Self {
        let field = |name: &str| *FIELDS.iter().find(|field| field.name == name).expect("a field of the contract");
        Self {
            store_st: field("state.store_st"),
            event: field("state.records[0].event"),
            threshold: field("state.threshold"),
            head: field("state.head"),
            tail: field("state.tail"),
            size: field("state.size"),
            irq: field("state.irq"),
            pf_valid: field("state.pf_valid"),
            mem_drop: field("state.mem_drop"),
            pending: field("state.pending"),
            tag_valid: field("state.tag_valid"),
            was_ring3: field("state.was_ring3"),
            active: field("state.active"),
            stall: field("stall"),
            ctl_st: field("state.ctl_st"),
            ctl_op: field("state.ctl_op"),
        }
    }
}

/// The counts of a run.
#[derive(Debug)]
pub(super) struct LwpSituations {
    registers: Registers,
    /// What was seen in the cycle before: store state, control state, and the bits below.
    before: (u64, u64, [bool; 7]),
    counts: [u64; NAMES.len()],
}

impl LwpSituations {
    /// Nothing met.
    pub(super) fn new() -> Self {
        Self { registers: Registers::new(), before: (0, 0, [false; 7]), counts: [0; NAMES.len()] }
    }

    fn hit(&mut self, name: &str) {
        let at = NAMES.iter().position(|known| *known == name).expect("a situation of the list");
        self.counts[at] += 1;
    }

    /// One cycle; nearly all change nothing that is looked at.
    fn row(&mut self, row: &[u32]) {
        let is = self.registers;
        // With the other policies the record goes in the cycle in which ring 3 is left, or is stored first.
        let held = is.was_ring3.of(row) == 0 && is.active.of(row) != 0 && is.event.of(row) != 0;
        let bits = [is.irq, is.pf_valid, is.mem_drop, is.pending, is.tag_valid, is.stall].map(|bit| bit.of(row) != 0);
        let bits = [bits[0], bits[1], bits[2], bits[3], held, bits[4], bits[5]];
        let (store, ctl) = (is.store_st.of(row), is.ctl_st.of(row));
        if (store, ctl, bits) == self.before {
            return;
        }
        let (store_before, ctl_before, bits_before) = std::mem::replace(&mut self.before, (store, ctl, bits));
        let rises = ["interrupt", "page fault", "access abandoned", "record pending", "record held outside ring 3"];
        let rises = rises.into_iter().chain(["load replayed for its address", "retirement stalls"]);
        for ((name, now), before) in rises.zip(bits).zip(bits_before) {
            if now && !before {
                self.hit(name);
            }
        }
        if store != store_before {
            self.store(row, store_before, store);
        }
        if ctl_before == 0 && ctl != 0 {
            match is.ctl_op.of(row) {
                op if op == CtlOp::Save as u64 => self.hit("context saved"),
                op if op == CtlOp::Restore as u64 => self.hit("context restored"),
                _ => {}
            }
        }
    }

    /// The store machine takes a step.
    fn store(&mut self, row: &[u32], before: u64, now: u64) {
        let is = self.registers;
        const IDLE: u64 = StoreState::Idle as u64;
        const TAIL: u64 = StoreState::Tail as u64;
        const REPORT: u64 = StoreState::Report as u64;
        const RESET: u64 = StoreState::Reset as u64;
        if before == IDLE {
            match is.event.of(row) {
                1 => self.hit(NAMES[0]),
                2 => self.hit(NAMES[1]),
                3 => self.hit(NAMES[2]),
                _ => {}
            }
        }
        match now {
            TAIL => self.hit("tail read"),
            REPORT => self.published(row),
            RESET if before != REPORT => self.hit("record missed"),
            _ => {}
        }
    }

    /// The head has moved, and the threshold is looked at.
    fn published(&mut self, row: &[u32]) {
        let is = self.registers;
        let (head, tail, size, threshold) = (is.head.of(row), is.tail.of(row), is.size.of(row), is.threshold.of(row));
        let used = if head >= tail { head - tail } else { (head + size).saturating_sub(tail) };
        self.hit(match threshold {
            0 => "no threshold",
            _ if used < threshold => "ring below threshold",
            _ if used == threshold => "ring at threshold",
            _ => "ring above threshold",
        });
        if used + RECORD == size {
            self.hit("ring full");
        }
        if head == 0 {
            self.hit("head wraps");
        }
    }
}

impl Situations for LwpSituations {
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
    use lwp_model::lwp::flat::OUT_WORDS;

    fn put(row: &mut [u32], field: Field, value: u64) {
        let bits = value << field.lsb;
        row[field.word] |= bits as u32;
        if bits >> 32 != 0 {
            row[field.word + 1] |= (bits >> 32) as u32;
        }
    }

    #[test]
    fn the_threshold_is_counted_where_it_is_looked_at() {
        let mut situations = LwpSituations::new();
        let is = situations.registers;
        for (head, tail) in [(64, 32), (96, 32), (128, 32), (0, 32)] {
            let mut row = vec![0; OUT_WORDS];
            for (field, value) in [(is.head, head), (is.tail, tail), (is.size, 256), (is.threshold, 64)] {
                put(&mut row, field, value);
            }
            situations.take(&row, OUT_WORDS);
            put(&mut row, is.store_st, StoreState::Report as u64);
            // It stays for a second cycle: counted once.
            situations.take(&[row.clone(), row].concat(), OUT_WORDS);
        }
        let counts: Vec<_> = situations.counts().into_iter().filter(|(_, count)| *count != 0).collect();
        let expected = [
            ("ring below threshold", 1),
            ("ring at threshold", 1),
            ("ring above threshold", 2),
            ("ring full", 1),
            ("head wraps", 1),
        ];
        assert_eq!(counts, expected);
    }
}
