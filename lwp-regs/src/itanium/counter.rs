//! The four generic counters, PMD\[4\] to PMD\[7\].

use super::PmcBus;
use core::num::NonZeroU32;

/// A generic counter: PMD\[i\], configured by PMC\[i\], for i from 4 to 7.
///
/// PMC\[4\] and PMC\[5\] hold a [`Pmc45`](super::Pmc45), PMC\[6\] and PMC\[7\] a [`Pmc67`](super::Pmc67).
///
/// Source: Intel Itanium Processor Reference Manual for Software Development, "Performance Monitor Control and
/// Accessibility".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Counter {
    /// PMC\[4\] and PMD\[4\].
    Four = 4,
    /// PMC\[5\] and PMD\[5\].
    Five = 5,
    /// PMC\[6\] and PMD\[6\].
    Six = 6,
    /// PMC\[7\] and PMD\[7\].
    Seven = 7,
}

impl Counter {
    /// All four, in the order of their indices.
    pub const ALL: [Self; 4] = [Self::Four, Self::Five, Self::Six, Self::Seven];

    /// The index into both register files.
    #[must_use]
    #[inline]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// Reads the count, PMD\[i\]. Outside privilege level 0 it may read as 0; see
    /// [`Psr::reads_pmd`](super::Psr::reads_pmd).
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn read<B: PmcBus>(self, bus: &mut B) -> Result<Pmd, B::Fault> {
        bus.read_pmd(self.index()).map(Pmd::from_bits)
    }

    /// Writes the count, PMD\[i\].
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the counter keeps its count then.
    pub fn write<B: PmcBus>(self, bus: &mut B, value: Pmd) -> Result<(), B::Fault> {
        bus.write_pmd(self.index(), value.into_bits())
    }
}

layout! {
    /// PMD\[4\] to PMD\[7\]: a count of 32 bits. It overflows when it wraps around.
    ///
    /// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, "Performance Monitoring"; libpfm,
    /// `pfmlib_itanium.h`.
    #[doc(alias = "PMD[4]")]
    pub struct Pmd: u64, Ignored {
        /// The count.
        #[inline]
        pub count: u32,
        /// Copies of bit 31, when read.
        #[inline]
        pub sign: u32,
    }
}

impl Pmd {
    /// As the register holds this count, with the copies of bit 31 above it.
    #[must_use]
    #[inline]
    pub const fn of(count: u32) -> Self {
        Self::from_bits(count as i32 as i64 as u64)
    }

    /// The count from which so many events lead to an overflow; for sampling.
    #[must_use]
    #[inline]
    pub const fn overflow_after(events: NonZeroU32) -> Self {
        Self::of(events.get().wrapping_neg())
    }

    /// The register after `events` more, and whether that made it overflow.
    #[must_use]
    #[inline]
    pub const fn plus(self, events: u32) -> (Self, bool) {
        let (count, overflow) = self.count().overflowing_add(events);
        (Self::of(count), overflow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ITA-41: the counter of a pair is PMD[i] with the i of PMC[i]
    #[test]
    fn positions() {
        assert_eq!(Counter::ALL.map(Counter::index), [4, 5, 6, 7]);
        assert_eq!(Pmd::new().with_count(u32::MAX).into_bits(), 0x0000_0000_FFFF_FFFF);
        assert_eq!(Pmd::new().with_sign(u32::MAX).into_bits(), 0xFFFF_FFFF_0000_0000);
        assert_eq!(Pmd::of(0x7FFF_FFFF).into_bits(), 0x0000_0000_7FFF_FFFF);
        assert_eq!(Pmd::of(0x8000_0000).into_bits(), 0xFFFF_FFFF_8000_0000);
    }

    #[test]
    fn overflows_when_it_wraps_around() {
        let pmd = Pmd::overflow_after(NonZeroU32::new(1000).unwrap());
        assert_eq!(pmd.into_bits(), 0xFFFF_FFFF_FFFF_FC18);
        assert_eq!(pmd.plus(999), (Pmd::of(0xFFFF_FFFF), false));
        assert_eq!(pmd.plus(1000), (Pmd::of(0), true));
        assert_eq!(pmd.plus(1003), (Pmd::of(3), true));
    }
}
