//! What there is of the time-stamp facility, and who may use it.

use super::{TimeStampCounter, TscAdjust, TscAux};
use crate::access::Cpuid;
use bitflags::bitflags;

bitflags! {
    /// Parts of the time-stamp facility, as CPUID reports them. The bits are this crate's own; CPUID has them in four
    /// leaves.
    ///
    /// Source: Intel SDM volume 2A, "CPUID - CPU Identification".
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct TscFeatures: u8 {
        /// The counter and RDTSC: CPUID.1:EDX\[4\].
        const TSC = 1 << 0;
        /// RDTSCP and `IA32_TSC_AUX`: CPUID.80000001H:EDX\[27\].
        const RDTSCP = 1 << 1;
        /// The counter has a constant rate in all P-, C- and T-states of ACPI: CPUID.80000007H:EDX\[8\].
        const INVARIANT = 1 << 2;
        /// `IA32_TSC_ADJUST`: CPUID.(EAX=07H,ECX=0):EBX\[1\].
        const ADJUST = 1 << 3;
    }
}

set_format!(TscFeatures);

impl TscFeatures {
    /// What this processor has. Leaves that it does not have are not asked for.
    #[must_use]
    pub fn detect<C: Cpuid + ?Sized>(cpuid: &C) -> Self {
        let register = |leaf, index: usize| cpuid.leaf(leaf, 0).map_or(0, |registers| registers[index]);
        let mut features = Self::empty();
        features.set(Self::TSC, register(1, 3) & 1 << 4 != 0);
        features.set(Self::RDTSCP, register(0x8000_0001, 3) & 1 << 27 != 0);
        features.set(Self::INVARIANT, register(0x8000_0007, 3) & 1 << 8 != 0);
        features.set(Self::ADJUST, register(7, 1) & 1 << 1 != 0);
        features
    }

    /// Whether the facility has the model-specific register `number`.
    #[must_use]
    #[inline]
    pub const fn has(self, number: u32) -> bool {
        match number {
            TimeStampCounter::ADDRESS => self.contains(Self::TSC),
            TscAdjust::ADDRESS => self.contains(Self::ADJUST),
            TscAux::ADDRESS => self.contains(Self::RDTSCP),
            _ => false,
        }
    }
}

/// Who may execute RDTSC and RDTSCP: CR4.TSD, bit 2 of CR4. Other levels get #GP while it is set.
///
/// Source: Intel SDM volume 3B, "Time-Stamp Counter"; the bit: volume 3A, "Control Registers".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TimeStampDisable {
    /// TSD = 0: every privilege level, and virtual-8086 mode.
    AllLevels,
    /// TSD = 1: privilege level 0 only.
    KernelOnly,
}

impl TimeStampDisable {
    /// TSD in CR4.
    pub const CR4_TSD: u64 = 1 << 2;

    /// What a CR4.TSD of this value says.
    #[must_use]
    #[inline]
    pub const fn from_tsd(tsd: bool) -> Self {
        if tsd { Self::KernelOnly } else { Self::AllLevels }
    }

    /// What CR4 says.
    #[must_use]
    #[inline]
    pub const fn from_cr4(cr4: u64) -> Self {
        Self::from_tsd(cr4 & Self::CR4_TSD != 0)
    }

    /// `cr4` with TSD as this says, and all else as it is.
    #[must_use]
    #[inline]
    pub const fn in_cr4(self, cr4: u64) -> u64 {
        match self {
            Self::AllLevels => cr4 & !Self::CR4_TSD,
            Self::KernelOnly => cr4 | Self::CR4_TSD,
        }
    }

    /// Whether RDTSC may be executed at privilege level `cpl`. Virtual-8086 mode is privilege level 3.
    #[must_use]
    #[inline]
    pub const fn allows(self, cpl: u8) -> bool {
        matches!(self, Self::AllLevels) || cpl == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // TSC-01, TSC-14, TSC-19: where CPUID reports each part
    #[test]
    fn flags() {
        let only = |asked: u32, index: usize, bit: u32| {
            move |leaf: u32, _: u32| match leaf {
                0 => [7, 0, 0, 0],
                0x8000_0000 => [0x8000_0008, 0, 0, 0],
                _ if leaf == asked => core::array::from_fn(|i| if i == index { 1 << bit } else { 0 }),
                _ => [0; 4],
            }
        };
        assert_eq!(TscFeatures::detect(&only(1, 3, 4)), TscFeatures::TSC);
        assert_eq!(TscFeatures::detect(&only(0x8000_0001, 3, 27)), TscFeatures::RDTSCP);
        assert_eq!(TscFeatures::detect(&only(0x8000_0007, 3, 8)), TscFeatures::INVARIANT);
        assert_eq!(TscFeatures::detect(&only(7, 1, 1)), TscFeatures::ADJUST);
        assert_eq!(TscFeatures::detect(&only(1, 3, 5)), TscFeatures::empty());
    }

    #[test]
    fn leaves_beyond_the_highest_are_not_believed() {
        let old = |leaf: u32, _: u32| match leaf {
            0 => [1, 0, 0, 0],
            0x8000_0000 => [0, 0, 0, 0],
            _ => [u32::MAX; 4],
        };
        assert_eq!(TscFeatures::detect(&old), TscFeatures::TSC);
    }

    // TSC-01, TSC-14, TSC-19: a register exists with its feature, and there are no others
    #[test]
    fn registers() {
        for (feature, number) in
            [(TscFeatures::TSC, 0x10), (TscFeatures::ADJUST, 0x3B), (TscFeatures::RDTSCP, 0xC000_0103)]
        {
            assert!(feature.has(number));
            assert!(!feature.complement().has(number));
        }
        for number in [0, 0x11, 0x3A, 0xC000_0102, 0x8000_0010] {
            assert!(!TscFeatures::all().has(number));
        }
    }

    // TSC-01, TSC-11: bit 2 of CR4; TSD by privilege level
    #[test]
    fn tsd() {
        let allowed = |cr4| [0, 1, 2, 3].map(|cpl| TimeStampDisable::from_cr4(cr4).allows(cpl));
        assert_eq!(allowed(0xFFFF_FFFB), [true; 4]);
        assert_eq!(allowed(0x4), [true, false, false, false]);
        assert_eq!(TimeStampDisable::KernelOnly.in_cr4(0x30), 0x34);
        assert_eq!(TimeStampDisable::AllLevels.in_cr4(0x34), 0x30);
    }
}
