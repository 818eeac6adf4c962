//! What an AMD processor has of core performance counters.

use crate::access::Cpuid;

/// The core performance counters of one AMD processor.
///
/// Source: AMD APM volume 2, "Core Performance-Monitoring Counters", and volume 3, CPUID 8000_0001 ECX; agrees with Linux
/// `arch/x86/events/amd/core.c`. Not checked against the current revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AmdPerfCaps {
    /// There are six counters with numbers of their own (CPUID 8000_0001 ECX\[23\], `PerfCtrExtCore`), of which the first
    /// four can be reached at the old numbers, too; else there are four.
    pub core_extensions: bool,
}

impl AmdPerfCaps {
    /// Asks the processor; `None` when it is not one of AMD's or of Hygon's. All since the K7 have at least four counters.
    #[must_use]
    pub fn detect(cpuid: &impl Cpuid) -> Option<Self> {
        let [_, ebx, ecx, edx] = cpuid.cpuid(0, 0);
        let mut vendor = [0; 12];
        for (bytes, register) in vendor.chunks_exact_mut(4).zip([ebx, edx, ecx]) {
            bytes.copy_from_slice(&register.to_le_bytes());
        }
        if !matches!(&vendor, b"AuthenticAMD" | b"HygonGenuine") {
            return None;
        }
        let ecx = cpuid.leaf(0x8000_0001, 0).map_or(0, |leaf| leaf[2]);
        Some(Self { core_extensions: ecx >> 23 & 1 != 0 })
    }

    /// How many counters there are.
    #[must_use]
    #[inline]
    pub const fn counters(&self) -> u8 {
        if self.core_extensions { 6 } else { 4 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMD: [u32; 4] = [1, 0x6874_7541, 0x444D_4163, 0x6974_6E65];
    const INTEL: [u32; 4] = [1, 0x756E_6547, 0x6C65_746E, 0x4965_6E69];

    fn detect(vendor: [u32; 4], highest: u32, ecx: u32) -> Option<AmdPerfCaps> {
        AmdPerfCaps::detect(&|leaf: u32, _: u32| match leaf {
            0 => vendor,
            0x8000_0000 => [highest, 0, 0, 0],
            0x8000_0001 => [0, 0, ecx, 0],
            _ => [0; 4],
        })
    }

    #[test]
    fn four_or_six_counters() {
        let counters = |highest, ecx| detect(AMD, highest, ecx).unwrap().counters();
        assert_eq!(counters(0x8000_001E, 1 << 23), 6);
        assert_eq!(counters(0x8000_0008, !(1 << 23)), 4);
        assert_eq!(counters(0x8000_0000, 1 << 23), 4, "a leaf that does not exist");
        assert_eq!(detect(INTEL, 0x8000_0008, 1 << 23), None);
    }
}
