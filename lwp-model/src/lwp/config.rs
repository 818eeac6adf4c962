//! Straps: the choices that are fixed after reset.

use core::fmt;
use lwp_regs::lwp::{AvailableFeatures, EVENT_RECORD_BYTES, Features, LwpCaps, lwpcb_bytes};

/// The straps of the unit, in the order of the RTL's `config_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// LWP exists: CPUID reports it, the instructions and MSRs are there.
    pub present: bool,
    /// The instructions-retired event is implemented.
    pub avail_ire: bool,
    /// The branches-retired event is implemented.
    pub avail_bre: bool,
    /// The DCache-miss event is implemented.
    pub avail_dme: bool,
    /// The threshold interrupt is implemented.
    pub avail_int: bool,
    /// Cache-related events can be filtered by latency (CPUID `LWPCacheLatency`).
    pub latency_filter: bool,
    /// Cache-related events can be filtered by level (CPUID `LWPCacheLevels`).
    pub level_filter: bool,
    /// DCache-miss records carry the address of the data (CPUID `LWPDataAddress`).
    pub data_address: bool,
    /// Byte 1 of every record: the low 8 bits of the core's number.
    pub core_id: u8,
    /// Start of the randomisation LFSR; not 0.
    pub lfsr_seed: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            present: true,
            avail_ire: true,
            avail_bre: true,
            avail_dme: true,
            avail_int: true,
            latency_filter: true,
            level_filter: true,
            data_address: true,
            core_id: 0,
            lfsr_seed: 1,
        }
    }
}

/// Straps that no hardware may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// Neither filter exists, but "an implementation must support filtering by either latency or cache level".
    NoFilter,
    /// The LFSR would never leave 0.
    ZeroSeed,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoFilter => {
                "one of latency_filter and level_filter must be set: the proposal asks for at least one filter"
            }
            Self::ZeroSeed => "lfsr_seed must not be 0: an LFSR never leaves that state",
        })
    }
}

impl core::error::Error for ConfigError {}

impl Config {
    /// Checks the combination of straps.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] says which rule is broken.
    pub const fn validate(&self) -> Result<(), ConfigError> {
        if !self.latency_filter && !self.level_filter {
            return Err(ConfigError::NoFilter);
        }
        if self.lfsr_seed == 0 {
            return Err(ConfigError::ZeroSeed);
        }
        Ok(())
    }

    /// The features that CPUID 8000_001C EDX shows as available.
    #[must_use]
    pub const fn available(&self) -> AvailableFeatures {
        let mut features = Features::empty();
        if self.avail_ire {
            features = features.union(Features::IRE);
        }
        if self.avail_bre {
            features = features.union(Features::BRE);
        }
        if self.avail_dme {
            features = features.union(Features::DME);
        }
        if self.avail_int {
            features = features.union(Features::INT);
        }
        AvailableFeatures::new(features)
    }

    /// What CPUID 8000_001C says of a unit with these straps, `slots` event slots and `latency_bits`-bit latencies.
    #[must_use]
    pub const fn caps(&self, slots: u8, latency_bits: u8) -> LwpCaps {
        LwpCaps {
            available: self.available(),
            lwpcb_size: lwpcb_bytes(slots as usize) as u8,
            event_size: EVENT_RECORD_BYTES as u8,
            max_events: slots,
            version: 1,
            cache_max: latency_bits,
            data_address: self.data_address,
            cache_levels: self.level_filter,
            cache_latency: self.latency_filter,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_straps_are_legal() {
        assert_eq!(Config::default().validate(), Ok(()));
    }

    // LWP-CPU-24: at least one of the two filters exists.
    #[test]
    fn a_unit_without_filters_is_refused() {
        let straps = Config { latency_filter: false, level_filter: false, ..Config::default() };
        assert_eq!(straps.validate(), Err(ConfigError::NoFilter));
        assert_eq!(Config { latency_filter: true, ..straps }.validate(), Ok(()));
        assert_eq!(Config { level_filter: true, ..straps }.validate(), Ok(()));
    }

    #[test]
    fn a_seed_of_zero_is_refused() {
        assert_eq!(Config { lfsr_seed: 0, ..Config::default() }.validate(), Err(ConfigError::ZeroSeed));
    }

    // LWP-CPU-31: any subset of the features may be implemented.
    #[test]
    fn available_features_follow_the_straps() {
        let all = Config::default();
        assert_eq!(all.available().features(), Features::all());
        let none = Config { avail_ire: false, avail_bre: false, avail_dme: false, avail_int: false, ..all };
        assert_eq!(none.available().features(), Features::empty());
        let only = Config { avail_bre: true, ..none };
        assert_eq!(only.available().features(), Features::BRE);
    }

    // LWP-CPU-14, LWP-CPU-17, LWP-CPU-19: the sizes are reported as built.
    #[test]
    fn caps_report_the_sizes() {
        let caps = Config::default().caps(8, 31);
        assert_eq!((caps.lwpcb_size, caps.max_events, caps.cache_max), (104, 8, 31));
        assert_eq!(caps.validate(), Ok(()));
        assert_eq!(Config::default().caps(26, 10).lwpcb_size, 248);
    }
}
