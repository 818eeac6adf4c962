//! The capabilities of one LWP implementation, decoded from CPUID.

use super::cpuid::{CpuidEbx, CpuidEcx};
use super::{AvailableFeatures, EVENT_RECORD_BYTES, EdxLayout, Features, LwpMsr0, MAX_SLOTS, lwpcb_bytes};
use crate::bits::U5;
use core::fmt;

/// What an implementation of LWP can do: CPUID 8000_001C without EAX, which is the system's choice and not a
/// capability.
///
/// The fields hold whatever CPUID said; [`validate`](Self::validate) tells whether that makes sense for version 1.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "CPUID Identification", Table 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct LwpCaps {
    /// The features that exist (EDX).
    pub available: AvailableFeatures,
    /// Size of the control block in bytes (EBX\[7:0\]); what software has to allocate.
    pub lwpcb_size: u8,
    /// Size of an event record in bytes (EBX\[15:8\]): the stride of the ring buffer.
    pub event_size: u8,
    /// Number of slots in the control block (EBX\[23:16\]).
    pub max_events: u8,
    /// Version of LWP (EBX\[31:24\]).
    pub version: u8,
    /// Number of bits of the latency counters (ECX\[4:0\]).
    pub cache_max: u8,
    /// Cache-miss records may report the data address (ECX\[5\]).
    pub data_address: bool,
    /// Cache-related events can be filtered by level (ECX\[30\]).
    pub cache_levels: bool,
    /// Cache-related events can be filtered by latency (ECX\[31\]).
    pub cache_latency: bool,
}

impl LwpCaps {
    /// Returns a unit of version 1 with these features, `slots` slots in a control block of their size, and records of 32
    /// bytes; without filters and latencies. The fields can be changed.
    #[must_use]
    #[inline]
    pub const fn new(available: AvailableFeatures, slots: u8) -> Self {
        Self {
            available,
            lwpcb_size: super::lwpcb_bytes(slots as usize) as u8,
            event_size: super::EVENT_RECORD_BYTES as u8,
            max_events: slots,
            version: 1,
            cache_max: 0,
            data_address: false,
            cache_levels: false,
            cache_latency: false,
        }
    }

    /// Decodes EAX, EBX, ECX and EDX of CPUID 8000_001C; `None` when EDX\[0\] says that there is no LWP.
    #[must_use]
    #[inline]
    pub const fn from_cpuid(regs: [u32; 4], layout: EdxLayout) -> Option<Self> {
        let [_, ebx, ecx, edx] = regs;
        let Some(available) = AvailableFeatures::from_edx(edx, layout) else {
            return None;
        };
        let ebx = CpuidEbx::from_bits(ebx);
        let ecx = CpuidEcx::from_bits(ecx);
        Some(Self {
            available,
            lwpcb_size: ebx.lwpcb_size(),
            event_size: ebx.event_size(),
            max_events: ebx.max_events(),
            version: ebx.version(),
            cache_max: ecx.cache_max().get(),
            data_address: ecx.data_address(),
            cache_levels: ecx.cache_levels(),
            cache_latency: ecx.cache_latency(),
        })
    }

    /// EAX, EBX, ECX and EDX of CPUID 8000_001C while LWPMSR0 is `msr0`; for models and hypervisors. Of `cache_max`
    /// the low five bits are taken.
    #[must_use]
    #[inline]
    pub const fn to_cpuid(&self, msr0: LwpMsr0, layout: EdxLayout) -> [u32; 4] {
        let ebx = CpuidEbx::new()
            .with_lwpcb_size(self.lwpcb_size)
            .with_event_size(self.event_size)
            .with_max_events(self.max_events)
            .with_version(self.version);
        let ecx = CpuidEcx::new()
            .with_cache_max(U5::masked(self.cache_max))
            .with_data_address(self.data_address)
            .with_cache_levels(self.cache_levels)
            .with_cache_latency(self.cache_latency);
        [msr0.eax(), ebx.into_bits(), ecx.into_bits(), self.available.to_edx(layout)]
    }

