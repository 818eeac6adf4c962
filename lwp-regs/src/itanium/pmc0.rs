//! PMC\[0\]: freeze and overflow.

use super::pmc::pmc_value;
use super::{Counter, Pmc};
use crate::bits::U4;

layout! {
    /// PMC\[0\]: the freeze bit, and which counters have overflowed.
    ///
    /// While `fr` is 1, nothing is monitored. Software sets it, or an overflow does; only software clears it.
    ///
    /// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, "Performance Monitoring"; libpfm,
    /// `pfmlib_itanium.h`.
    #[doc(alias = "PMC[0]")]
    pub struct Pmc0: u64, Ignored {
        /// Freeze: nothing is monitored.
        #[inline]
        pub fr: bool,
        #[bits(3)]
        __: u8,
        /// Bit i - 4 tells that PMD\[i\] has overflowed; [`overflowed`](Self::overflowed).
        #[inline]
        #[bits(4)]
        pub overflow: U4,
        #[bits(56)]
        __: u64,
    }
}

pmc_value!(Pmc0, "PMC[0]");

impl Pmc0 {
    /// The register.
    pub const PMC: Pmc<Self> = Pmc::new(0);
    /// Frozen, no overflow: what Linux starts with.
    pub const FROZEN: Self = Self::new().with_fr(true);
    /// Monitoring, no overflow.
    pub const RUNNING: Self = Self::new();

    /// Whether the counter has overflowed.
    #[must_use]
    #[inline]
    pub const fn overflowed(self, counter: Counter) -> bool {
        self.into_bits() >> counter.index() & 1 == 1
    }

    /// The register after an overflow of `counter`, whose PMC\[i\].oi is `oi`: with it, the overflow is recorded and
    /// monitoring freezes; without it nothing happens.
    ///
    /// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, "Performance Monitoring". The
    /// reference manual says only that overflows "can" freeze.
    #[must_use]
    #[inline]
    pub const fn after_overflow(self, counter: Counter, oi: bool) -> Self {
        if !oi {
            return self;
        }
        Self::from_bits(self.into_bits() | 1 << counter.index()).with_fr(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ITA-20: fr in bit 0; the overflow bit of PMD[i] is bit i
    #[test]
    fn positions() {
        assert_eq!(Pmc0::PMC.index(), 0);
        assert_eq!(Pmc0::FROZEN.into_bits(), 0x01);
        assert_eq!(Pmc0::new().with_overflow(U4::of::<0xF>()).into_bits(), 0xF0);
        assert_eq!(Pmc0::RESERVED, 0xFFFF_FFFF_FFFF_FF0E);
        for (counter, bits) in Counter::ALL.into_iter().zip([0x10, 0x20, 0x40, 0x80]) {
            assert!(Pmc0::from_bits(bits).overflowed(counter));
            assert!(!Pmc0::from_bits(!bits).overflowed(counter));
        }
    }

    #[test]
    fn an_overflow_freezes_if_it_may_interrupt() {
        assert_eq!(Pmc0::RUNNING.after_overflow(Counter::Six, true).into_bits(), 0x41);
        assert_eq!(Pmc0::from_bits(0x41).after_overflow(Counter::Four, true).into_bits(), 0x51);
        assert_eq!(Pmc0::RUNNING.after_overflow(Counter::Six, false), Pmc0::RUNNING);
    }
}
