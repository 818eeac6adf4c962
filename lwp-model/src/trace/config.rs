//! Straps: the choices that are fixed after reset.

use crate::choice::choice;
use core::fmt;
use lwp_regs::trace::{DebugCtlCaps, DsFormat, LbrDepth, LbrFormat, LinearAddressBits, PebsFormat};

/// Number of entries of the LBR stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Depth {
    /// 4.
    #[default]
    Four,
    /// 8.
    Eight,
    /// 16.
    Sixteen,
    /// 32.
    ThirtyTwo,
}

/// How the LBR stack is written: IA32_PERF_CAPABILITIES\[5:0\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Format {
    /// Offsets of 32 bits, both in one register.
    Offset32,
    /// Linear addresses.
    Linear,
    /// Offsets of 64 bits.
    Effective,
    /// Offsets, with the misprediction in the source register.
    #[default]
    Flags,
    /// Offsets, with the misprediction and transactions in the source register.
    Tsx,
    /// Offsets, with a register of information per entry.
    Info,
}

/// First numbers of the registers of the LBR stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Numbers {
    /// 40H and 60H.
    Core,
    /// 680H and 6C0H.
    #[default]
    Nehalem,
}

/// Width of a linear address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Linear {
    /// 32 bits: there is no 64-bit mode.
    Bits32,
    /// 48 bits.
    #[default]
    Bits48,
    /// 57 bits.
    Bits57,
}

choice!(Depth { Four = "four", Eight = "eight", Sixteen = "sixteen", ThirtyTwo = "thirty_two" });
choice!(Format {
    Offset32 = "offset32",
    Linear = "linear",
    Effective = "effective",
    Flags = "flags",
    Tsx = "tsx",
    Info = "info",
});
choice!(Numbers { Core = "core", Nehalem = "nehalem" });
choice!(Linear { Bits32 = "bits32", Bits48 = "bits48", Bits57 = "bits57" });

impl Depth {
    /// Returns the number of entries: 4, 8, 16 or 32.
    #[must_use]
    #[inline]
    pub const fn entries(self) -> u8 {
        self.registers().get()
    }

    /// Returns the depth with half the entries; of four entries the same.
    #[must_use]
    pub const fn half(self) -> Self {
        match self {
            Self::Four | Self::Eight => Self::Four,
            Self::Sixteen => Self::Eight,
            Self::ThirtyTwo => Self::Sixteen,
        }
    }

    /// Returns the depth as the registers have it.
    #[inline]
    pub(super) const fn registers(self) -> LbrDepth {
        match self {
            Self::Four => LbrDepth::FOUR,
            Self::Eight => LbrDepth::EIGHT,
            Self::Sixteen => LbrDepth::SIXTEEN,
            Self::ThirtyTwo => LbrDepth::THIRTY_TWO,
        }
    }
}

impl Format {
    /// Returns the format as the registers have it.
    #[inline]
    pub(super) const fn registers(self) -> LbrFormat {
        match self {
            Self::Offset32 => LbrFormat::Offset32,
            Self::Linear => LbrFormat::LinearIp,
            Self::Effective => LbrFormat::EffectiveIp,
            Self::Flags => LbrFormat::EffectiveIpFlags,
            Self::Tsx => LbrFormat::EffectiveIpTsx,
            Self::Info => LbrFormat::Info,
        }
    }
}

impl Linear {
    /// Returns the width as the registers have it.
    #[inline]
    pub(super) const fn registers(self) -> LinearAddressBits {
        match self {
            Self::Bits32 => LinearAddressBits(32),
            Self::Bits48 => LinearAddressBits(48),
            Self::Bits57 => LinearAddressBits(57),
        }
    }
}

