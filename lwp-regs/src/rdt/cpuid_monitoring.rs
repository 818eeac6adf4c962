//! CPUID 07H and 0FH: whether the processor monitors and allocates, and what it monitors.

/// The leaf whose EBX tells whether there is monitoring and allocation. Subleaf 0.
pub const LEAF_PRESENCE: u32 = 0x07;
/// The leaf that describes monitoring. Subleaf 0 is about all resources, subleaf [`RESOURCE_L3`] about the L3 cache.
pub const LEAF_MONITORING: u32 = 0x0F;
/// Subleaf of the L3 cache in both leaves, and the number of its bit in subleaf 0.
pub const RESOURCE_L3: u32 = 1;

layout! {
    /// EBX of leaf 07H, subleaf 0, as far as it is about this unit.
    ///
    /// Source: Intel SDM volume 2, "CPUID - CPU Identification", leaf 07H.
    pub struct CpuidRdtPresence: u32, Preserve {
        #[bits(12)]
        __: u32,
        /// Monitoring (PQM, RDT-M): leaf 0FH describes it.
        #[inline]
        pub pqm: bool,
        #[bits(2)]
        __: u32,
        /// Allocation (PQE, RDT-A): leaf 10H describes it.
        #[inline]
        pub pqe: bool,
        #[bits(16)]
        __: u32,
    }
}

layout! {
    /// EDX of leaf 0FH, subleaf 0: the resources that can be monitored.
    ///
    /// Source: Intel SDM volume 3B, "Monitoring Resource Type and Capability Enumeration".
    pub struct CpuidMonitoringResources: u32, Zero {
        #[bits(1)]
        __: u32,
        /// The L3 cache; subleaf 1 describes it.
        #[inline]
        pub l3: bool,
        #[bits(30)]
        __: u32,
    }
}

layout! {
    /// EAX of leaf 0FH, subleaf 1: how wide the counters are. 0 on processors that do not report it.
    ///
    /// Source: Intel SDM volume 2, "CPUID - CPU Identification", leaf 0FH.
    pub struct CpuidL3Counter: u32, Preserve {
        /// Width of the bandwidth counters in bits, less 24.
        #[inline]
        pub width_minus_24: u8,
        #[bits(24)]
        __: u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // RDTM-13: the bits by which support is found
    #[test]
    fn positions() {
        assert_eq!(CpuidRdtPresence::new().with_pqm(true).into_bits(), 0x1000);
        assert_eq!(CpuidRdtPresence::new().with_pqe(true).into_bits(), 0x8000);
        assert_eq!(CpuidMonitoringResources::new().with_l3(true).into_bits(), 2);
        assert_eq!(CpuidL3Counter::from_bits(0x0000_0120).width_minus_24(), 0x20);
    }
}
