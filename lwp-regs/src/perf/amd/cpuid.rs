//! CPUID leaf 8000_0022H, "Extended Performance Monitoring and Debug": its layouts.
//!
//! Source: Linux, `arch/x86/include/asm/perf_event.h` (`cpuid_0x80000022_ebx`) and `cpufeatures.h`, `scattered.c`
//! (`X86_FEATURE_PERFMON_V2`, `_AMD_LBR_V2`, `_AMD_LBR_PMC_FREEZE`: EAX bits 0, 1, 2); from AMD APM volume 3, leaf
//! 8000_0022.

use crate::bits::{U4, U6};

/// The leaf that describes the counters and branch records of later processors.
pub const LEAF: u32 = 0x8000_0022;

layout! {
    /// EAX of leaf 8000_0022H: which of the extensions there are.
    pub struct AmdPerfmonEax: u32, Zero {
        /// `PerfMonV2`: the registers that control all counters at once.
        #[inline]
        pub perfmon_v2: bool,
        /// `LbrStack`: branch records, version 2.
        #[inline]
        pub lbr_v2: bool,
        /// `LbrAndPmcFreeze`: an overflow can freeze both (bits 11 and 12 of `IA32_DEBUGCTL`).
        #[inline]
        pub freeze: bool,
        #[bits(29)]
        __: u32,
    }
}

layout! {
    /// EBX of leaf 8000_0022H: how many there are of each.
    pub struct AmdPerfmonEbx: u32, Zero {
        /// Core performance counters.
        #[inline]
        #[bits(4)]
        pub core_counters: U4,
        /// Entries of the branch records.
        #[inline]
        #[bits(6)]
        pub lbr_entries: U6,
        /// Counters of the data fabric.
        #[inline]
        #[bits(6)]
        pub fabric_counters: U6,
        /// Counters of the memory controllers.
        #[inline]
        #[bits(6)]
        pub memory_counters: U6,
        #[bits(10)]
        __: u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Linux: num_core_pmc:4, lbr_v2_stack_sz:6, num_df_pmc:6, num_umc_pmc:6
    #[test]
    fn positions() {
        let (eax, ebx) = (AmdPerfmonEax::new(), AmdPerfmonEbx::new());
        let eax = [eax.with_perfmon_v2(true), eax.with_lbr_v2(true), eax.with_freeze(true)];
        assert_eq!(eax.map(AmdPerfmonEax::into_bits), [1, 2, 4]);
        let ebx = [
            ebx.with_core_counters(U4::MAX),
            ebx.with_lbr_entries(U6::MAX),
            ebx.with_fabric_counters(U6::MAX),
            ebx.with_memory_counters(U6::MAX),
        ];
        assert_eq!(ebx.map(AmdPerfmonEbx::into_bits), [0xF, 0x3F0, 0xFC00, 0x3F_0000]);
        assert_eq!((AmdPerfmonEax::RESERVED, AmdPerfmonEbx::RESERVED), (0xFFFF_FFF8, 0xFFC0_0000));
    }
}
