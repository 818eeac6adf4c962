//! Which parts of LWP there are: as a plain set, as what the processor has, and as what the system allows.

use super::LwpMsr0;
use super::cpuid::{CpuidEax, CpuidEdx};
use bitflags::bitflags;

bitflags! {
    /// A set of LWP features, in the layout of LWPMSR0 and CPUID 8000_001C EAX.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWPMSR0 - LWP Feature Enable", Table 3.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct Features: u32 {
        /// Bit 1: the instructions-retired event (EventId 1).
        const IRE = 1 << LwpMsr0::tock_field("IRE").shift;
        /// Bit 2: the branches-retired event (EventId 2).
        const BRE = 1 << LwpMsr0::tock_field("BRE").shift;
        /// Bit 3: the DCache-miss event (EventId 3).
        const DME = 1 << LwpMsr0::tock_field("DME").shift;
        /// Bit 31: the interrupt when the threshold is crossed.
        const INT = 1 << LwpMsr0::tock_field("INTERRUPT").shift;
    }
}

set_format!(Features);

impl Features {
    /// The events, without the interrupt.
    pub const EVENTS: Self = Self::IRE.union(Self::BRE).union(Self::DME);
}

/// Where CPUID 8000_001C EDX has its feature bits.
///
/// Table 2 of the proposal prints EDX in an order of its own (Interrupt 1, IRE 2, BRE 3, DME 4) although EAX, with
/// IRE 1, BRE 2, DME 3 and Interrupt 31, is called a subset of it. The printed table is the default and features are
/// compared by name; processors that were built later have EDX like EAX, which is the alternative.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "CPUID Identification", Table 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum EdxLayout {
    /// Bits 1 to 4: Interrupt, IRE, BRE, DME, as Table 2 prints them.
    #[default]
    AsPrinted,
    /// Bits 1 to 3 and 31: IRE, BRE, DME and Interrupt, as in EAX.
    LikeEax,
}

impl EdxLayout {
    /// Bit numbers of IRE, BRE, DME and Interrupt.
    #[inline]
    const fn bits(self) -> [(Features, usize); 4] {
        let [ire, bre, dme, int] = match self {
            Self::AsPrinted => [
                CpuidEdx::tock_field("IRE").shift,
                CpuidEdx::tock_field("BRE").shift,
                CpuidEdx::tock_field("DME").shift,
                CpuidEdx::tock_field("INTERRUPT").shift,
            ],
            Self::LikeEax => [
                CpuidEax::tock_field("IRE").shift,
                CpuidEax::tock_field("BRE").shift,
                CpuidEax::tock_field("DME").shift,
                CpuidEax::tock_field("INTERRUPT").shift,
            ],
        };
        [(Features::IRE, ire), (Features::BRE, bre), (Features::DME, dme), (Features::INT, int)]
    }

    /// The one place where the layout of EDX turns into that of EAX and LWPMSR0. Bit 0 and reserved bits are dropped.
    #[must_use]
    #[inline]
    pub const fn features(self, edx: u32) -> Features {
        let table = self.bits();
        let mut features = 0;
        let mut i = 0;
        while i < table.len() {
            if edx >> table[i].1 & 1 != 0 {
                features |= table[i].0.bits();
            }
            i += 1;
        }
        Features::from_bits_retain(features)
    }

    /// The EDX bits that report `features`, without bit 0; the inverse of [`features`](Self::features).
    #[must_use]
    #[inline]
    pub const fn edx(self, features: Features) -> u32 {
        let table = self.bits();
        let mut edx = 0;
        let mut i = 0;
        while i < table.len() {
            if features.contains(table[i].0) {
                edx |= 1 << table[i].1;
            }
            i += 1;
        }
        edx
    }
}

/// What this processor has, from CPUID 8000_001C EDX. System software decides by it what to enable.
///
/// A type of its own, so that it cannot be taken for what user software may use ([`EnabledFeatures`]).
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "CPUID Identification".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AvailableFeatures(Features);

impl AvailableFeatures {
    /// A processor that has these features; for models and hypervisors.
    #[must_use]
    #[inline]
    pub const fn new(features: Features) -> Self {
        Self(features)
    }

    /// Decodes EDX; `None` when bit 0 says that there is no LWP.
    #[must_use]
    #[inline]
    pub const fn from_edx(edx: u32, layout: EdxLayout) -> Option<Self> {
        if CpuidEdx::from_bits(edx).enabled() { Some(Self(layout.features(edx))) } else { None }
    }

