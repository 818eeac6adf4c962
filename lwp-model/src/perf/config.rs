//! Straps: the choices that are fixed after reset.

use crate::choice::choice;
use core::fmt;
use lwp_regs::bits::U5;
use lwp_regs::perf::InvertedZero;
use lwp_regs::perf::architectural::{
    AvailableEvents, Ia32PerfCapabilities, PerfmonCaps, PerfmonEax, PerfmonEbx, PerfmonEdx,
};
use lwp_regs::perf::p6::P6Model;

/// Which counters the unit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Personality {
    /// The two counters of the P6 family.
    #[default]
    P6,
    /// Architectural performance monitoring, version 1.
    Version1,
    /// Version 2: global control, fixed counters.
    Version2,
    /// Version 3: AnyThread.
    Version3,
}

/// What INV does while CMASK is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum InvZero {
    /// Nothing.
    #[default]
    Ignored,
    /// Nothing counts.
    Obeyed,
}

/// Bit 22 of PerfEvtSel1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Sel1En {
    /// Reserved: a write faults.
    #[default]
    Fault,
    /// Dropped by a write.
    Ignored,
}

/// How the local APIC's entry is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum X2apic {
    /// In memory: the APIC passes writes on.
    #[default]
    Memory,
    /// As MSR 834H.
    Msr,
}

choice!(Personality { P6 = "P6", Version1 = "version 1", Version2 = "version 2", Version3 = "version 3" });
choice!(InvZero { Ignored = "ignored", Obeyed = "obeyed" });
choice!(Sel1En { Fault = "fault", Ignored = "ignored" });
choice!(X2apic { Memory = "memory", Msr = "msr" });
choice!(P6Model {
    PentiumPro = "Pentium Pro",
    PentiumII = "Pentium II",
    PentiumIII = "Pentium III",
    PentiumM = "Pentium M",
});

/// The straps of the unit, in the order of the RTL's `config_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Which counters the unit is.
    pub personality: Personality,
    /// Which events of P6 exist. Ignored unless P6.
    pub p6_model: P6Model,
    /// General counters that exist, from 0 upwards.
    pub counters: u8,
    /// Bits of a general counter, 32 to 48.
    pub width: u8,
    /// Fixed counters that exist, from 0 upwards.
    pub fixed: u8,
    /// Bits of a fixed counter, 32 to 48.
    pub fixed_width: u8,
    /// Architectural events that the general counters can count, 7 bits. Ignored by P6.
    pub events: u8,
    /// AnyThread exists.
    pub any_thread: bool,
    /// IA32_PERF_CAPABILITIES exists.
    pub pdcm: bool,
    /// IA32_PERF_CAPABILITIES\[16:0\].
    pub capabilities: Ia32PerfCapabilities,
    /// What INV does while CMASK is 0.
    pub inv_zero: InvZero,
    /// Bit 22 of PerfEvtSel1.
    pub sel1_en: Sel1En,
    /// RDPMC takes bit 31 of ECX as a wish for bits 31:0 alone.
    pub fast_read: bool,
    /// How the local APIC's entry is written.
    pub x2apic: X2apic,
    /// The local APIC's entry masks itself when it interrupts.
    pub mask_on_delivery: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            personality: Personality::P6,
            p6_model: P6Model::PentiumIII,
            counters: 2,
            width: 40,
            fixed: 0,
            fixed_width: 40,
            events: 127,
            any_thread: false,
            pdcm: false,
            capabilities: Ia32PerfCapabilities::new(),
            inv_zero: InvZero::Ignored,
            sel1_en: Sel1En::Fault,
            fast_read: false,
            x2apic: X2apic::Memory,
            mask_on_delivery: false,
        }
    }
}

/// Straps that no hardware of this size may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// No general counter, or more than the build has.
    Counters,
    /// More fixed counters than the build has.
    Fixed,
    /// A width below 32 or above 48.
    Width,
    /// P6 with another number or width of counters than two of 40 bits.
    P6Counters,
    /// Fixed counters before version 2.
    FixedNeedsVersion2,
    /// AnyThread without version 3.
    AnyThreadNeedsVersion3,
    /// P6 with IA32_PERF_CAPABILITIES, the fast read or an x2APIC.
    NotInP6,
    /// Capabilities that nobody can read.
    CapabilitiesNeedPdcm,
    /// Metrics.
    NoMetrics,
    /// INV with CMASK 0 is ignored by the architectural counters.
    InvZeroNeedsP6,
    /// Each architectural event select has an EN.
    Sel1EnNeedsP6,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counters => "counters: from 1 to the general counters of the build",
            Self::Fixed => "fixed: at most the fixed counters of the build",
            Self::Width => "width and fixed_width: 32 to 48, since a write sets 32 bits and a counter has 48",
            Self::P6Counters => {
                "personality = P6 needs counters = 2 and width = 40: \"two 40-bit performance counters\""
            }
            Self::FixedNeedsVersion2 => "fixed needs version 2 or 3: fixed counters came with version 2",
            Self::AnyThreadNeedsVersion3 => "any_thread needs version 3: it came with that version",
            Self::NotInP6 => "personality = P6 has no pdcm, no fast_read and no x2apic: they came later",
            Self::CapabilitiesNeedPdcm => "capabilities need pdcm: software could not read them",
            Self::NoMetrics => "capabilities[15] must be 0: the unit has no metrics",
            Self::InvZeroNeedsP6 => "inv_zero = obeyed needs personality = P6: the others ignore INV while CMASK is 0",
            Self::Sel1EnNeedsP6 => "sel1_en = ignored needs personality = P6: each other event select has an EN",
        })
    }
}