/// The straps of the unit, in the order of the RTL's `config_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Entries of the LBR stack that exist.
    pub lbr_depth: Depth,
    /// How the LBR stack is written.
    pub lbr_format: Format,
    /// First numbers of the stack's registers.
    pub lbr_numbers: Numbers,
    /// Whether TR alone updates the stack.
    pub lbr_tr: bool,
    /// Whether the debug store exists: CPUID.1:EDX\[21\].
    pub ds: bool,
    /// Whether BTS_OFF_OS and BTS_OFF_USR exist: CPUID.1:ECX\[4\].
    pub ds_cpl: bool,
    /// Whether the debug store has its 64-bit format in every mode, rather than in IA-32e mode: CPUID.1:ECX\[2\].
    pub dtes64: bool,
    /// Whether FREEZE_LBRS_ON_PMI and FREEZE_PERFMON_ON_PMI exist.
    pub pmi_freeze: bool,
    /// Whether FREEZE_WHILE_SMM exists: IA32_PERF_CAPABILITIES\[12\].
    pub smm_freeze: bool,
    /// Whether restricted transactional memory exists: CPUID.7.0:EBX\[11\].
    pub rtm: bool,
    /// Counters that can store PEBS records, from 0 upwards: 0 to 4.
    pub pebs_counters: u8,
    /// Format of PEBS records, 0 to 3: 18, 22, 24 or 25 fields.
    pub pebs_format: u8,
    /// Width of a linear address.
    pub linear: Linear,
    /// Whether a #DB makes a trace message.
    pub db_message: bool,
}

impl Config {
    /// A 64-bit processor with four entries and four precise counters.
    pub const DEFAULT: Self = Self {
        lbr_depth: Depth::Four,
        lbr_format: Format::Flags,
        lbr_numbers: Numbers::Nehalem,
        lbr_tr: false,
        ds: true,
        ds_cpl: true,
        dtes64: true,
        pmi_freeze: true,
        smm_freeze: true,
        rtm: true,
        pebs_counters: 4,
        pebs_format: 0,
        linear: Linear::Bits48,
        db_message: true,
    };

    /// Largest value of [`pebs_counters`](Self::pebs_counters).
    pub const MAX_PEBS_COUNTERS: u8 = 4;

    /// Largest value of [`pebs_format`](Self::pebs_format).
    pub const MAX_PEBS_FORMAT: u8 = 3;
}

impl Default for Config {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Straps that no hardware of this size may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// More entries of the LBR stack than the build has.
    Depth {
        /// Entries of the strap.
        wanted: u8,
        /// Entries of the build.
        built: usize,
    },
    /// More than four counters that can store PEBS records.
    PebsCounters(u8),
    /// A PEBS format above 3.
    PebsFormat(u8),
    /// Privilege levels without the debug store.
    DsCplWithoutDs,
    /// The 64-bit format without the debug store.
    Dtes64WithoutDs,
    /// PEBS without the debug store.
    PebsWithoutDs,
    /// The 64-bit format without 64-bit mode.
    Dtes64With32Bits,
    /// A PEBS format above 0 without the 64-bit format in every mode.
    FormatWithoutDtes64,
    /// A PEBS format above 0 without PEBS.
    FormatWithoutPebs,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth { wanted, built } => {
                write!(f, "lbr_depth must be at most {built} in this build: it is {wanted}")
            }
            Self::PebsCounters(counters) => {
                write!(f, "pebs_counters must be at most {}: it is {counters}", Config::MAX_PEBS_COUNTERS)
            }
            Self::PebsFormat(format) => {
                write!(f, "pebs_format must be at most {}: it is {format}", Config::MAX_PEBS_FORMAT)
            }
            Self::DsCplWithoutDs => f.write_str("ds_cpl = 1 needs ds = 1: it is a feature of the debug store"),
            Self::Dtes64WithoutDs => f.write_str("dtes64 = 1 needs ds = 1: it is a feature of the debug store"),
            Self::PebsWithoutDs => f.write_str("pebs_counters > 0 needs ds = 1: PEBS is a feature of the debug store"),
            Self::Dtes64With32Bits => f.write_str("dtes64 = 1 excludes linear = bits32: there is no 64-bit mode"),
            Self::FormatWithoutDtes64 => {
                f.write_str("pebs_format > 0 needs dtes64 = 1: the 32-bit format has format 0 alone")
            }
            Self::FormatWithoutPebs => f.write_str("pebs_format > 0 needs pebs_counters > 0: there is no PEBS"),
        }
    }
}

