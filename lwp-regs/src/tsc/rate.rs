//! How fast the time-stamp counter counts, and what a tick of its time base is worth.

use super::CrystalRatio;
use core::fmt;

/// The clock whose ticks the counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TimeBase {
    /// The bus clock: a tick is worth the ratio of core clock to bus clock.
    BusClock,
    /// The core crystal clock, on which the always running timer (ART) counts.
    Crystal,
}

/// What the rate of the counter depends on.
///
/// Source: Intel SDM volume 3B, "Time-Stamp Counter" and "Invariant TSC".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TscRate {
    /// The ticks of the crystal, times the ratio of CPUID.15H: constant in all P-, C- and T-states.
    #[default]
    Invariant,
    /// The ticks of the bus clock, times the processor's maximum ratio of core clock to bus clock.
    ConstantMax,
    /// The ticks of the bus clock, times the ratio at which the processor was booted.
    ConstantBoot,
    /// The ticks of the bus clock, times the present ratio: the counter counts clock cycles of the core.
    Variable,
}

impl TscRate {
    /// The clock whose ticks the counter counts at this rate.
    #[must_use]
    #[inline]
    pub const fn time_base(self) -> TimeBase {
        match self {
            Self::Invariant => TimeBase::Crystal,
            Self::ConstantMax | Self::ConstantBoot | Self::Variable => TimeBase::BusClock,
        }
    }
}

/// What a tick of the time base is worth: a whole number of ticks of the counter and a fraction, `rest / denominator`.
///
/// Source: Intel SDM volume 3B, "Invariant Time-Keeping". That hardware keeps the fraction in an accumulator of 16 bits
/// is this project's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RateStep {
    whole: u16,
    rest: u16,
    denominator: u16,
}

/// Why numbers are not a [`RateStep`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum RateStepError {
    /// The denominator is 0.
    DenominatorZero,
    /// The rest is not less than the denominator.
    RestTooLarge {
        /// The rest, in units of 1 / `denominator`.
        rest: u16,
        /// The denominator.
        denominator: u16,
    },
    /// A tick of the time base would be worth nothing.
    Zero,
    /// The whole part or the denominator of the ratio needs more than 16 bits.
    TooWide {
        /// Numerator of the ratio.
        numerator: u32,
        /// Denominator of the ratio.
        denominator: u32,
    },
}

impl RateStep {
    /// `whole + rest / denominator` ticks of the counter.
    ///
    /// # Errors
    ///
    /// [`RateStepError`] if the denominator is 0, the rest is a whole tick or more, or both parts are 0.
    #[inline]
    pub const fn new(whole: u16, rest: u16, denominator: u16) -> Result<Self, RateStepError> {
        if denominator == 0 {
            Err(RateStepError::DenominatorZero)
        } else if rest >= denominator {
            Err(RateStepError::RestTooLarge { rest, denominator })
        } else if whole == 0 && rest == 0 {
            Err(RateStepError::Zero)
        } else {
            Ok(Self { whole, rest, denominator })
        }
    }

    /// What a tick of the crystal is worth by CPUID.15H.
    ///
    /// # Errors
    ///
    /// [`RateStepError::TooWide`] if the whole part or the denominator needs more than 16 bits.
    #[inline]
    pub const fn from_crystal(ratio: CrystalRatio) -> Result<Self, RateStepError> {
        let (numerator, denominator) = (ratio.numerator(), ratio.denominator());
        let (whole, rest) = (numerator / denominator, numerator % denominator);
        if whole > u16::MAX as u32 || denominator > u16::MAX as u32 {
            return Err(RateStepError::TooWide { numerator, denominator });
        }
        Ok(Self { whole: whole as u16, rest: rest as u16, denominator: denominator as u16 })
    }

    /// What a tick of the bus clock is worth at a ratio of core clock to bus clock, in halves: 15 is 7.5. A ratio of 0 is
    /// a core whose clock stands still.
    #[must_use]
    #[inline]
    pub const fn from_halves(ratio: u8) -> Self {
        Self { whole: (ratio >> 1) as u16, rest: (ratio & 1) as u16, denominator: 2 }
    }

    /// Whole ticks of the counter for each tick of the time base.
    #[must_use]
    #[inline]
    pub const fn whole(self) -> u16 {
        self.whole
    }

    /// What is left over, in units of 1 / [`denominator`](Self::denominator); less than the denominator.
    #[must_use]
    #[inline]
    pub const fn rest(self) -> u16 {
        self.rest
    }

    /// Parts into which a tick is divided.
    #[must_use]
    #[inline]
    pub const fn denominator(self) -> u16 {
        self.denominator
    }

    /// The ratio of CPUID.15H that this step has, with the crystal's frequency in hertz if it is to be told. `None` for a
    /// ratio of 0.
    #[must_use]
    #[inline]
    pub const fn crystal(self, hertz: Option<u32>) -> Option<CrystalRatio> {
        // Less than 2^16 * 2^16.
        let numerator = self.whole as u32 * self.denominator as u32 + self.rest as u32;
        let hertz = match hertz {
            Some(hertz) => hertz,
            None => 0,
        };
        CrystalRatio::from_cpuid([self.denominator as u32, numerator, hertz, 0])
    }

