//! Time in a state, by edge detection.

use super::Ia32PerfEvtSel;

/// How much time is spent in a state and how long a stay takes, for instance waiting for an interrupt to be served.
///
/// Two counters count the same condition, one the cycles in which it holds and one how often it comes to hold; see
/// [`selects`](Self::selects).
///
/// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 1", on the flag E.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Residency {
    /// Cycles in the state.
    pub cycles: u64,
    /// Entries into the state. Two stays without a cycle in between are one.
    pub entries: u64,
}

impl Residency {
    /// From `select`, which counts a condition, what the two counters are to be set to: cycles and entries.
    #[must_use]
    #[inline]
    pub const fn selects(select: Ia32PerfEvtSel) -> (Ia32PerfEvtSel, Ia32PerfEvtSel) {
        // With CMASK 0 the counter would add up events; at least 1 per cycle counts cycles.
        let cycles = if select.cmask() == 0 { select.with_cmask(1).with_invert(false) } else { select };
        (cycles.with_edge(false), cycles.with_edge(true))
    }

    /// Cycles of an average stay, rounded down; `None` without one.
    #[must_use]
    #[inline]
    pub const fn average(self) -> Option<u64> {
        self.cycles.checked_div(self.entries)
    }

    /// Millionths of `total` cycles that were spent in the state, rounded down; `None` if `total` is 0.
    #[must_use]
    #[inline]
    pub const fn parts_per_million(self, total: u64) -> Option<u64> {
        match (self.cycles as u128 * 1_000_000).checked_div(total as u128) {
            Some(parts) => Some(parts as u64),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // APM-25: fraction of the time and average length, from ten cycles with two stays
    #[test]
    fn fraction_and_average() {
        let (cycles, entries) = Residency::selects(Ia32PerfEvtSel::from_bits(0x0041_01C6));
        assert_eq!((cycles.into_bits(), entries.into_bits()), (0x0141_01C6, 0x0145_01C6));
        let run = [0u64, 1, 1, 1, 0, 0, 2, 0, 0, 0];
        let count = |select: Ia32PerfEvtSel| run.windows(2).map(|pair| select.increment(pair[0], pair[1])).sum::<u64>();
        let stay = Residency { cycles: count(cycles), entries: count(entries) };
        assert_eq!(stay, Residency { cycles: 4, entries: 2 });
        assert_eq!(stay.average(), Some(2));
        assert_eq!(stay.parts_per_million(10), Some(400_000));
        assert_eq!(Residency { cycles: u64::MAX, entries: 1 }.parts_per_million(u64::MAX), Some(1_000_000));
        assert_eq!(Residency { cycles: 4, entries: 0 }.average(), None);
        assert_eq!(stay.parts_per_million(0), None);
    }

    #[test]
    fn a_comparison_is_kept() {
        let (cycles, entries) = Residency::selects(Ia32PerfEvtSel::from_bits(0x02C1_00C0));
        assert_eq!((cycles.into_bits(), entries.into_bits()), (0x02C1_00C0, 0x02C5_00C0));
    }
}
