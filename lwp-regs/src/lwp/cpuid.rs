//! CPUID: whether there is LWP, and the layouts of leaf 8000_001C.
//!
//! Source: Lightweight Profiling Proposal (2007-07-20), "CPUID Identification", Table 2.

use crate::bits::U5;

/// The leaf whose presence bit tells that LWP exists.
pub const LEAF_PRESENCE: u32 = 0x8000_0001;
/// The leaf that describes LWP.
pub const LEAF_FEATURES: u32 = 0x8000_001C;
/// The leaf for events with an EventId above 29; meaningful only when EAX\[30\] of [`LEAF_FEATURES`] is 1.
pub const LEAF_EXTENDED: u32 = 0x8000_001D;

/// What [`LEAF_EXTENDED`] returns in version 1, which has no such events.
pub const EXTENDED_V1: [u32; 4] = [0; 4];

/// Where leaf 8000_0001 has the presence bit.
///
/// The proposal says "EDX bit TBD", so the number is this project's choice and is written nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PresenceBit {
    /// A bit of EDX, as the proposal has it.
    Edx(u8),
    /// A bit of ECX, as in the processors that were built later.
    Ecx(u8),
}

impl PresenceBit {
    /// The project's choice for the bit that the proposal leaves open: EDX\[28\], which AMD processors keep reserved.
    pub const PROJECT: Self = Self::Edx(28);
    /// Processors of family 15h report their LWP, a different design, in ECX\[15\].
    pub const SHIPPED: Self = Self::Ecx(15);

    /// Whether ECX and EDX of leaf 8000_0001 say that LWP is present.
    #[must_use]
    #[inline]
    pub const fn is_set(self, ecx: u32, edx: u32) -> bool {
        let (register, bit) = match self {
            Self::Edx(bit) => (edx, bit),
            Self::Ecx(bit) => (ecx, bit),
        };
        bit < 32 && register >> bit & 1 != 0
    }
}

impl Default for PresenceBit {
    fn default() -> Self {
        Self::PROJECT
    }
}

layout! {
    /// EAX of leaf 8000_001C: what is enabled, an image of LWPMSR0\[31:0\].
    pub struct CpuidEax: u32, Zero {
        /// LWP is enabled. If 0, the rest says nothing to user software.
        #[inline]
        pub enabled: bool,
        /// Instructions-retired event is enabled.
        #[inline]
        pub ire: bool,
        /// Branches-retired event is enabled.
        #[inline]
        pub bre: bool,
        /// DCache-miss event is enabled.
        #[inline]
        pub dme: bool,
        #[bits(26)]
        __: u32,
        /// Leaf 8000_001D has more; constant 0 in version 1.
        #[inline]
        pub extension: bool,
        /// Threshold interrupt is enabled.
        #[inline]
        pub interrupt: bool,
    }
}

layout! {
    /// EBX of leaf 8000_001C: sizes and version.
    pub struct CpuidEbx: u32, Zero {
        /// Size of the control block in bytes, at least 40 + 8 * `max_events`; what software has to allocate.
        #[inline]
        pub lwpcb_size: u8,
        /// Size of an event record in bytes; 32 in version 1.
        #[inline]
        pub event_size: u8,
        /// Number of slots: events that can be monitored at the same time.
        #[inline]
        pub max_events: u8,
        /// Version of LWP; 1.
        #[inline]
        pub version: u8,
    }
}

layout! {
    /// ECX of leaf 8000_001C: cache-related abilities.
    pub struct CpuidEcx: u32, Zero {
        /// Number of bits of the cache latency counters, 10 to 31.
        #[inline]
        #[bits(5)]
        pub cache_max: U5,
        /// Cache-miss records report the data address.
        #[inline]
        pub data_address: bool,
        #[bits(24)]
        __: u32,
        /// Cache-related events can be filtered by the level that returned the data. If 0, CLF is ignored.
        #[inline]
        pub cache_levels: bool,
        /// Cache-related events can be filtered by latency. If 0, MinLatency is ignored.
        #[inline]
        pub cache_latency: bool,
    }
}

