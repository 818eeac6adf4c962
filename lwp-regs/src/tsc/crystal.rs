//! The always running timer and its ratio to the time-stamp counter.

/// How the time-stamp counter follows from the core crystal clock, on which the always running timer (ART) counts:
/// TSC = ART * numerator / denominator + offset.
///
/// Source: Intel SDM volume 3B, "Invariant Time-Keeping"; CPUID.15H: volume 2A, "CPUID - CPU Identification". The
/// registers of the leaf are given from general knowledge of the manual, to be confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CrystalRatio {
    denominator: u32,
    numerator: u32,
    crystal_hertz: Option<u32>,
}

impl CrystalRatio {
    /// The ratio in EAX (denominator), EBX (numerator) and ECX (frequency of the crystal, 0 if not told) of CPUID.15H.
    /// `None` if it is not told.
    #[must_use]
    #[inline]
    pub const fn from_cpuid(registers: [u32; 4]) -> Option<Self> {
        let [denominator, numerator, hertz, _] = registers;
        if denominator == 0 || numerator == 0 {
            return None;
        }
        Some(Self { denominator, numerator, crystal_hertz: if hertz == 0 { None } else { Some(hertz) } })
    }

    /// EAX, EBX, ECX and EDX of CPUID.15H that [`from_cpuid`](Self::from_cpuid) reads as this ratio.
    #[must_use]
    #[inline]
    pub const fn to_cpuid(self) -> [u32; 4] {
        let hertz = match self.crystal_hertz {
            Some(hertz) => hertz,
            None => 0,
        };
        [self.denominator, self.numerator, hertz, 0]
    }

    /// Numerator of the ratio; not 0.
    #[must_use]
    #[inline]
    pub const fn numerator(self) -> u32 {
        self.numerator
    }

    /// Denominator of the ratio; not 0.
    #[must_use]
    #[inline]
    pub const fn denominator(self) -> u32 {
        self.denominator
    }

    /// Frequency of the crystal in hertz, if told.
    #[must_use]
    #[inline]
    pub const fn crystal_hertz(self) -> Option<u32> {
        self.crystal_hertz
    }

    /// Frequency of the time-stamp counter in hertz, if that of the crystal is told, rounded down. It need not be the
    /// one of the brand string.
    #[must_use]
    #[inline]
    pub const fn tsc_hertz(self) -> Option<u64> {
        match self.crystal_hertz {
            Some(hertz) => Some(hertz as u64 * self.numerator as u64 / self.denominator as u64),
            None => None,
        }
    }

    /// The time-stamp counter when the always running timer is at `art`, modulo 2^64 and rounded down. `offset` is what
    /// software adds: `IA32_TSC_ADJUST` and, in a guest, the hypervisor's offset.
    #[must_use]
    #[inline]
    pub const fn tsc(self, art: u64, offset: u64) -> u64 {
        let ticks = art as u128 * self.numerator as u128 / self.denominator as u128;
        (ticks as u64).wrapping_add(offset)
    }

    /// Ticks of the crystal that correspond to an interval of `ticks` of the time-stamp counter, rounded down. `None` if
    /// they need more than 64 bits.
    #[must_use]
    #[inline]
    pub const fn art(self, ticks: u64) -> Option<u64> {
        narrow(ticks as u128 * self.denominator as u128 / self.numerator as u128)
    }

    /// Nanoseconds of an interval of `ticks` of the time-stamp counter, rounded down. `None` if the frequency of the
    /// crystal is not told, or if they need more than 64 bits (584 years).
    #[must_use]
    #[inline]
    pub const fn nanoseconds(self, ticks: u64) -> Option<u64> {
        match self.crystal_hertz {
            // Less than 2^64 * 2^32 * 2^30.
            Some(hertz) => narrow(
                ticks as u128 * self.denominator as u128 * 1_000_000_000 / (self.numerator as u128 * hertz as u128),
            ),
            None => None,
        }
    }
}

const fn narrow(wide: u128) -> Option<u64> {
    if wide > u64::MAX as u128 { None } else { Some(wide as u64) }
}

#[cfg(test)]
mod tests {
    use super::CrystalRatio;

    // TSC-25: 24 MHz times 250 / 2 is 3 GHz; TSC-08: no brand string is asked
    #[test]
    fn ratio() {
        let ratio = CrystalRatio::from_cpuid([2, 250, 24_000_000, 0]).unwrap();
        assert_eq!(ratio.tsc_hertz(), Some(3_000_000_000));
        assert_eq!(ratio.tsc(24_000_000, 0), 3_000_000_000, "a second");
        assert_eq!(ratio.tsc(3, 100), 475);
        assert_eq!(ratio.tsc(3, u64::MAX), 374, "an adjustment of -1");
        assert_eq!(CrystalRatio::from_cpuid([3, 250, 0, 0]).unwrap().tsc(1, 0), 83, "rounded down");
        assert_eq!(ratio.tsc(u64::MAX, 0), 0u64.wrapping_sub(125), "modulo 2^64");
        assert_eq!((ratio.numerator(), ratio.denominator()), (250, 2));
        assert_eq!(ratio.to_cpuid(), [2, 250, 24_000_000, 0]);
    }

    // TSC-25: 3 GHz from 24 MHz
    #[test]
    fn intervals() {
        let ratio = CrystalRatio::from_cpuid([2, 250, 24_000_000, 0]).unwrap();
        assert_eq!(ratio.nanoseconds(3_000_000_000), Some(1_000_000_000), "a second");
        assert_eq!(ratio.nanoseconds(2), Some(0), "rounded down");
        assert_eq!((ratio.art(250), ratio.art(249)), (Some(2), Some(1)));
        assert_eq!(ratio.nanoseconds(u64::MAX), Some(6_148_914_691_236_517_205));
        let slow = CrystalRatio::from_cpuid([u32::MAX, 1, 1, 0]).unwrap();
        assert_eq!((slow.art(1), slow.art(u64::MAX)), (Some(0xFFFF_FFFF), None));
        assert_eq!((slow.nanoseconds(1), slow.nanoseconds(u64::MAX)), (Some(4_294_967_295_000_000_000), None));
        assert_eq!(CrystalRatio::from_cpuid([2, 250, 0, 0]).unwrap().nanoseconds(1), None);
    }

    #[test]
    fn what_is_not_told() {
        assert_eq!(CrystalRatio::from_cpuid([0, 250, 24_000_000, 0]), None);
        assert_eq!(CrystalRatio::from_cpuid([2, 0, 24_000_000, 0]), None);
        let ratio = CrystalRatio::from_cpuid([2, 216, 0, 0]).unwrap();
        assert_eq!((ratio.crystal_hertz(), ratio.tsc_hertz()), (None, None));
    }
}