    /// Whether this is a version 1 implementation that keeps its own rules.
    ///
    /// # Errors
    ///
    /// [`CapsError`]: the first rule that is broken.
    #[inline]
    pub const fn validate(&self) -> Result<(), CapsError> {
        if self.version != 1 {
            return Err(CapsError::Version(self.version));
        }
        if self.event_size as usize != EVENT_RECORD_BYTES {
            return Err(CapsError::EventSize(self.event_size));
        }
        if self.max_events == 0 || self.max_events as usize > MAX_SLOTS {
            return Err(CapsError::MaxEvents(self.max_events));
        }
        let needed = lwpcb_bytes(self.max_events as usize);
        if (self.lwpcb_size as usize) < needed {
            return Err(CapsError::LwpcbSize { size: self.lwpcb_size, needed });
        }
        if self.cache_max < 10 || self.cache_max > 31 {
            return Err(CapsError::CacheMax(self.cache_max));
        }
        // Without a cache-related event there is nothing to filter.
        if self.available.contains(Features::DME) && !self.cache_levels && !self.cache_latency {
            return Err(CapsError::NoCacheFilter);
        }
        Ok(())
    }

    /// What software may rely on if it can run on either of two processors: the migration set of a hypervisor.
    ///
    /// Features and abilities are those of both; events, latency bits and version the smaller; the control block the
    /// larger, so that it is large enough on both. The order of operands does not matter, nor that of several calls.
    /// If no filter for cache-related events is left, the DCache-miss event goes too, since it requires one.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "CPUID Identification", the note on SVM. It names the
    /// features and the number of events; the rest is this project's decision.
    ///
    /// # Errors
    ///
    /// [`CapsError::EventSizeMismatch`] when the records differ in size: no common reader exists.
    #[inline]
    pub const fn intersect(&self, other: &Self) -> Result<Self, CapsError> {
        if self.event_size != other.event_size {
            return Err(CapsError::EventSizeMismatch);
        }
        let cache_levels = self.cache_levels && other.cache_levels;
        let cache_latency = self.cache_latency && other.cache_latency;
        let mut features = self.available.features().intersection(other.available.features());
        if !cache_levels && !cache_latency {
            features = features.difference(Features::DME);
        }
        Ok(Self {
            available: AvailableFeatures::new(features),
            lwpcb_size: if self.lwpcb_size > other.lwpcb_size { self.lwpcb_size } else { other.lwpcb_size },
            event_size: self.event_size,
            max_events: min(self.max_events, other.max_events),
            version: min(self.version, other.version),
            cache_max: min(self.cache_max, other.cache_max),
            data_address: self.data_address && other.data_address,
            cache_levels,
            cache_latency,
        })
    }

    /// Largest latency in cycles that a record can report: 2^`cache_max` - 16, where the counter saturates.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Measuring latency".
    #[must_use]
    #[inline]
    pub const fn max_latency(&self) -> u32 {
        (1u32 << (self.cache_max & 0x1F)).saturating_sub(16)
    }
}

#[inline]
const fn min(a: u8, b: u8) -> u8 {
    if a < b { a } else { b }
}

/// What is wrong with the capabilities that a processor reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum CapsError {
    /// The version is not 1.
    Version(u8),
    /// The event record is not 32 bytes long.
    EventSize(u8),
    /// The number of slots is 0 or above 26.
    MaxEvents(u8),
    /// The control block is too small for its slots.
    LwpcbSize {
        /// The size reported, in bytes.
        size: u8,
        /// The size that the slots need, in bytes.
        needed: usize,
    },
    /// The latency counters have fewer than 10 or more than 31 bits.
    CacheMax(u8),
    /// There is a cache-related event but neither of the two filters.
    NoCacheFilter,
    /// Two processors write records of different sizes.
    EventSizeMismatch,
}

impl fmt::Display for CapsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => {
                write!(f, "LWPVersion is {version}; only version 1 is understood, do not use this LWP")
            }
            Self::EventSize(size) => {
                write!(f, "LWPEventSize is {size}; version 1 has records of 32 bytes")
            }
            Self::MaxEvents(max) => {
                write!(f, "LWPMaxEvents is {max}; a control block has 1 to {MAX_SLOTS} slots")
            }
            Self::LwpcbSize { size, needed } => {
                write!(f, "LWPCBSize is {size} bytes; report at least {needed} for this many slots")
            }
            Self::CacheMax(bits) => {
                write!(f, "LWPCacheMax is {bits}; latency counters have 10 to 31 bits")
            }
            Self::NoCacheFilter => {
                f.write_str("neither LWPCacheLevels nor LWPCacheLatency is set; report at least one, or no DME")
            }
            Self::EventSizeMismatch => {
                f.write_str("the processors write records of different sizes; leave one out of the migration set")
            }
        }
    }
}

