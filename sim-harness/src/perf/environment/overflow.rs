//! Overflows that the unit has shown and no handler has seen.

use super::setup::Which;
use lwp_model::perf::Outputs;
use std::collections::BTreeMap;

/// An overflow, and what had retired then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overflow {
    pub(super) lp: u8,
    pub(super) which: Which,
    /// Instructions that had retired, that with the overflow included.
    pub(super) retired: u64,
    /// Address of the last of them.
    pub(super) ip: u64,
}

#[derive(Debug, Default)]
pub(super) struct Overflows {
    pending: Vec<Overflow>,
    counts: BTreeMap<(u8, Which), u64>,
}

impl Overflows {
    /// Notes the overflows that the outputs show: those of the last cycle.
    #[inline]
    pub(super) fn note<const LP: usize, const GENERAL: usize, const FIXED: usize>(
        &mut self,
        out: &Outputs<LP, GENERAL, FIXED>,
        retired: u64,
        ip: u64,
    ) {
        for lp in 0..LP {
            for (index, _) in out.general[lp].iter().enumerate().filter(|(_, counter)| counter.overflow) {
                self.add(Overflow { lp: lp as u8, which: Which::General(index as u8), retired, ip });
            }
            for (index, _) in out.fixed[lp].iter().enumerate().filter(|(_, counter)| counter.overflow) {
                self.add(Overflow { lp: lp as u8, which: Which::Fixed(index as u8), retired, ip });
            }
        }
    }

    #[cold]
    fn add(&mut self, overflow: Overflow) {
        *self.counts.entry((overflow.lp, overflow.which)).or_default() += 1;
        if !self.pending.iter().any(|known| (known.lp, known.which) == (overflow.lp, overflow.which)) {
            self.pending.push(overflow);
        }
    }

    /// Takes those of a logical processor, the first of each counter.
    pub(super) fn take(&mut self, lp: u8) -> Vec<Overflow> {
        let (own, others) = self.pending.drain(..).partition(|overflow| overflow.lp == lp);
        self.pending = others;
        own
    }

    /// Returns how often each counter has overflowed.
    pub(super) fn counts(&self) -> Vec<(u8, Which, u64)> {
        self.counts.iter().map(|(&(lp, which), &count)| (lp, which, count)).collect()
    }
}
