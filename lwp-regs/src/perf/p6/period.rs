//! After how many events a counter overflows.

use core::fmt;

/// After how many events a counter is to overflow: 1 to 2³¹, as far back as a write can set a counter.
///
/// Source: Intel SDM volume 3, "PerfCtr0 and PerfCtr1 MSRs": only 32 bits can be written, the sign fills the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SamplePeriod(u32);

impl SamplePeriod {
    /// The longest period: 2³¹ events.
    pub const MAX: Self = Self(0x8000_0000);

    /// A period of `events`.
    ///
    /// # Errors
    ///
    /// [`PeriodError`] if it is 0 or more than 2³¹.
    #[inline]
    pub const fn new(events: u32) -> Result<Self, PeriodError> {
        match events {
            1..=0x8000_0000 => Ok(Self(events)),
            _ => Err(PeriodError(events)),
        }
    }

    /// The number of events.
    #[must_use]
    #[inline]
    pub const fn events(self) -> u32 {
        self.0
    }
}

/// No counter can be made to overflow after so many events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PeriodError(pub u32);

impl fmt::Display for PeriodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a counter cannot be set to overflow after {} events; use 1 to 2147483648", self.0)
    }
}

impl core::error::Error for PeriodError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        assert_eq!(SamplePeriod::new(0), Err(PeriodError(0)));
        assert_eq!(SamplePeriod::new(1).map(SamplePeriod::events), Ok(1));
        assert_eq!(SamplePeriod::new(0x8000_0000), Ok(SamplePeriod::MAX));
        assert_eq!(SamplePeriod::new(0x8000_0001), Err(PeriodError(0x8000_0001)));
    }
}
