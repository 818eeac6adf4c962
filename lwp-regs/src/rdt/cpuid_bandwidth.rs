//! CPUID leaf 8000_0020H: AMD's extensions to monitoring and allocation.
//!
//! Source: AMD APM volume 2, "Platform Quality of Service (PQOS) Extension", table "Fn8000_0020_EBX_x0 PQM Extended Feature
//! Identifiers", "L3 External Bandwidth Enforcement (L3BE)" and "L3 Slow Memory Bandwidth Enforcement (L3SMBE)", in a public
//! copy that does not name its revision; agrees with Linux, `arch/x86/kernel/cpu/resctrl/core.c`
//! (`__rdt_get_mem_config_amd`: EAX is the length, EDX the highest class).

/// The leaf that describes AMD's extensions. Subleaf 0 lists them; subleaves [`RESOURCE_BANDWIDTH`] and
/// [`RESOURCE_SLOW_BANDWIDTH`] describe one each.
pub const LEAF_QOS_EXTENSIONS: u32 = 0x8000_0020;
/// Subleaf of the bandwidth between the L3 cache and everything behind it.
pub const RESOURCE_BANDWIDTH: u32 = 1;
/// Subleaf of the bandwidth to slow memory.
pub const RESOURCE_SLOW_BANDWIDTH: u32 = 2;

layout! {
    /// EBX of leaf 8000_0020H, subleaf 0: which extensions there are.
    pub struct CpuidQosExtensions: u32, Zero {
        #[bits(1)]
        __: u32,
        /// The bandwidth of a class can be limited (L3BE, also L3MBE); subleaf 1.
        #[inline]
        pub l3be: bool,
        /// The bandwidth of a class to slow memory can be limited (L3SMBE); subleaf 2.
        #[inline]
        pub l3smbe: bool,
        /// Software chooses what the two bandwidth events count (BMEC).
        #[inline]
        pub bmec: bool,
        /// Ranges of memory can be reserved in the L3 cache (L3RR). The table of volume 2 leaves the bit out; public decoders of
        /// CPUID name it.
        #[inline]
        pub l3rr: bool,
        /// Bandwidth counters can be assigned to RMIDs (ABMC).
        #[inline]
        pub abmc: bool,
        /// What devices inject into the L3 cache can be confined (SDCIAE).
        #[inline]
        pub sdciae: bool,
        #[bits(25)]
        __: u32,
    }
}

layout! {
    /// EAX of leaf 8000_0020H, subleaves 1 and 2: the length of a limit.
    pub struct CpuidBandwidthLength: u32, Zero {
        /// Bits of a limit (BW_LEN).
        #[inline]
        pub bw_len: u32,
    }
}

layout! {
    /// EDX of leaf 8000_0020H, subleaves 1 and 2: the highest class of service.
    pub struct CpuidBandwidthCosMax: u32, Zero {
        /// Highest class of service of the resource: their number, less one.
        #[inline]
        pub cos_max: u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Linux, scattered.c: X86_FEATURE_SMBA EBX 2, X86_FEATURE_BMEC EBX 3, X86_FEATURE_ABMC EBX 5 of 0x80000020
    #[test]
    fn positions() {
        let extensions = CpuidQosExtensions::new();
        let each = [
            extensions.with_l3be(true),
            extensions.with_l3smbe(true),
            extensions.with_bmec(true),
            extensions.with_l3rr(true),
            extensions.with_abmc(true),
            extensions.with_sdciae(true),
        ];
        assert_eq!(each.map(CpuidQosExtensions::into_bits), [0x2, 0x4, 0x8, 0x10, 0x20, 0x40]);
        assert_eq!(CpuidQosExtensions::RESERVED, 0xFFFF_FF81);
        assert_eq!(CpuidBandwidthLength::from_bits(0xFFFF_FFFE).bw_len(), 0xFFFF_FFFE);
        assert_eq!(CpuidBandwidthCosMax::from_bits(0xFFFF_FFFE).cos_max(), 0xFFFF_FFFE);
    }
}