    /// The value of EDX, with bit 0 set.
    #[must_use]
    #[inline]
    pub const fn to_edx(self, layout: EdxLayout) -> u32 {
        CpuidEdx::new().with_enabled(true).into_bits() | layout.edx(self.0)
    }

    /// The features as a plain set.
    #[must_use]
    #[inline]
    pub const fn features(self) -> Features {
        self.0
    }

    /// Whether all of `features` are there.
    #[must_use]
    #[inline]
    pub const fn contains(self, features: Features) -> bool {
        self.0.contains(features)
    }
}

/// What the system has enabled, from CPUID 8000_001C EAX. User software may use this and no more.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "CPUID Identification".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EnabledFeatures(Features);

impl EnabledFeatures {
    /// Decodes EAX; `None` when bit 0 says that LWP is not enabled, in which case the rest means nothing to a user.
    #[must_use]
    #[inline]
    pub const fn from_eax(eax: u32) -> Option<Self> {
        if CpuidEax::from_bits(eax).enabled() { Some(Self(Features::from_bits_truncate(eax))) } else { None }
    }

    /// The features as a plain set.
    #[must_use]
    #[inline]
    pub const fn features(self) -> Features {
        self.0
    }

    /// Whether all of `features` are enabled.
    #[must_use]
    #[inline]
    pub const fn contains(self, features: Features) -> bool {
        self.0.contains(features)
    }

    /// Whether nothing is enabled that is not available; true on any correct processor.
    #[must_use]
    #[inline]
    pub const fn is_subset_of(self, available: AvailableFeatures) -> bool {
        available.0.contains(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{AvailableFeatures, EdxLayout, EnabledFeatures, Features};

    // LWP-CPU-08, LWP-CPU-09, LWP-CPU-10, LWP-CPU-13
    #[test]
    fn bits_are_those_of_eax_and_msr0() {
        assert_eq!(Features::IRE.bits(), 0x0000_0002);
        assert_eq!(Features::BRE.bits(), 0x0000_0004);
        assert_eq!(Features::DME.bits(), 0x0000_0008);
        assert_eq!(Features::INT.bits(), 0x8000_0000);
    }

    // LWP-CPU-26, LWP-CPU-27, LWP-CPU-28, LWP-CPU-29
    #[test]
    fn printed_edx_has_interrupt_first() {
        let edx = |bits| AvailableFeatures::from_edx(bits, EdxLayout::AsPrinted).unwrap().features();
        assert_eq!(edx(0b0_0011), Features::INT);
        assert_eq!(edx(0b0_0101), Features::IRE);
        assert_eq!(edx(0b0_1001), Features::BRE);
        assert_eq!(edx(0b1_0001), Features::DME);
        assert_eq!(edx(0xFFFF_FFE1), Features::empty(), "bits 31:5 are reserved");
    }

    #[test]
    fn edx_like_eax() {
        let layout = EdxLayout::LikeEax;
        assert_eq!(AvailableFeatures::from_edx(0x8000_000F, layout).unwrap().features(), Features::all());
        assert_eq!(AvailableFeatures::from_edx(0x0000_0003, layout).unwrap().features(), Features::IRE);
        assert_eq!(AvailableFeatures::from_edx(0x0000_0011, layout).unwrap().features(), Features::empty());
    }

    #[test]
    fn both_layouts_round_trip_every_set() {
        for layout in [EdxLayout::AsPrinted, EdxLayout::LikeEax] {
            for low in 0..16 {
                let features = Features::from_bits_truncate(low & 0xE | (low & 1) << 31);
                let edx = AvailableFeatures::new(features).to_edx(layout);
                assert_eq!(AvailableFeatures::from_edx(edx, layout), Some(AvailableFeatures::new(features)));
            }
        }
    }

    // LWP-CPU-25, LWP-CPU-07
    #[test]
    fn bit_0_decides_whether_the_rest_counts() {
        assert_eq!(AvailableFeatures::from_edx(0x1E, EdxLayout::AsPrinted), None);
        assert_eq!(EnabledFeatures::from_eax(0x8000_000E), None);
        assert_eq!(EnabledFeatures::from_eax(0x8000_0003).unwrap().features(), Features::INT | Features::IRE);
    }

    // LWP-CPU-05
    #[test]
    fn enabled_is_compared_by_feature_not_by_bit() {
        let available = AvailableFeatures::from_edx(0b0_0011, EdxLayout::AsPrinted).unwrap();
        assert!(EnabledFeatures::from_eax(0x8000_0001).unwrap().is_subset_of(available));
        assert!(!EnabledFeatures::from_eax(0x0000_0003).unwrap().is_subset_of(available));
    }
}
