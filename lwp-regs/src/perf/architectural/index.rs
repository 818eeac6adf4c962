//! Counters by number, bounded by what the processor has.

use super::{Ia32APmc, Ia32FixedCtr, Ia32PerfEvtSel, Ia32Pmc, PerfmonCaps};
use crate::msr::Msr;
use crate::perf::virtual_counter::Role;

/// The number of a general-purpose counter that exists; from [`PerfmonCaps::counter`].
///
/// `IA32_PERFEVTSELx` and `IA32_PMCx` are pairs, and their numbers the same on every processor.
///
/// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 1".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CounterIndex(u8);

impl CounterIndex {
    /// The manual names eight pairs; further ones have numbers that this crate does not know.
    pub const MAX_COUNTERS: u8 = 8;

    #[inline]
    pub(super) const fn checked(number: u8, caps: &PerfmonCaps) -> Option<Self> {
        if number < caps.counters && number < Self::MAX_COUNTERS { Some(Self(number)) } else { None }
    }

    /// The number.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// What RDPMC takes in ECX.
    #[must_use]
    #[inline]
    pub const fn rdpmc_selector(self) -> u32 {
        self.0 as u32
    }

    /// What the counter counts: `IA32_PERFEVTSELx`, 186H + x.
    #[must_use]
    #[inline]
    pub const fn select(self) -> Msr<Ia32PerfEvtSel> {
        Msr::new(Ia32PerfEvtSel::FIRST + self.0 as u32)
    }

    /// The counter: `IA32_PMCx`, 0C1H + x. A write takes 32 bits.
    #[must_use]
    #[inline]
    pub const fn counter(self) -> Msr<Ia32Pmc> {
        Msr::new(Ia32Pmc::FIRST + self.0 as u32)
    }

    /// The counter again: `IA32_A_PMCx`, 4C1H + x. A write takes its full width. `None` on a processor that lacks it.
    #[must_use]
    #[inline]
    pub const fn full_width(self, caps: &PerfmonCaps) -> Option<Msr<Ia32APmc>> {
        if caps.capabilities.full_width_write() { Some(Msr::new(Ia32APmc::FIRST + self.0 as u32)) } else { None }
    }

    /// What the register with this number is to a counter.
    #[must_use]
    #[inline]
    pub const fn role(address: u32) -> Option<Role> {
        match address {
            0x186..=0x18D => Some(Role::Select((address - Ia32PerfEvtSel::FIRST) as u8)),
            0xC1..=0xC8 => Some(Role::Counter((address - Ia32Pmc::FIRST) as u8)),
            0x4C1..=0x4C8 => Some(Role::Counter((address - Ia32APmc::FIRST) as u8)),
            _ => None,
        }
    }
}

/// The number of a fixed-function counter that exists; from [`PerfmonCaps::fixed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FixedIndex(u8);

impl FixedIndex {
    /// As many as their control register has fields for.
    pub const MAX_COUNTERS: u8 = 16;

    #[inline]
    pub(super) const fn checked(number: u8, caps: &PerfmonCaps) -> Option<Self> {
        let exists =
            number < Self::MAX_COUNTERS && (number < caps.fixed_counters || caps.fixed_bitmap >> number & 1 != 0);
        if exists { Some(Self(number)) } else { None }
    }

    /// The number.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// What RDPMC takes in ECX: bit 30 stands for the fixed-function counters.
    #[must_use]
    #[inline]
    pub const fn rdpmc_selector(self) -> u32 {
        1 << 30 | self.0 as u32
    }

    /// The counter: `IA32_FIXED_CTRx`, 309H + x.
    #[must_use]
    #[inline]
    pub const fn counter(self) -> Msr<Ia32FixedCtr> {
        Msr::new(Ia32FixedCtr::FIRST + self.0 as u32)
    }
}

/// A processor and one of its general-purpose counters: what decides about a write to its `IA32_PERFEVTSELx`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct CounterCaps {
    /// The processor.
    pub perfmon: PerfmonCaps,
    /// The counter.
    pub counter: CounterIndex,
}

impl CounterCaps {
    /// This counter of this processor.
    #[must_use]
    #[inline]
    pub const fn new(perfmon: PerfmonCaps, counter: CounterIndex) -> Self {
        Self { perfmon, counter }
    }
}

#[cfg(test)]
mod tests {
    use super::{CounterIndex, Role};
    use crate::perf::architectural::Ia32PerfCapabilities;
    use crate::perf::architectural::caps::tests::{ALL, ICE_LAKE, SKYLAKE_SP, caps};

    // APM-01, APM-03, APM-10, APM-12: a pair for each counter, at the same numbers on six processors
    #[test]
    fn pairs() {
        for leaf in ALL {
            for (x, counter) in caps(leaf).all_counters().enumerate() {
                assert_eq!(counter.select().address(), 0x186 + x as u32);
                assert_eq!(counter.counter().address(), 0xC1 + x as u32);
                assert_eq!(counter.rdpmc_selector(), x as u32);
            }
        }
        let last = caps(ICE_LAKE).counter(7).unwrap();
        assert_eq!((last.select().address(), last.counter().address()), (0x18D, 0xC8));
    }

    #[test]
    fn full_width_needs_its_capability() {
        let mut caps = caps(SKYLAKE_SP);
        let counter = caps.counter(3).unwrap();
        assert_eq!(counter.full_width(&caps), None);
        caps.capabilities = Ia32PerfCapabilities::from_bits(1 << 13);
        assert_eq!(counter.full_width(&caps).unwrap().address(), 0x4C4);
    }

    #[test]
    fn roles() {
        assert_eq!(CounterIndex::role(0x18D), Some(Role::Select(7)));
        assert_eq!(CounterIndex::role(0xC1), Some(Role::Counter(0)));
        assert_eq!(CounterIndex::role(0x4C3), Some(Role::Counter(2)));
        assert_eq!([0xC0, 0xC9, 0x185, 0x18E, 0x4C0, 0x4C9].map(CounterIndex::role), [None; 6]);
    }

    #[test]
    fn fixed_function_counters() {
        let counter = caps(SKYLAKE_SP).fixed(2).unwrap();
        assert_eq!((counter.counter().address(), counter.rdpmc_selector()), (0x30B, 0x4000_0002));
    }
}
