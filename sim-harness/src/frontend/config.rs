//! Parameters of the default models.

use miette::Diagnostic;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Parameters of the default cache and predictor. Every key may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FrontEndConfig {
    /// Bytes of a cache line, a power of two from 8 to 4096.
    pub line_bytes: u32,
    /// Bytes of the L1 data cache: lines times ways times a power of two.
    pub l1d_bytes: u64,
    /// Ways of the L1 data cache, 1 to 64.
    pub l1d_ways: u32,
    /// Bytes of the L2 cache.
    pub l2_bytes: u64,
    /// Ways of the L2 cache.
    pub l2_ways: u32,
    /// Latency in cycles of a load that the L2 has.
    pub l2_latency: u32,
    /// Bytes of the L3 cache.
    pub l3_bytes: u64,
    /// Ways of the L3 cache.
    pub l3_ways: u32,
    /// Latency in cycles of a load that the L3 has, at least that of the L2.
    pub l3_latency: u32,
    /// Latency in cycles of a load that only DRAM has, at least that of the L3.
    pub dram_latency: u32,
    /// Two-bit counters for conditional branches, a power of two.
    pub conditional_entries: u32,
    /// Recent outcomes that index them together with the address, 0 to 24.
    pub history_bits: u32,
    /// Targets kept for indirect branches, a power of two.
    pub indirect_entries: u32,
    /// Calls kept to predict returns, 1 to 1024.
    pub return_entries: u32,
}

impl Default for FrontEndConfig {
    /// A core of the years in which Lightweight Profiling was designed.
    fn default() -> Self {
        Self {
            line_bytes: 64,
            l1d_bytes: 32 << 10,
            l1d_ways: 8,
            l2_bytes: 512 << 10,
            l2_ways: 8,
            l2_latency: 14,
            l3_bytes: 8 << 20,
            l3_ways: 16,
            l3_latency: 40,
            dram_latency: 200,
            conditional_entries: 1 << 14,
            history_bits: 12,
            indirect_entries: 1 << 10,
            return_entries: 16,
        }
    }
}

/// A parameter that is out of its range.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
#[error("front end: `{key}` is {value}, but must be {expected}")]
#[diagnostic(code(frontend::config), help("correct the key, or leave it out to get its default"))]
pub struct ConfigError {
    /// The key.
    pub key: &'static str,
    /// Its value.
    pub value: u64,
    /// What it should be.
    pub expected: String,
}

impl FrontEndConfig {
    /// Checks every parameter.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.validate_caches()?;
        self.validate_latencies()?;
        let table = |key, value: u32| {
            let fits = value.is_power_of_two() && value <= 1 << 24;
            check(fits, key, value.into(), || "a power of two up to 2^24".to_owned())
        };
        table("conditional_entries", self.conditional_entries)?;
        table("indirect_entries", self.indirect_entries)?;
        let bits = u64::from(self.history_bits);
        check(bits <= 24, "history_bits", bits, || "0 to 24".to_owned())?;
        let returns = u64::from(self.return_entries);
        check((1..=1024).contains(&returns), "return_entries", returns, || "1 to 1024".to_owned())
    }

    fn validate_caches(&self) -> Result<(), ConfigError> {
        let line = u64::from(self.line_bytes);
        let fits = line.is_power_of_two() && (8..=4096).contains(&line);
        check(fits, "line_bytes", line, || "a power of two from 8 to 4096".to_owned())?;
        let levels = [
            ("l1d_bytes", self.l1d_bytes, "l1d_ways", self.l1d_ways),
            ("l2_bytes", self.l2_bytes, "l2_ways", self.l2_ways),
            ("l3_bytes", self.l3_bytes, "l3_ways", self.l3_ways),
        ];
        for (bytes_key, bytes, ways_key, ways) in levels {
            check((1..=64).contains(&ways), ways_key, ways.into(), || "1 to 64".to_owned())?;
            let set = line * u64::from(ways);
            let fits = bytes % set == 0 && (bytes / set).is_power_of_two() && bytes <= 1 << 32;
            check(fits, bytes_key, bytes, || {
                format!("{ways} ways times {line} bytes times a power of two (like {}), up to 2^32", set << 6)
            })?;
        }
        Ok(())
    }

    fn validate_latencies(&self) -> Result<(), ConfigError> {
        let l2 = u64::from(self.l2_latency);
        check(l2 > 0, "l2_latency", l2, || "at least 1".to_owned())?;
        let l3 = u64::from(self.l3_latency);
        check(l3 >= l2, "l3_latency", l3, || format!("at least l2_latency, which is {l2}"))?;
        let dram = u64::from(self.dram_latency);
        check(dram >= l3, "dram_latency", dram, || format!("at least l3_latency, which is {l3}"))
    }
}

/// An error about `key` unless it fits.
fn check(fits: bool, key: &'static str, value: u64, expected: impl Fn() -> String) -> Result<(), ConfigError> {
    if fits { Ok(()) } else { Err(ConfigError { key, value, expected: expected() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl Fn(&mut FrontEndConfig)) -> &'static str {
        let mut config = FrontEndConfig::default();
        change(&mut config);
        config.validate().expect_err("out of range").key
    }

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(FrontEndConfig::default().validate(), Ok(()));
        assert_eq!(toml::from_str::<FrontEndConfig>(""), Ok(FrontEndConfig::default()));
    }

    #[test]
    fn every_parameter_is_checked() {
        assert_eq!(refused(|config| config.line_bytes = 48), "line_bytes");
        assert_eq!(refused(|config| config.l1d_bytes = 48 << 10), "l1d_bytes");
        assert_eq!(refused(|config| config.l1d_ways = 0), "l1d_ways");
        assert_eq!(refused(|config| config.l2_bytes = 0), "l2_bytes");
        assert_eq!(refused(|config| config.l2_ways = 65), "l2_ways");
        assert_eq!(refused(|config| config.l3_bytes = 1 << 40), "l3_bytes");
        assert_eq!(refused(|config| config.l3_ways = 3), "l3_bytes");
        assert_eq!(refused(|config| config.l2_latency = 0), "l2_latency");
        assert_eq!(refused(|config| config.l3_latency = 13), "l3_latency");
        assert_eq!(refused(|config| config.dram_latency = 39), "dram_latency");
        assert_eq!(refused(|config| config.conditional_entries = 1000), "conditional_entries");
        assert_eq!(refused(|config| config.indirect_entries = 0), "indirect_entries");
        assert_eq!(refused(|config| config.history_bits = 25), "history_bits");
        assert_eq!(refused(|config| config.return_entries = 0), "return_entries");
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        let error = toml::from_str::<FrontEndConfig>("l1_bytes = 32768").expect_err("no such key");
        assert!(error.to_string().contains("l1d_bytes"), "{error}");
    }
}