    /// A tick of the time base while `fraction` is left over from earlier ones, in units of 1 / denominator: the ticks of
    /// the counter (17 bits), and what is left over now. A fraction below the denominator stays below it.
    #[must_use]
    #[inline]
    pub const fn advance(self, fraction: u16) -> (u32, u16) {
        let sum = fraction as u32 + self.rest as u32;
        let denominator = self.denominator as u32;
        if sum >= denominator {
            (self.whole as u32 + 1, (sum - denominator) as u16)
        } else {
            (self.whole as u32, sum as u16)
        }
    }
}

impl fmt::Display for RateStepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DenominatorZero => f.write_str("the denominator is 0: it has to be at least 1"),
            Self::RestTooLarge { rest, denominator } => {
                write!(f, "the rest {rest} is another whole tick: it has to be less than the denominator {denominator}")
            }
            Self::Zero => f.write_str("whole and rest are 0: a tick of the time base has to be worth something"),
            Self::TooWide { numerator, denominator } => {
                write!(f, "{numerator} / {denominator} is too wide: whole part and denominator have 16 bits each")
            }
        }
    }
}

impl core::error::Error for RateStepError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: u32, denominator: u32) -> CrystalRatio {
        CrystalRatio::from_cpuid([denominator, numerator, 0, 0]).unwrap()
    }

    #[test]
    fn which_clock_counts() {
        assert_eq!(TscRate::Invariant.time_base(), TimeBase::Crystal);
        for rate in [TscRate::ConstantMax, TscRate::ConstantBoot, TscRate::Variable] {
            assert_eq!(rate.time_base(), TimeBase::BusClock);
        }
    }

    // TSC-25: 250 / 3 is 83 and a third, and three thirds are a whole tick
    #[test]
    fn fractions_add_up() {
        let step = RateStep::from_crystal(ratio(250, 3)).unwrap();
        assert_eq!(Ok(step), RateStep::new(83, 1, 3));
        assert_eq!(step.advance(0), (83, 1));
        assert_eq!(step.advance(1), (83, 2));
        assert_eq!(step.advance(2), (84, 0));
    }

    // TSC-25: the accumulator is the manual's formula, rounded down
    #[test]
    fn the_accumulator_is_the_formula() {
        for (numerator, denominator) in [(250, 3), (1, 1), (1, 7), (65_535, 65_535), (4_294_901_759, 65_535), (216, 2)]
        {
            let (ratio, mut fraction, mut counter) = (ratio(numerator, denominator), 0, 0);
            let step = RateStep::from_crystal(ratio).unwrap();
            for art in 1..1000 {
                let (ticks, left) = step.advance(fraction);
                (counter, fraction) = (counter + u64::from(ticks), left);
                assert_eq!(counter, ratio.tsc(art, 0), "{numerator} / {denominator} at {art}");
                assert!(fraction < step.denominator());
            }
        }
    }

    // TSC-06: ratios of core clock to bus clock come in halves
    #[test]
    fn halves() {
        let step = RateStep::from_halves(15);
        assert_eq!((step.whole(), step.rest(), step.denominator()), (7, 1, 2));
        assert_eq!((step.advance(0), step.advance(1)), ((7, 1), (8, 0)));
        assert_eq!(RateStep::from_halves(0).advance(1), (0, 1), "a core that stands still");
        assert_eq!(RateStep::from_halves(255).advance(1), (128, 0));
    }

    #[test]
    fn the_largest_step() {
        let step = RateStep::new(65_535, 65_534, 65_535).unwrap();
        assert_eq!(step.advance(65_534), (65_536, 65_533), "17 bits");
        assert_eq!(step.crystal(None), Some(ratio(4_294_901_759, 65_535)));
    }

    #[test]
    fn what_is_no_step() {
        assert_eq!(RateStep::new(83, 0, 0), Err(RateStepError::DenominatorZero));
        assert_eq!(RateStep::new(83, 3, 3), Err(RateStepError::RestTooLarge { rest: 3, denominator: 3 }));
        assert_eq!(RateStep::new(0, 0, 3), Err(RateStepError::Zero));
        assert!(RateStep::new(0, 1, 3).is_ok());
        let wide = |numerator, denominator| RateStep::from_crystal(ratio(numerator, denominator));
        assert_eq!(wide(0x1_0000, 1), Err(RateStepError::TooWide { numerator: 0x1_0000, denominator: 1 }));
        assert_eq!(wide(1, 0x1_0000), Err(RateStepError::TooWide { numerator: 1, denominator: 0x1_0000 }));
        assert!(wide(0xFFFF, 1).is_ok());
        assert!(wide(1, 0xFFFF).is_ok());
    }

    #[test]
    fn there_and_back() {
        let told = CrystalRatio::from_cpuid([3, 250, 38_400_000, 0]).unwrap();
        assert_eq!(RateStep::from_crystal(told).unwrap().crystal(Some(38_400_000)), Some(told));
        assert_eq!(RateStep::from_halves(0).crystal(None), None);
    }
}
