//! Straps: the choices that are fixed after reset.

use crate::choice::choice;
use core::fmt;
use lwp_regs::tsc::{RateStep, RateStepError, TscCpuid, TscFeatures, TscRate, TscWrite};

/// Behaviour of the counter in deep sleep.
///
/// Source: the document on debugging, branch records, TSC and RDT, section 7: "The external DPSLP# pin may stop the TSC."
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum DeepSleep {
    /// The counter counts.
    #[default]
    Count,
    /// The counter stops.
    Stop,
}

choice!(DeepSleep { Count = "count", Stop = "stop" });
choice!(TscRate {
    Invariant = "invariant",
    ConstantMax = "constant-max",
    ConstantBoot = "constant-boot",
    Variable = "variable",
});
choice!(TscWrite { All = "all", Low32 = "low32" });

/// The straps of the unit, in the order of the RTL's `config_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whether the time-stamp counter exists.
    pub present: bool,
    /// Whether `IA32_TSC_ADJUST` exists.
    pub adjust: bool,
    /// Whether RDTSCP and `IA32_TSC_AUX` exist.
    pub aux: bool,
    /// Time base of the counter.
    pub rate: TscRate,
    /// Part of the counter that a WRMSR writes.
    pub write_width: TscWrite,
    /// Behaviour of the counter in deep sleep.
    pub deep_sleep: DeepSleep,
    /// Maximum ratio of core clock to bus clock, in halves; not 0.
    pub max_ratio: u8,
    /// Ticks of the counter per tick of the crystal, rounded down.
    pub art_whole: u16,
    /// Fraction of a tick of the counter per tick of the crystal, in units of 1 / `art_denominator`.
    pub art_rest: u16,
    /// Parts into which a tick of the counter is divided: CPUID.15H:EAX; not 0.
    pub art_denominator: u16,
}

impl Config {
    /// An invariant counter with all of its registers, 83 1/3 ticks per tick of the crystal.
    pub const DEFAULT: Self = Self {
        present: true,
        adjust: true,
        aux: true,
        rate: TscRate::Invariant,
        write_width: TscWrite::All,
        deep_sleep: DeepSleep::Count,
        max_ratio: 30,
        art_whole: 83,
        art_rest: 1,
        art_denominator: 3,
    };
}

impl Default for Config {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Combination of straps that is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// `IA32_TSC_ADJUST` exists without the counter.
    AdjustNeedsPresent,
    /// RDTSCP and `IA32_TSC_AUX` exist without the counter.
    AuxNeedsPresent,
    /// The counter is invariant but stops in deep sleep.
    InvariantNeedsCount,
    /// The maximum ratio is 0.
    MaxRatioZero,
    /// The ratio to the crystal is invalid.
    Art(RateStepError),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AdjustNeedsPresent => "adjust needs present: IA32_TSC_ADJUST belongs to the counter",
            Self::AuxNeedsPresent => "aux needs present: RDTSCP and IA32_TSC_AUX belong to the counter",
            Self::InvariantNeedsCount => {
                "rate = invariant needs deep_sleep = count: an invariant counter runs in all ACPI P-, C- and T-states"
            }
            Self::MaxRatioZero => "max_ratio must not be 0: the core clock would stand still",
            Self::Art(error) => {
                return write!(f, "art_whole, art_rest and art_denominator: {error}");
            }
        })
    }
}

impl core::error::Error for ConfigError {}

impl ConfigError {
    /// Returns the names of the straps that the error is about, the likeliest mistake first.
    #[must_use]
    pub const fn straps(&self) -> &'static [&'static str] {
        match self {
            Self::AdjustNeedsPresent => &["present", "adjust"],
            Self::AuxNeedsPresent => &["present", "aux"],
            Self::InvariantNeedsCount => &["deep_sleep", "rate"],
            Self::MaxRatioZero => &["max_ratio"],
            Self::Art(_) => &["art_denominator", "art_rest", "art_whole"],
        }
    }
}

impl Config {
    /// Checks the combination of straps.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] names the rule that is broken.
    pub const fn validate(&self) -> Result<(), ConfigError> {
        if self.adjust && !self.present {
            return Err(ConfigError::AdjustNeedsPresent);
        }
        if self.aux && !self.present {
            return Err(ConfigError::AuxNeedsPresent);
        }
        if matches!(self.rate, TscRate::Invariant) && matches!(self.deep_sleep, DeepSleep::Stop) {
            return Err(ConfigError::InvariantNeedsCount);
        }
        if self.max_ratio == 0 {
            return Err(ConfigError::MaxRatioZero);
        }
        match self.art() {
            Ok(_) => Ok(()),
            Err(error) => Err(ConfigError::Art(error)),
        }
    }

    /// Returns the ticks of the counter per tick of the crystal.
    pub(super) const fn art(&self) -> Result<RateStep, RateStepError> {
        RateStep::new(self.art_whole, self.art_rest, self.art_denominator)
    }

    /// Returns the parts of the facility that exist.
    #[must_use]
    pub fn features(&self) -> TscFeatures {
        let mut features = TscFeatures::empty();
        features.set(TscFeatures::TSC, self.present);
        features.set(TscFeatures::RDTSCP, self.aux);
        features.set(TscFeatures::INVARIANT, self.present && self.rate == TscRate::Invariant);
        features.set(TscFeatures::ADJUST, self.adjust);
        features
    }

    /// Returns what CPUID reports for a unit with these straps. `crystal_hertz` is the frequency of the crystal, if CPUID is to report it.
    #[must_use]
    pub fn cpuid(&self, crystal_hertz: Option<u32>) -> TscCpuid {
        let ratio = self.art().ok().and_then(|art| art.crystal(crystal_hertz)).filter(|_| self.present);
        TscCpuid { features: self.features(), ratio }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_regs::access::Cpuid;
    use lwp_regs::tsc::CrystalRatio;

    #[test]
    fn the_default_is_legal() {
        assert_eq!(Config::default().validate(), Ok(()));
    }

    // TSC-01, TSC-13, TSC-25: the straps as software finds them
    #[test]
    fn cpuid_reports_the_straps() {
        let all = Config::default();
        let cpuid = all.cpuid(Some(38_400_000));
        assert_eq!(TscFeatures::detect(&cpuid), TscFeatures::all());
        assert_eq!(cpuid.leaf(0x15, 0), Some([3, 250, 38_400_000, 0]));
        assert_eq!(all.cpuid(None).ratio, CrystalRatio::from_cpuid([3, 250, 0, 0]));
        let variable = Config { rate: TscRate::Variable, aux: false, ..all };
        assert_eq!(TscFeatures::detect(&variable.cpuid(None)), TscFeatures::TSC | TscFeatures::ADJUST);
        let absent = Config { present: false, adjust: false, aux: false, ..all };
        assert_eq!(absent.validate(), Ok(()));
        assert_eq!(absent.cpuid(None), TscCpuid { features: TscFeatures::empty(), ratio: None });
    }
}
