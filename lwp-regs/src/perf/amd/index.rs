//! AMD's counters by number, bounded by what the processor has.

use super::{AmdPerfCaps, AmdPerfCtl, AmdPerfCtr};
use crate::msr::Msr;
use crate::perf::virtual_counter::Role;

/// Number of `PERF_LEGACY_CTL0`; the other three follow.
pub const LEGACY_CTL: u32 = 0xC001_0000;
/// Number of `PERF_LEGACY_CTR0`; the other three follow.
pub const LEGACY_CTR: u32 = 0xC001_0004;
/// Number of `PERF_CTL0`; each is followed by its counter.
pub const EXTENDED_CTL: u32 = 0xC001_0200;
/// Number of `PERF_CTR0`.
pub const EXTENDED_CTR: u32 = 0xC001_0201;

/// A core performance counter that exists; from [`AmdPerfCaps::counter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AmdCounterIndex {
    number: u8,
    extended: bool,
}

impl AmdPerfCaps {
    /// Counter `number`; `None` when this processor has none.
    #[must_use]
    #[inline]
    pub const fn counter(&self, number: u8) -> Option<AmdCounterIndex> {
        if number < self.counters() { Some(AmdCounterIndex { number, extended: self.core_extensions }) } else { None }
    }
}

impl AmdCounterIndex {
    /// The number.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u8 {
        self.number
    }

    /// What RDPMC takes in ECX.
    #[must_use]
    #[inline]
    pub const fn rdpmc_selector(self) -> u32 {
        self.number as u32
    }

    /// What the counter counts: `PERF_CTLn`, C001_0200H + 2n, or C001_0000H + n without the extension.
    #[must_use]
    #[inline]
    pub const fn select(self) -> Msr<AmdPerfCtl> {
        let number = self.number as u32;
        Msr::new(if self.extended { EXTENDED_CTL + 2 * number } else { LEGACY_CTL + number })
    }

    /// The counter: `PERF_CTRn`, C001_0201H + 2n, or C001_0004H + n without the extension.
    #[must_use]
    #[inline]
    pub const fn counter(self) -> Msr<AmdPerfCtr> {
        let number = self.number as u32;
        Msr::new(if self.extended { EXTENDED_CTR + 2 * number } else { LEGACY_CTR + number })
    }

    /// What the register with this number is to a counter, by its old number or by its new one.
    #[must_use]
    #[inline]
    pub const fn role(address: u32) -> Option<Role> {
        match address {
            0xC001_0000..=0xC001_0003 => Some(Role::Select((address - LEGACY_CTL) as u8)),
            0xC001_0004..=0xC001_0007 => Some(Role::Counter((address - LEGACY_CTR) as u8)),
            0xC001_0200..=0xC001_020B if address.is_multiple_of(2) => {
                Some(Role::Select(((address - EXTENDED_CTL) / 2) as u8))
            }
            0xC001_0200..=0xC001_020B => Some(Role::Counter(((address - EXTENDED_CTR) / 2) as u8)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let address = |core_extensions, number| {
            let counter = AmdPerfCaps::new(core_extensions).counter(number)?;
            Some((counter.select().address(), counter.counter().address(), counter.rdpmc_selector()))
        };
        assert_eq!(address(false, 0), Some((0xC001_0000, 0xC001_0004, 0)));
        assert_eq!(address(false, 3), Some((0xC001_0003, 0xC001_0007, 3)));
        assert_eq!(address(false, 4), None);
        assert_eq!(address(true, 0), Some((0xC001_0200, 0xC001_0201, 0)));
        assert_eq!(address(true, 5), Some((0xC001_020A, 0xC001_020B, 5)));
        assert_eq!(address(true, 6), None);
    }

    #[test]
    fn roles() {
        assert_eq!(AmdCounterIndex::role(0xC001_0003), Some(Role::Select(3)));
        assert_eq!(AmdCounterIndex::role(0xC001_0004), Some(Role::Counter(0)));
        assert_eq!(AmdCounterIndex::role(0xC001_020A), Some(Role::Select(5)));
        assert_eq!(AmdCounterIndex::role(0xC001_020B), Some(Role::Counter(5)));
        assert_eq!(AmdCounterIndex::role(0xC001_020C), None);
        assert_eq!(AmdCounterIndex::role(0x186), None);
    }
}