impl core::error::Error for ConfigError {}

impl ConfigError {
    /// Returns the names of the straps that the error is about, the likeliest mistake first.
    #[must_use]
    pub const fn straps(&self) -> &'static [&'static str] {
        match self {
            Self::Depth { .. } => &["lbr_depth"],
            Self::PebsCounters(_) => &["pebs_counters"],
            Self::PebsFormat(_) => &["pebs_format"],
            Self::DsCplWithoutDs => &["ds_cpl", "ds"],
            Self::Dtes64WithoutDs => &["dtes64", "ds"],
            Self::PebsWithoutDs => &["pebs_counters", "ds"],
            Self::Dtes64With32Bits => &["dtes64", "linear"],
            Self::FormatWithoutDtes64 => &["pebs_format", "dtes64"],
            Self::FormatWithoutPebs => &["pebs_format", "pebs_counters"],
        }
    }
}

impl Config {
    /// Checks the combination of straps, for a build with `entries` entries of the LBR stack.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] names the rule that is broken.
    pub const fn validate(&self, entries: usize) -> Result<(), ConfigError> {
        let (depth, pebs) = (self.lbr_depth.entries(), self.pebs_counters > 0);
        if depth as usize > entries {
            return Err(ConfigError::Depth { wanted: depth, built: entries });
        }
        if self.pebs_counters > Self::MAX_PEBS_COUNTERS {
            return Err(ConfigError::PebsCounters(self.pebs_counters));
        }
        if self.pebs_format > Self::MAX_PEBS_FORMAT {
            return Err(ConfigError::PebsFormat(self.pebs_format));
        }
        if self.ds_cpl && !self.ds {
            return Err(ConfigError::DsCplWithoutDs);
        }
        if self.dtes64 && !self.ds {
            return Err(ConfigError::Dtes64WithoutDs);
        }
        if pebs && !self.ds {
            return Err(ConfigError::PebsWithoutDs);
        }
        if self.dtes64 && matches!(self.linear, Linear::Bits32) {
            return Err(ConfigError::Dtes64With32Bits);
        }
        if self.pebs_format > 0 && !self.dtes64 {
            return Err(ConfigError::FormatWithoutDtes64);
        }
        if self.pebs_format > 0 && !pebs {
            return Err(ConfigError::FormatWithoutPebs);
        }
        Ok(())
    }

    /// Returns the features that decide which bits of IA32_DEBUGCTL exist.
    #[must_use]
    #[inline]
    pub const fn caps(&self) -> DebugCtlCaps {
        let mut caps = DebugCtlCaps::ALL;
        (caps.bus_lock_detect, caps.uncore_pmi) = (false, false);
        (caps.branch_trace, caps.cpl_qualified) = (self.ds, self.ds_cpl);
        (caps.freeze_on_pmi, caps.freeze_while_smm, caps.rtm) = (self.pmi_freeze, self.smm_freeze, self.rtm);
        caps
    }

    /// Returns the format of PEBS records as the registers have it.
    #[inline]
    pub(super) const fn pebs_records(&self) -> PebsFormat {
        match self.pebs_format {
            0 => PebsFormat::Registers,
            1 => PebsFormat::Loads,
            2 => PebsFormat::Transactions,
            _ => PebsFormat::Timed,
        }
    }
}

/// Returns the format of the debug store with fields of 8 bytes, or of 4.
#[inline]
pub(super) const fn ds_format(wide: bool) -> DsFormat {
    if wide { DsFormat::Bits64 } else { DsFormat::Bits32 }
}

#[cfg(test)]
mod tests {
    use super::Config;

    #[test]
    fn the_default_is_legal() {
        assert_eq!(Config::default().validate(4), Ok(()));
    }
}
