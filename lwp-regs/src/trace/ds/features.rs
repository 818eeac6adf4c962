//! What CPUID says about the debug store.

use bitflags::bitflags;

bitflags! {
    /// Features of the debug store, at their places in CPUID.1: the low half is ECX, the high half EDX.
    ///
    /// Source: Intel SDM volume 2A, "CPUID - CPU Identification", tables of feature information in ECX and EDX.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct DsFeatures: u64 {
        /// DTES64, ECX bit 2: the area has its 64-bit format in every mode.
        const DTES64 = 1 << 2;
        /// DS-CPL, ECX bit 4: branch trace messages can be limited to privilege levels.
        const DS_CPL = 1 << 4;
        /// DS, EDX bit 21: the processor can store records in memory.
        const DS = 1 << (32 + 21);
    }
}

set_format!(DsFeatures);

impl DsFeatures {
    /// The flags in ECX and EDX of CPUID.1.
    #[must_use]
    #[inline]
    pub const fn from_cpuid(ecx: u32, edx: u32) -> Self {
        Self::from_bits_truncate(ecx as u64 | (edx as u64) << 32) // the other flags are not the debug store's
    }
}

#[cfg(test)]
mod tests {
    use super::DsFeatures;

    // BTS-06: CPUID.1:EDX[21]
    #[test]
    fn flags() {
        assert_eq!(DsFeatures::from_cpuid(0, 1 << 21), DsFeatures::DS);
        assert_eq!(DsFeatures::from_cpuid(0, !(1 << 21)), DsFeatures::empty());
        assert_eq!(DsFeatures::from_cpuid(1 << 2, 0), DsFeatures::DTES64);
        assert_eq!(DsFeatures::from_cpuid(1 << 4, 0), DsFeatures::DS_CPL);
        // CPUID.1 of a Core 2 (Conroe): ECX 0000E3BD, EDX BFEBFBFF
        assert_eq!(DsFeatures::from_cpuid(0x0000_E3BD, 0xBFEB_FBFF), DsFeatures::all());
    }
}