impl core::error::Error for CapsError {}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Three slots, both filters, and the given features.
    pub(crate) const fn caps_with(features: Features) -> LwpCaps {
        LwpCaps {
            available: AvailableFeatures::new(features),
            lwpcb_size: 64,
            event_size: 32,
            max_events: 3,
            version: 1,
            cache_max: 10,
            data_address: true,
            cache_levels: true,
            cache_latency: true,
        }
    }

    // LWP-OVR-06
    #[test]
    fn decodes_and_encodes_the_leaf() {
        let regs = [0x8000_0003, 0x0103_2040, 0xC000_002A, 0x1F];
        let caps = LwpCaps::from_cpuid(regs, EdxLayout::AsPrinted).unwrap();
        assert_eq!(caps, caps_with(Features::all()));
        assert_eq!(caps.to_cpuid(LwpMsr0::from_bits(0x8000_0003), EdxLayout::AsPrinted), regs);
        let like_eax = caps.to_cpuid(LwpMsr0::RESET, EdxLayout::LikeEax);
        assert_eq!(like_eax, [0, 0x0103_2040, 0xC000_002A, 0x8000_000F]);
    }

    // LWP-CPU-25
    #[test]
    fn no_lwp_no_caps() {
        assert_eq!(LwpCaps::from_cpuid([0xF, 0x0103_2040, 0xC000_002A, 0x1E], EdxLayout::AsPrinted), None);
    }

    // LWP-CPU-14, LWP-CPU-33
    #[test]
    fn control_block_has_to_hold_its_slots() {
        let caps = caps_with(Features::all());
        assert_eq!(caps.validate(), Ok(()));
        assert_eq!(LwpCaps { lwpcb_size: 255, ..caps }.validate(), Ok(()));
        let small = LwpCaps { lwpcb_size: 63, ..caps };
        assert_eq!(small.validate(), Err(CapsError::LwpcbSize { size: 63, needed: 64 }));
        let most = LwpCaps { max_events: 26, lwpcb_size: 248, ..caps };
        assert_eq!(most.validate(), Ok(()));
        assert_eq!(LwpCaps { max_events: 27, ..most }.validate(), Err(CapsError::MaxEvents(27)));
        assert_eq!(LwpCaps { max_events: 0, ..most }.validate(), Err(CapsError::MaxEvents(0)));
    }

    // LWP-CPU-16, LWP-CPU-18, LWP-CPU-19, LWP-CPU-24, LWP-DCM-24
    #[test]
    fn rules_of_version_1() {
        let caps = caps_with(Features::all());
        assert_eq!(LwpCaps { version: 2, ..caps }.validate(), Err(CapsError::Version(2)));
        assert_eq!(LwpCaps { event_size: 64, ..caps }.validate(), Err(CapsError::EventSize(64)));
        assert_eq!(LwpCaps { cache_max: 9, ..caps }.validate(), Err(CapsError::CacheMax(9)));
        assert_eq!(LwpCaps { cache_levels: false, ..caps }.validate(), Ok(()));
        assert_eq!(LwpCaps { cache_latency: false, ..caps }.validate(), Ok(()));
        let none = LwpCaps { cache_levels: false, cache_latency: false, ..caps };
        assert_eq!(none.validate(), Err(CapsError::NoCacheFilter));
    }

    // AMB-39: what is left of two processors without a common filter has no DME, and then needs no filter. EDX: 0 LWP, 2 IRE, 3 BRE, 4 DME.
    #[test]
    fn without_dme_no_filter_is_needed() {
        let validate = |edx| LwpCaps::from_cpuid([0, 0x0103_2040, 0x2A, edx], EdxLayout::AsPrinted).unwrap().validate();
        assert_eq!(validate(0b1_1101), Err(CapsError::NoCacheFilter));
        assert_eq!(validate(0b0_1101), Ok(()));
    }

    // LWP-SVM-05
    #[test]
    fn a_migration_set_without_a_common_filter_loses_dme() {
        let levels = LwpCaps { cache_latency: false, ..caps_with(Features::all()) };
        let latency = LwpCaps { cache_levels: false, lwpcb_size: 80, ..caps_with(Features::all()) };
        let both = levels.intersect(&latency).unwrap();
        assert!(!both.available.contains(Features::DME));
        assert!(both.available.contains(Features::IRE | Features::BRE | Features::INT));
        assert_eq!(both.lwpcb_size, 80);
        assert_eq!(both.validate(), Ok(()));
        let wide = LwpCaps { event_size: 64, ..levels };
        assert_eq!(levels.intersect(&wide), Err(CapsError::EventSizeMismatch));
    }

    #[test]
    fn latency_saturates_below_the_power_of_two() {
        assert_eq!(caps_with(Features::all()).max_latency(), 1008);
        assert_eq!(LwpCaps { cache_max: 31, ..caps_with(Features::all()) }.max_latency(), 0x7FFF_FFF0);
    }
}
