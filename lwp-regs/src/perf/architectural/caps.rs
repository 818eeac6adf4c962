//! What a processor has of architectural performance monitoring.

use super::{AvailableEvents, CounterIndex, FixedIndex, Ia32PerfCapabilities, PerfmonEax, PerfmonEdx, cpuid};
use crate::access::{Cpuid, MsrBus};
use core::fmt;

/// Architectural performance monitoring of one logical processor, decoded from CPUID leaf 0AH.
///
/// The fields hold what the processor says, versions above 3 included, whose additions this crate does not know; see
/// [`validate`](Self::validate). Counters belong to a logical processor: two of one core share neither a counter nor
/// its configuration.
///
/// Source: Intel SDM volume 3B, "Architectural Performance Monitoring"; volume 2A, "CPUID - CPU Identification".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct PerfmonCaps {
    /// Version, 1 or more.
    pub version: u8,
    /// Number of pairs of `IA32_PERFEVTSELx` and `IA32_PMCx`.
    pub counters: u8,
    /// Bits of a general-purpose counter that are valid on a read.
    pub width: u8,
    /// The architectural events that can be counted.
    pub events: AvailableEvents,
    /// Number of fixed-function counters; 0 in version 1.
    pub fixed_counters: u8,
    /// Width of a fixed-function counter in bits.
    pub fixed_width: u8,
    /// Further fixed-function counters, a bit each (ECX, from version 5 on).
    pub fixed_bitmap: u32,
    /// `any_thread` is not supported (EDX\[15\]). The bit came with version 5; in versions 3 and 4, where it is 0 on the
    /// processors of their time, it says the same.
    pub any_thread_deprecated: bool,
    /// Events can be counted by transaction: the processor has TSX (leaf 07H EBX\[4\] or EBX\[11\]).
    pub tsx: bool,
    /// The processor has Processor Trace (leaf 07H EBX\[25\]), whose full output region the global status reports.
    pub processor_trace: bool,
    /// There is an [`Ia32PerfCapabilities`] to be read (leaf 01H ECX\[15\], PDCM).
    pub pdcm: bool,
    /// Its content; all 0 until it has been read.
    pub capabilities: Ia32PerfCapabilities,
}

impl PerfmonCaps {
    /// Returns a processor of this version with `counters` counters of `width` bits, without events, fixed-function counters
    /// and later features. The fields can be changed.
    #[must_use]
    #[inline]
    pub const fn new(version: u8, counters: u8, width: u8) -> Self {
        Self {
            version,
            counters,
            width,
            events: AvailableEvents::from_bits_retain(0),
            fixed_counters: 0,
            fixed_width: 0,
            fixed_bitmap: 0,
            any_thread_deprecated: false,
            tsx: false,
            processor_trace: false,
            pdcm: false,
            capabilities: Ia32PerfCapabilities::new(),
        }
    }

    /// Decodes EAX, EBX, ECX and EDX of leaf 0AH; `None` when the version is 0. EAX is looked at first, since it says
    /// what of the others means something.
    #[must_use]
    #[inline]
    pub const fn from_cpuid(leaf: [u32; 4]) -> Option<Self> {
        let [eax, ebx, ecx, edx] = leaf;
        let eax = PerfmonEax::from_bits(eax);
        if eax.version() == 0 {
            return None;
        }
        let edx = PerfmonEdx::from_bits(if eax.version() >= 2 { edx } else { 0 });
        Some(Self {
            version: eax.version(),
            counters: eax.counters(),
            width: eax.width(),
            events: AvailableEvents::from_cpuid(eax, ebx),
            fixed_counters: edx.fixed_counters().get(),
            fixed_width: edx.fixed_width(),
            fixed_bitmap: if eax.version() >= 5 { ecx } else { 0 },
            any_thread_deprecated: eax.version() >= 3 && edx.any_thread_deprecated(),
            tsx: false,
            processor_trace: false,
            pdcm: false,
            capabilities: Ia32PerfCapabilities::new(),
        })
    }

    /// Asks the processor: whether there is leaf 0AH, its version, then the rest. `None` when there is no architectural
    /// performance monitoring.
    #[must_use]
    pub fn detect(cpuid: &impl Cpuid) -> Option<Self> {
        let caps = Self::from_cpuid(cpuid.leaf(cpuid::LEAF, 0)?)?;
        let bit =
            |leaf, register: usize, bit: u32| cpuid.leaf(leaf, 0).is_some_and(|leaf| leaf[register] >> bit & 1 != 0);
        let tsx = bit(7, 1, 4) || bit(7, 1, 11);
        Some(Self { tsx, processor_trace: bit(7, 1, 25), pdcm: bit(1, 2, 15), ..caps })
    }

    /// The same with the content of [`Ia32PerfCapabilities`], if there is one.
    ///
    /// # Errors
    ///
    /// The fault that reading it raised.
    pub fn read_capabilities<B: MsrBus>(self, bus: &mut B) -> Result<Self, B::Fault> {
        if !self.pdcm {
            return Ok(self);
        }
        Ok(Self { capabilities: Ia32PerfCapabilities::MSR.read(bus)?, ..self })
    }