layout! {
    /// EDX of leaf 8000_001C as Table 2 prints it: what is available. Its order differs from EAX; to decode it, use
    /// [`AvailableFeatures`](super::AvailableFeatures), which knows both layouts.
    pub struct CpuidEdx: u32, Zero {
        /// LWP is available. If 0, the other three registers mean nothing either.
        #[inline]
        pub enabled: bool,
        /// Threshold interrupt is available.
        #[inline]
        pub interrupt: bool,
        /// Instructions-retired event is available.
        #[inline]
        pub ire: bool,
        /// Branches-retired event is available.
        #[inline]
        pub bre: bool,
        /// DCache-miss event is available.
        #[inline]
        pub dme: bool,
        #[bits(27)]
        __: u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // LWP-CPU-01
    #[test]
    fn presence_is_one_named_bit() {
        assert!(PresenceBit::PROJECT.is_set(0, 1 << 28));
        assert!(!PresenceBit::PROJECT.is_set(u32::MAX, !(1 << 28)));
        assert!(PresenceBit::SHIPPED.is_set(1 << 15, 0));
        assert!(!PresenceBit::SHIPPED.is_set(!(1 << 15), u32::MAX));
        assert!(!PresenceBit::Edx(32).is_set(u32::MAX, u32::MAX));
    }

    // LWP-CPU-02, LWP-CPU-03
    #[test]
    fn leaves() {
        assert_eq!(LEAF_PRESENCE, 0x8000_0001);
        assert_eq!(LEAF_FEATURES, 0x8000_001C);
        assert_eq!(LEAF_EXTENDED, 0x8000_001D);
        assert_eq!(EXTENDED_V1, [0, 0, 0, 0]);
    }

    // LWP-CPU-07, LWP-CPU-08, LWP-CPU-09, LWP-CPU-10, LWP-CPU-11, LWP-CPU-12, LWP-CPU-13
    #[test]
    fn eax_positions() {
        assert_eq!(CpuidEax::new().with_enabled(true).into_bits(), 0x0000_0001);
        assert_eq!(CpuidEax::new().with_ire(true).into_bits(), 0x0000_0002);
        assert_eq!(CpuidEax::new().with_bre(true).into_bits(), 0x0000_0004);
        assert_eq!(CpuidEax::new().with_dme(true).into_bits(), 0x0000_0008);
        assert_eq!(CpuidEax::new().with_extension(true).into_bits(), 0x4000_0000);
        assert_eq!(CpuidEax::new().with_interrupt(true).into_bits(), 0x8000_0000);
        assert_eq!(CpuidEax::RESERVED, 0x3FFF_FFF0);
    }

    // LWP-CPU-14, LWP-CPU-16, LWP-CPU-17, LWP-CPU-18
    #[test]
    fn ebx_positions() {
        let ebx = CpuidEbx::from_bits(0x0103_2040);
        assert_eq!(ebx.lwpcb_size(), 64);
        assert_eq!(ebx.event_size(), 32);
        assert_eq!(ebx.max_events(), 3);
        assert_eq!(ebx.version(), 1);
        assert_eq!(CpuidEbx::RESERVED, 0);
    }

    // LWP-CPU-19, LWP-CPU-20, LWP-CPU-21, LWP-CPU-22, LWP-CPU-23, LWP-LAT-07
    #[test]
    fn ecx_positions() {
        let ecx = CpuidEcx::from_bits(0x8000_002A);
        assert_eq!(ecx.cache_max(), 10);
        assert!(ecx.data_address());
        assert!(!ecx.cache_levels());
        assert!(ecx.cache_latency());
        assert_eq!(CpuidEcx::new().with_cache_levels(true).into_bits(), 0x4000_0000);
        assert_eq!(CpuidEcx::RESERVED, 0x3FFF_FFC0);
    }

    // LWP-CPU-25, LWP-CPU-26, LWP-CPU-27, LWP-CPU-28, LWP-CPU-29, LWP-CPU-30
    #[test]
    fn edx_positions() {
        assert_eq!(CpuidEdx::new().with_enabled(true).into_bits(), 0x01);
        assert_eq!(CpuidEdx::new().with_interrupt(true).into_bits(), 0x02);
        assert_eq!(CpuidEdx::new().with_ire(true).into_bits(), 0x04);
        assert_eq!(CpuidEdx::new().with_bre(true).into_bits(), 0x08);
        assert_eq!(CpuidEdx::new().with_dme(true).into_bits(), 0x10);
        assert_eq!(CpuidEdx::RESERVED, 0xFFFF_FFE0);
    }
}