impl core::error::Error for ConfigError {}

impl ConfigError {
    /// Returns the names of the straps that the error is about, the likeliest mistake first.
    #[must_use]
    pub const fn straps(&self) -> &'static [&'static str] {
        match self {
            Self::Counters => &["counters"],
            Self::Fixed | Self::FixedNeedsVersion2 => &["fixed", "personality"],
            Self::Width => &["width", "fixed_width"],
            Self::P6Counters => &["counters", "width", "personality"],
            Self::AnyThreadNeedsVersion3 => &["any_thread", "personality"],
            Self::NotInP6 => &["personality", "pdcm", "fast_read", "x2apic"],
            Self::CapabilitiesNeedPdcm | Self::NoMetrics => &["capabilities"],
            Self::InvZeroNeedsP6 => &["inv_zero", "personality"],
            Self::Sel1EnNeedsP6 => &["sel1_en", "personality"],
        }
    }
}

impl Config {
    /// Checks the combination of straps for a build with so many general and fixed counters.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] says which rule is broken.
    pub const fn validate(&self, general: usize, fixed: usize) -> Result<(), ConfigError> {
        let p6 = self.is_p6();
        if self.counters == 0 || self.counters as usize > general {
            return Err(ConfigError::Counters);
        }
        if self.fixed as usize > fixed {
            return Err(ConfigError::Fixed);
        }
        if self.width < 32 || self.width > 48 || self.fixed_width < 32 || self.fixed_width > 48 {
            return Err(ConfigError::Width);
        }
        if p6 && (self.counters != 2 || self.width != 40) {
            return Err(ConfigError::P6Counters);
        }
        if self.fixed > 0 && self.version() < 2 {
            return Err(ConfigError::FixedNeedsVersion2);
        }
        if self.any_thread && self.version() != 3 {
            return Err(ConfigError::AnyThreadNeedsVersion3);
        }
        if p6 && (self.pdcm || self.fast_read || matches!(self.x2apic, X2apic::Msr)) {
            return Err(ConfigError::NotInP6);
        }
        if !self.pdcm && self.capabilities.into_bits() != 0 {
            return Err(ConfigError::CapabilitiesNeedPdcm);
        }
        if self.capabilities.perf_metrics() {
            return Err(ConfigError::NoMetrics);
        }
        if !p6 && matches!(self.inv_zero, InvZero::Obeyed) {
            return Err(ConfigError::InvZeroNeedsP6);
        }
        if !p6 && matches!(self.sel1_en, Sel1En::Ignored) {
            return Err(ConfigError::Sel1EnNeedsP6);
        }
        Ok(())
    }

    /// Version of architectural performance monitoring; 0 is P6.
    #[must_use]
    pub const fn version(&self) -> u8 {
        self.personality as u8
    }

    pub(super) const fn is_p6(&self) -> bool {
        matches!(self.personality, Personality::P6)
    }

    /// What exists, as software finds it; of a P6 with the version 0.
    pub(super) const fn caps(&self) -> PerfmonCaps {
        let mut caps = PerfmonCaps::new(self.version(), self.counters, self.width);
        caps.events = AvailableEvents::from_bits_retain(self.events as u32);
        caps.fixed_counters = self.fixed;
        caps.fixed_width = self.fixed_width;
        caps.any_thread_deprecated = !self.any_thread;
        caps.pdcm = self.pdcm;
        caps.capabilities = self.capabilities;
        caps
    }

    pub(super) const fn inverted_zero(&self) -> InvertedZero {
        match self.inv_zero {
            InvZero::Ignored => InvertedZero::Ignored,
            InvZero::Obeyed => InvertedZero::Obeyed,
        }
    }

    /// EAX, EBX, ECX and EDX of CPUID leaf 0AH.
    #[must_use]
    pub const fn cpuid(&self) -> [u32; 4] {
        if self.is_p6() {
            return [0; 4];
        }
        let eax = PerfmonEax::new()
            .with_version(self.version())
            .with_counters(self.counters)
            .with_width(self.width)
            .with_events_length(7);
        let ebx = PerfmonEbx::from_bits(!self.events as u32 & 0x7F);
        let mut edx = PerfmonEdx::new();
        if self.version() >= 2 {
            edx = edx.with_any_thread_deprecated(self.version() == 3 && !self.any_thread);
            if self.fixed > 0 {
                edx = edx.with_fixed_counters(U5::masked(self.fixed)).with_fixed_width(self.fixed_width);
            }
        }
        [eax.into_bits(), ebx.into_bits(), 0, edx.into_bits()]
    }
}
