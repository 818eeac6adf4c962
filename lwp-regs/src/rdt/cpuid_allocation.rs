//! CPUID 10H: what the processor allocates.

use crate::bits::{U5, U12};

/// The leaf that describes allocation. Subleaf 0 lists the resources; subleaves [`RESOURCE_L3`](super::RESOURCE_L3),
/// [`RESOURCE_L2`] and [`RESOURCE_MBA`] describe one each.
pub const LEAF_ALLOCATION: u32 = 0x10;
/// Subleaf of the L2 cache.
pub const RESOURCE_L2: u32 = 2;
/// Subleaf of memory bandwidth.
pub const RESOURCE_MBA: u32 = 3;

layout! {
    /// EBX of leaf 10H, subleaf 0: the resources that can be allocated.
    ///
    /// Source: Intel SDM volume 3B, "Cache Allocation Technology: Resource Type and Capability Enumeration".
    pub struct CpuidAllocationResources: u32, Zero {
        #[bits(1)]
        __: u32,
        /// The L3 cache; subleaf 1.
        #[inline]
        pub l3: bool,
        /// The L2 cache; subleaf 2.
        #[inline]
        pub l2: bool,
        /// Memory bandwidth; subleaf 3.
        #[inline]
        pub mba: bool,
        #[bits(28)]
        __: u32,
    }
}

layout! {
    /// EAX of leaf 10H, subleaves 1 and 2: the length of a capacity mask.
    ///
    /// Source: Intel SDM volume 3B, "Cache Allocation Technology: Resource Type and Capability Enumeration".
    pub struct CpuidCatLength: u32, Zero {
        /// Bits in a capacity mask, less one.
        #[inline]
        #[bits(5)]
        pub cbm_len_minus_1: U5,
        #[bits(27)]
        __: u32,
    }
}

layout! {
    /// ECX of leaf 10H, subleaves 1 and 2: what cache allocation can do beyond one mask for each class.
    ///
    /// Source: Intel SDM volume 2, "CPUID - CPU Identification", leaf 10H.
    pub struct CpuidCatFeatures: u32, Zero {
        #[bits(1)]
        __: u32,
        /// Accesses of devices are allocated too (I/O RDT). Subleaf 1 (L3) only; reserved in subleaf 2 (L2).
        #[inline]
        pub non_cpu_agents: bool,
        /// Code and data can have masks of their own (CDP).
        #[inline]
        pub cdp: bool,
        /// The 1 bits of a mask need not be contiguous.
        #[inline]
        pub non_contiguous: bool,
        #[bits(28)]
        __: u32,
    }
}

layout! {
    /// EDX of leaf 10H, subleaves 1 to 3: the highest class of service.
    ///
    /// Source: Intel SDM volume 3B, "Cache Allocation Technology: Resource Type and Capability Enumeration".
    pub struct CpuidCosMax: u32, Zero {
        /// Highest class of service of the resource: their number, less one.
        #[inline]
        pub cos_max: u16,
        #[bits(16)]
        __: u32,
    }
}

layout! {
    /// EAX of leaf 10H, subleaf 3: the largest delay value.
    ///
    /// Source: Intel SDM volume 3B, "Memory Bandwidth Allocation Enumeration".
    pub struct CpuidMbaMax: u32, Zero {
        /// Largest delay value, less one.
        #[inline]
        #[bits(12)]
        pub mba_max_minus_1: U12,
        #[bits(20)]
        __: u32,
    }
}

layout! {
    /// ECX of leaf 10H, subleaf 3: how the delay values act.
    ///
    /// Source: Intel SDM volume 3B, "Memory Bandwidth Allocation Enumeration"; bit 0: Linux, `scattered.c`,
    /// `X86_FEATURE_PER_THREAD_MBA` (`CPUID_ECX, 0, 0x00000010, 3`).
    pub struct CpuidMbaFeatures: u32, Zero {
        /// Each thread of a core has its own delay.
        #[inline]
        pub per_thread: bool,
        __: bool,
        /// Delay values act linearly.
        #[inline]
        pub linear: bool,
        #[bits(29)]
        __: u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        let resources = CpuidAllocationResources::new();
        assert_eq!(resources.with_l3(true).into_bits(), 0x2);
        assert_eq!(resources.with_l2(true).into_bits(), 0x4);
        assert_eq!(resources.with_mba(true).into_bits(), 0x8);
        assert_eq!(CpuidCatLength::from_bits(u32::MAX).cbm_len_minus_1(), 0x1F);
        assert_eq!(CpuidCatFeatures::new().with_non_cpu_agents(true).into_bits(), 0x2);
        assert_eq!(CpuidCatFeatures::new().with_cdp(true).into_bits(), 0x4);
        assert_eq!(CpuidCatFeatures::new().with_non_contiguous(true).into_bits(), 0x8);
        assert_eq!(CpuidCosMax::from_bits(u32::MAX).cos_max(), 0xFFFF);
        assert_eq!(CpuidMbaMax::from_bits(u32::MAX).mba_max_minus_1(), 0xFFF);
        assert_eq!(CpuidMbaFeatures::new().with_per_thread(true).into_bits(), 0x1);
        assert_eq!(CpuidMbaFeatures::new().with_linear(true).into_bits(), 0x4);
        assert_eq!(CpuidMbaFeatures::RESERVED, 0xFFFF_FFFA);
    }
}
