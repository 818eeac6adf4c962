//! What an AMD processor has of core performance counters.

use crate::access::Cpuid;

/// The core performance counters of one AMD processor.
///
/// Source: AMD APM volume 2, "Core Performance-Monitoring Counters", and volume 3, CPUID 8000_0001 ECX; agrees with Linux
/// `arch/x86/events/amd/core.c` (`amd_pmu_init`: "Performance-monitoring supported from K7 and later", family 6). Not
/// checked against the current revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct AmdPerfCaps {
    /// There are six counters with numbers of their own (CPUID 8000_0001 ECX\[23\], `PerfCtrExtCore`), of which the first
    /// four can be reached at the old numbers, too; else there are four.
    pub core_extensions: bool,
}

impl AmdPerfCaps {
    /// Asks the processor; `None` when it is not one of AMD's or of Hygon's, or is older than the K7 (family 6), which was
    /// the first to have these counters: K5, K6 and the Geode LX are of family 5.
    #[must_use]
    pub fn detect(cpuid: &impl Cpuid) -> Option<Self> {
        if !matches!(&cpuid.vendor(), b"AuthenticAMD" | b"HygonGenuine") {
            return None;
        }
        // The family; the extended one is not 0 where the base family is 15 only.
        let signature = cpuid.leaf(1, 0)?[0];
        if (signature >> 8 & 0xF) + (signature >> 20 & 0xFF) < 6 {
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

    const FAMILY_17: u32 = 0x0080_0F11;

    fn detect(vendor: [u32; 4], highest: u32, ecx: u32) -> Option<AmdPerfCaps> {
        detect_family(FAMILY_17, vendor, highest, ecx)
    }

    fn detect_family(signature: u32, vendor: [u32; 4], highest: u32, ecx: u32) -> Option<AmdPerfCaps> {
        AmdPerfCaps::detect(&|leaf: u32, _: u32| match leaf {
            0 => vendor,
            1 => [signature, 0, 0, 0],
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

    // RDMSR of 0xC001_0004 faults on the processors of family 5
    #[test]
    fn the_k7_is_the_first() {
        let has = |signature| detect_family(signature, AMD, 0x8000_0008, 0).is_some();
        assert!(!has(0x0000_0500) && !has(0x0000_0562) && !has(0x0000_05A2), "K5, K6, Geode LX");
        assert!(has(0x0000_0612) && has(0x0000_06A0), "Athlon, Geode NX");
        assert!(has(0x0000_0F48) && has(0x0080_0F11), "Opteron, Zen");
        let without_leaf_1 = |leaf: u32, _: u32| if leaf == 0 { [0, AMD[1], AMD[2], AMD[3]] } else { [0; 4] };
        assert_eq!(AmdPerfCaps::detect(&without_leaf_1), None);
    }
}
