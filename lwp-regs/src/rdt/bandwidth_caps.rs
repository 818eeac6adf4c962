//! What an AMD processor has of limits on bandwidth.

use super::cpuid_bandwidth::CpuidQosExtensions;
use super::cpuid_monitoring::CpuidRdtPresence;
use super::{
    L3QosBwCaps, L3QosSmbwCaps, LEAF_PRESENCE, LEAF_QOS_EXTENSIONS, RESOURCE_BANDWIDTH, RESOURCE_SLOW_BANDWIDTH,
    RdtVendor,
};
use crate::access::Cpuid;

/// AMD's limits on the bandwidth of a class of service. They take the place of Intel's throttles
/// ([`MbaCaps`](super::MbaCaps)): a limit is a bandwidth, not a delay.
///
/// Source: AMD APM volume 2, "AMD Bandwidth Enforcement".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct AmdBandwidthCaps {
    /// The bandwidth between the L3 cache and everything behind it can be limited (L3BE).
    pub external: Option<L3QosBwCaps>,
    /// The bandwidth to slow memory can be limited (L3SMBE).
    pub slow: Option<L3QosSmbwCaps>,
}

impl AmdBandwidthCaps {
    /// Asks the processor: the vendor, leaf 07H EBX\[15\] (PQE), leaf 8000_0008H EBX\[6\] (BE), then leaf 8000_0020H. Neither
    /// limit exists on a processor of another vendor. That a Hygon processor has none is unconfirmed.
    ///
    /// A leaf or subleaf that does not exist is not read.
    #[must_use]
    pub fn detect(cpuid: &impl Cpuid) -> Self {
        Self::find(cpuid).unwrap_or_default()
    }

    fn find(cpuid: &impl Cpuid) -> Option<Self> {
        if RdtVendor::detect(cpuid) != RdtVendor::Amd {
            return None;
        }
        let [_, presence, ..] = cpuid.leaf(LEAF_PRESENCE, 0)?;
        let [_, enforcement, ..] = cpuid.leaf(0x8000_0008, 0)?;
        if !CpuidRdtPresence::from_bits(presence).pqe() || enforcement >> 6 & 1 == 0 {
            return None;
        }
        let [_, extensions, ..] = cpuid.leaf(LEAF_QOS_EXTENSIONS, 0)?;
        let extensions = CpuidQosExtensions::from_bits(extensions);
        let subleaf = |present: bool, subleaf| present.then(|| cpuid.cpuid(LEAF_QOS_EXTENSIONS, subleaf));
        Some(Self {
            external: subleaf(extensions.l3be(), RESOURCE_BANDWIDTH).and_then(L3QosBwCaps::from_cpuid),
            slow: subleaf(extensions.l3smbe(), RESOURCE_SLOW_BANDWIDTH).and_then(L3QosSmbwCaps::from_cpuid),
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::cell::RefCell;
    use std::vec::Vec;

    const AMD: [u32; 4] = [0x10, 0x6874_7541, 0x444D_4163, 0x6974_6E65];
    const HYGON: [u32; 4] = [0x10, 0x6F67_7948, 0x656E_6975, 0x6E65_476E];
    const INTEL: [u32; 4] = [0x10, 0x756E_6547, 0x6C65_746E, 0x4965_6E69];

    /// What is found, and the subleaves of leaf 8000_0020H that were asked for.
    fn detect(vendor: [u32; 4], highest: u32, pqe: u32, be: u32, extensions: u32) -> (AmdBandwidthCaps, Vec<u32>) {
        let asked = RefCell::new(Vec::new());
        let caps = AmdBandwidthCaps::detect(&|leaf: u32, subleaf: u32| match (leaf, subleaf) {
            (0, _) => vendor,
            (7, 0) => [0, pqe, 0, 0],
            (0x8000_0000, _) => [highest, 0, 0, 0],
            (0x8000_0008, _) => [0, be, 0, 0],
            (0x8000_0020, _) => {
                asked.borrow_mut().push(subleaf);
                [[0, extensions, 0, 0], [11, 0, 0, 15], [12, 0, 0, 7]][subleaf as usize]
            }
            _ => [0; 4],
        });
        (caps, asked.into_inner())
    }

    const EXTERNAL: Option<L3QosBwCaps> = L3QosBwCaps::from_cpuid([11, 0, 0, 15]);
    const SLOW: Option<L3QosSmbwCaps> = L3QosSmbwCaps::from_cpuid([12, 0, 0, 7]);

    #[test]
    fn each_limit_has_its_bit() {
        let found = |extensions| detect(AMD, 0x8000_0028, 1 << 15, 1 << 6, extensions);
        assert_eq!(found(0x7E), (AmdBandwidthCaps { external: EXTERNAL, slow: SLOW }, [0, 1, 2].to_vec()));
        assert_eq!(found(0x02), (AmdBandwidthCaps { external: EXTERNAL, slow: None }, [0, 1].to_vec()));
        assert_eq!(found(0x04), (AmdBandwidthCaps { external: None, slow: SLOW }, [0, 2].to_vec()));
        assert_eq!(found(!0x06), (AmdBandwidthCaps::default(), [0].to_vec()));
    }

    #[test]
    fn what_is_not_reported_is_not_asked_for() {
        let none = (AmdBandwidthCaps::default(), Vec::new());
        assert_eq!(detect(AMD, 0x8000_0028, !(1 << 15), 1 << 6, 0x6), none, "no enforcement");
        assert_eq!(detect(AMD, 0x8000_0028, 1 << 15, !(1 << 6), 0x6), none, "none of bandwidth");
        assert_eq!(detect(AMD, 0x8000_001F, 1 << 15, 1 << 6, 0x6), none, "no such leaf");
        for vendor in [HYGON, INTEL] {
            assert_eq!(detect(vendor, 0x8000_0028, 1 << 15, 1 << 6, 0x6), none);
        }
    }
}
