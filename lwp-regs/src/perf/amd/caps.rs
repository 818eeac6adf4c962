//! What an AMD processor has of core performance counters.

use super::cpuid::{self, AmdPerfmonEax, AmdPerfmonEbx};
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
    /// There are the registers that control all counters at once (CPUID 8000_0022 EAX\[0\], `PerfMonV2`).
    pub perfmon_v2: bool,
    /// An overflow can freeze counters and branch records (CPUID 8000_0022 EAX\[2\]).
    pub freeze: bool,
    /// How many counters CPUID 8000_0022 EBX\[3:0\] counts; says something with `perfmon_v2` only.
    pub v2_counters: u8,
}

impl AmdPerfCaps {
    /// Counters that have numbers in this crate.
    pub const MAX_COUNTERS: u8 = 6;

    /// A processor with or without the core extension, and without `PerfMonV2`. The fields can be changed.
    #[must_use]
    #[inline]
    pub const fn new(core_extensions: bool) -> Self {
        Self { core_extensions, perfmon_v2: false, freeze: false, v2_counters: 0 }
    }

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
        let [eax, ebx, ..] = cpuid.leaf(cpuid::LEAF, 0).unwrap_or_default();
        let eax = AmdPerfmonEax::from_bits(eax);
        Some(Self {
            perfmon_v2: eax.perfmon_v2(),
            freeze: eax.freeze(),
            v2_counters: AmdPerfmonEbx::from_bits(ebx).core_counters().get(),
            ..Self::new(ecx >> 23 & 1 != 0)
        })
    }

    /// How many counters there are; of more than [`MAX_COUNTERS`](Self::MAX_COUNTERS), those with known numbers.
    #[must_use]
    #[inline]
    pub const fn counters(&self) -> u8 {
        if !self.core_extensions {
            4
        } else if self.perfmon_v2 && self.v2_counters < Self::MAX_COUNTERS {
            self.v2_counters
        } else {
            Self::MAX_COUNTERS
        }
    }

    /// The bits of the global registers that belong to a counter; 0 without `PerfMonV2`.
    #[must_use]
    #[inline]
    pub const fn counter_mask(&self) -> u64 {
        if self.perfmon_v2 {
            crate::layout::mask(if self.v2_counters > 16 { 16 } else { self.v2_counters as usize })
        } else {
            0
        }
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

    // Linux, amd_core_pmu_init: with PERFMON_V2 the counters are those of ebx.split.num_core_pmc
    #[test]
    fn version_2() {
        let detect = |highest: u32, eax: u32, ebx: u32| {
            AmdPerfCaps::detect(&|leaf: u32, _: u32| match leaf {
                0 => AMD,
                1 => [FAMILY_17, 0, 0, 0],
                0x8000_0000 => [highest, 0, 0, 0],
                0x8000_0001 => [0, 0, 1 << 23, 0],
                0x8000_0022 => [eax, ebx, 0, 0],
                _ => [0; 4],
            })
            .unwrap()
        };
        // Zen 4: PerfMonV2, LBR version 2 and freezing; 6 core counters and 16 branch records
        let zen4 = detect(0x8000_0028, 7, 0x106);
        assert_eq!((zen4.perfmon_v2, zen4.freeze, zen4.counters(), zen4.counter_mask()), (true, true, 6, 0x3F));
        let before = detect(0x8000_0021, 7, 0x106);
        assert_eq!((before.perfmon_v2, before.counters(), before.counter_mask()), (false, 6, 0));
        let (few, many) = (detect(0x8000_0022, 1, 4), detect(0x8000_0022, 1, 0xF));
        assert_eq!((few.freeze, few.counters(), few.counter_mask()), (false, 4, 0xF));
        assert_eq!((many.counters(), many.counter_mask()), (6, 0x7FFF));
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
