//! How RDTSC and RDTSCP fail.

use super::{TimeStampDisable, TscFeatures};
use core::fmt;

/// The exception that RDTSC or RDTSCP raises.
///
/// Source: Intel SDM volume 2B, "RDTSC - Read Time-Stamp Counter", "RDTSCP - Read Time-Stamp Counter and Processor ID".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TimeFault {
    /// #UD: the processor does not have the instruction.
    InvalidOpcode,
    /// #GP(0): CR4.TSD is 1 and the privilege level is not 0.
    GeneralProtection,
}

impl fmt::Display for TimeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidOpcode => "#UD: no such instruction; check CPUID before the read",
            Self::GeneralProtection => "#GP(0): CR4.TSD leaves the time-stamp counter to privilege level 0",
        })
    }
}

impl core::error::Error for TimeFault {}

impl TscFeatures {
    /// Whether RDTSC may be executed at privilege level `level`, 0 to 3.
    ///
    /// # Errors
    ///
    /// #UD if there is no counter, before #GP(0) if `disable` keeps the level from it.
    #[inline]
    pub const fn check_rdtsc(self, disable: TimeStampDisable, level: u8) -> Result<(), TimeFault> {
        self.check_read(Self::TSC, disable, level)
    }

    /// Whether RDTSCP may be executed at privilege level `level`, 0 to 3.
    ///
    /// # Errors
    ///
    /// #UD if there is no RDTSCP, before #GP(0) if `disable` keeps the level from it.
    #[inline]
    pub const fn check_rdtscp(self, disable: TimeStampDisable, level: u8) -> Result<(), TimeFault> {
        self.check_read(Self::RDTSCP, disable, level)
    }

    #[inline]
    const fn check_read(self, instruction: Self, disable: TimeStampDisable, level: u8) -> Result<(), TimeFault> {
        if !self.contains(instruction) {
            Err(TimeFault::InvalidOpcode)
        } else if !disable.allows(level) {
            Err(TimeFault::GeneralProtection)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // TSC-11: TSD keeps all levels but 0 from both instructions; one that does not exist is #UD at every level
    #[test]
    fn who_may_read_the_time() {
        for features in [TscFeatures::empty(), TscFeatures::TSC, TscFeatures::TSC | TscFeatures::RDTSCP] {
            for (disable, level) in (0..8).map(|case| (TimeStampDisable::from_tsd(case > 3), case & 3)) {
                let expected = |part| match (features.contains(part), disable, level) {
                    (false, ..) => Err(TimeFault::InvalidOpcode),
                    (true, TimeStampDisable::KernelOnly, 1..) => Err(TimeFault::GeneralProtection),
                    _ => Ok(()),
                };
                assert_eq!(features.check_rdtsc(disable, level), expected(TscFeatures::TSC));
                assert_eq!(features.check_rdtscp(disable, level), expected(TscFeatures::RDTSCP));
            }
        }
    }
}