    /// General-purpose counter `number`; `None` when this processor has none or its registers have no number in this
    /// crate (above 7).
    #[must_use]
    #[inline]
    pub const fn counter(&self, number: u8) -> Option<CounterIndex> {
        CounterIndex::checked(number, self)
    }

    /// The general-purpose counters.
    pub fn all_counters(&self) -> impl Iterator<Item = CounterIndex> + use<> {
        let caps = *self;
        (0..CounterIndex::MAX_COUNTERS).map_while(move |number| caps.counter(number))
    }

    /// Fixed-function counter `number`; `None` when this processor has none.
    #[must_use]
    #[inline]
    pub const fn fixed(&self, number: u8) -> Option<FixedIndex> {
        FixedIndex::checked(number, self)
    }

    /// The fixed-function counters.
    pub fn all_fixed(&self) -> impl Iterator<Item = FixedIndex> + use<> {
        let caps = *self;
        (0..FixedIndex::MAX_COUNTERS).filter_map(move |number| caps.fixed(number))
    }

    /// Whether the bit `any_thread` exists: from version 3 on, until it is deprecated.
    #[must_use]
    #[inline]
    pub const fn has_any_thread(&self) -> bool {
        self.version >= 3 && !self.any_thread_deprecated
    }

    /// Whether there are the registers that control all counters at once (version 2).
    #[must_use]
    #[inline]
    pub const fn has_global_control(&self) -> bool {
        self.version >= 2
    }

    /// The bits of the global registers that belong to a counter: 31:0 general-purpose, 47:32 fixed-function.
    #[must_use]
    #[inline]
    pub const fn counter_mask(&self) -> u64 {
        let general = crate::layout::mask(if self.counters > 32 { 32 } else { self.counters as usize });
        let mut fixed = 0;
        let mut number = 0;
        while number < FixedIndex::MAX_COUNTERS {
            if self.fixed(number).is_some() {
                fixed |= 1 << number;
            }
            number += 1;
        }
        general | fixed << 32
    }

    /// Whether what the processor says makes sense. Version 2 without fixed-function counters does: Conroe says so, and
    /// the manual warns of it.
    ///
    /// # Errors
    ///
    /// [`PerfmonCapsError`]: the first thing that does not.
    #[inline]
    pub const fn validate(&self) -> Result<(), PerfmonCapsError> {
        if self.version == 0 {
            return Err(PerfmonCapsError::Version);
        }
        if self.counters == 0 || self.counters > 32 {
            return Err(PerfmonCapsError::Counters(self.counters));
        }
        if self.width < 32 || self.width > 64 {
            return Err(PerfmonCapsError::Width(self.width));
        }
        let any_fixed = self.fixed_counters > 0 || self.fixed_bitmap != 0;
        if any_fixed && self.version < 2 {
            return Err(PerfmonCapsError::FixedInVersion1);
        }
        if self.fixed_counters > FixedIndex::MAX_COUNTERS || self.fixed_bitmap >> FixedIndex::MAX_COUNTERS != 0 {
            return Err(PerfmonCapsError::FixedCounters);
        }
        if any_fixed && (self.fixed_width < 32 || self.fixed_width > 64) {
            return Err(PerfmonCapsError::FixedWidth(self.fixed_width));
        }
        Ok(())
    }
}

/// What is wrong with the capabilities that a processor, or a hypervisor, reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum PerfmonCapsError {
    /// The version is 0: there is no architectural performance monitoring.
    Version,
    /// No general-purpose counter, or more than the 32 that the global registers have bits for.
    Counters(u8),
    /// General-purpose counters narrower than 32 bits, which is what a write takes, or wider than 64.
    Width(u8),
    /// Fixed-function counters although the version is 1.
    FixedInVersion1,
    /// More fixed-function counters than the 16 that `IA32_FIXED_CTR_CTRL` has fields for.
    FixedCounters,
    /// Fixed-function counters narrower than 32 bits or wider than 64.
    FixedWidth(u8),
}

impl fmt::Display for PerfmonCapsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version => f.write_str("version 0: there is no architectural performance monitoring; do not use it"),
            Self::Counters(counters) => write!(f, "{counters} general-purpose counters; report 1 to 32"),
            Self::Width(width) => write!(f, "general-purpose counters of {width} bits; report 32 to 64"),
            Self::FixedInVersion1 => f.write_str("fixed-function counters in version 1; they need version 2"),
            Self::FixedCounters => f.write_str("more than 16 fixed-function counters; their control has no room"),
            Self::FixedWidth(width) => write!(f, "fixed-function counters of {width} bits; report 32 to 64"),
        }
    }
}

impl core::error::Error for PerfmonCapsError {}

#[cfg(test)]
#[path = "caps_tests.rs"]
pub(crate) mod tests;
