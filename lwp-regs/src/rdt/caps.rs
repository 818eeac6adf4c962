//! What a processor monitors and allocates, asked for in the order that CPUID requires.

use super::cpuid_monitoring::CpuidRdtPresence;
use super::{
    AllocationCaps, LEAF_ALLOCATION, LEAF_MONITORING, LEAF_PRESENCE, MonitoringCaps, RESOURCE_L3, RdtVendor, Rmid,
};
use crate::access::Cpuid;

/// Everything that CPUID says about monitoring and allocation.
///
/// Source: Intel SDM volume 3B, "Enumeration and Detecting Support of Cache Monitoring Technology and Memory Bandwidth
/// Monitoring" and "Enumeration and Detection Support of Cache Allocation Technology".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct RdtCaps {
    /// Monitoring, if there is any.
    pub monitoring: Option<MonitoringCaps>,
    /// Allocation, if there is any.
    pub allocation: Option<AllocationCaps>,
}

impl RdtCaps {
    /// Enumerates: leaf 0 tells whose rules hold, leaf 07H tells what there is, 0FH and 10H subleaf 0 which resources, their subleaves the details.
    /// A leaf or subleaf that does not exist is not read.
    #[must_use]
    pub fn enumerate(cpuid: &impl Cpuid) -> Self {
        let vendor = RdtVendor::detect(cpuid);
        let presence = CpuidRdtPresence::from_bits(cpuid.leaf(LEAF_PRESENCE, 0).unwrap_or_default()[1]);
        let subleaf_0 = |present: bool, leaf| if present { cpuid.leaf(leaf, 0) } else { None };
        Self {
            monitoring: subleaf_0(presence.pqm(), LEAF_MONITORING).map(|registers| {
                MonitoringCaps::from_cpuid(registers, || cpuid.cpuid(LEAF_MONITORING, RESOURCE_L3)).on(vendor)
            }),
            allocation: subleaf_0(presence.pqe(), LEAF_ALLOCATION).map(|registers| {
                let caps = AllocationCaps::from_cpuid(registers, |subleaf| cpuid.cpuid(LEAF_ALLOCATION, subleaf));
                AllocationCaps { l3: caps.l3.map(|l3| l3.on(vendor)), l2: caps.l2.map(|l2| l2.on(vendor)), ..caps }
            }),
        }
    }

    /// The highest RMID that IA32_PQR_ASSOC takes; 0 without monitoring.
    #[must_use]
    #[inline]
    pub const fn max_rmid(&self) -> u32 {
        match &self.monitoring {
            Some(monitoring) => monitoring.max_rmid,
            None => 0,
        }
    }

    /// Bits of an RMID in the registers; 10 without monitoring.
    #[must_use]
    #[inline]
    pub const fn rmid_bits(&self) -> u8 {
        match &self.monitoring {
            Some(monitoring) => monitoring.rmid_bits,
            None => Rmid::INTEL_BITS,
        }
    }

    /// The highest class of service that IA32_PQR_ASSOC takes; 0 without allocation.
    #[must_use]
    #[inline]
    pub const fn cos_max(&self) -> u16 {
        match &self.allocation {
            Some(allocation) => allocation.cos_max(),
            None => 0,
        }
    }

    /// The capabilities that are left while CDP of the L3 cache, or of the L2 cache, is on: a cache has half of its classes.
    /// A cache without CDP stays as it is. What IA32_PQR_ASSOC takes follows: a class of the upper half exists only if
    /// another resource has it.
    ///
    /// Source: Intel SDM volume 3B, "Code and Data Prioritization (CDP) Technology": the lower half of the classes is left.
    /// That IA32_PQR_ASSOC refuses the others is this project's reading.
    #[must_use]
    #[inline]
    pub const fn with_cdp(mut self, l3: bool, l2: bool) -> Self {
        if let Some(allocation) = &mut self.allocation {
            if l3
                && let Some(cat) = &mut allocation.l3
                && cat.cdp
            {
                cat.cos_max = (cat.cos_count_with_cdp() as u16).saturating_sub(1);
            }
            if l2
                && let Some(cat) = &mut allocation.l2
                && cat.cdp
            {
                cat.cos_max = (cat.cos_count_with_cdp() as u16).saturating_sub(1);
            }
        }
        self
    }
}

#[cfg(test)]
pub(crate) mod tests {
    extern crate std;
    use super::*;
    use crate::rdt::{allocation_caps, monitoring_caps};
    use std::cell::RefCell;
    use std::vec::Vec;

    /// A Skylake-D.
    pub(crate) const SKYLAKE_D: RdtCaps = RdtCaps {
        monitoring: Some(monitoring_caps::tests::SKYLAKE_D),
        allocation: Some(allocation_caps::tests::SKYLAKE_D),
    };

    /// CPUID of a Skylake-D with `ebx` in leaf 07H; `asked` records what is asked for.
    pub(crate) fn skylake_d(ebx: u32, asked: &RefCell<Vec<(u32, u32)>>) -> impl Cpuid {
        move |leaf, subleaf| {
            asked.borrow_mut().push((leaf, subleaf));
            match (leaf, subleaf) {
                (0, _) => [0x16, 0, 0, 0],
                (0x07, 0) => [0, ebx, 0, 0],
                (0x0F, 0) => [0, 0x7F, 0, 2],
                (0x0F, 1) => [0, 0x1_0000, 0x7F, 7],
                (0x10, 0) => [0, 0xA, 0, 0],
                (0x10, 1) => [0xA, 0x600, 0x4, 0xF],
                (0x10, 3) => [89, 0, 0x4, 7],
                _ => unreachable!("leaf {leaf:#x}, subleaf {subleaf}"),
            }
        }
    }

    fn asked_for(ebx: u32) -> (RdtCaps, Vec<(u32, u32)>) {
        let asked = RefCell::new(Vec::new());
        let caps = RdtCaps::enumerate(&skylake_d(ebx, &asked));
        let leaves = asked.borrow().iter().copied().filter(|&(leaf, _)| leaf != 0).collect();
        (caps, leaves)
    }

    // RDTM-13, RDTA-06: first whether, then which, then what
    #[test]
    fn order_of_enumeration() {
        let (caps, asked) = asked_for(0x9000);
        assert_eq!(caps, SKYLAKE_D);
        assert_eq!(asked, [(0x07, 0), (0x0F, 0), (0x0F, 1), (0x10, 0), (0x10, 1), (0x10, 3)]);
        assert_eq!((caps.max_rmid(), caps.cos_max()), (127, 15));
    }

    // RDTM-13, RDTA-06: what leaf 07H does not report is not asked for
    #[test]
    fn either_can_be_missing() {
        let (caps, asked) = asked_for(0x1000);
        assert_eq!((caps.monitoring, caps.allocation), (SKYLAKE_D.monitoring, None));
        assert_eq!(asked, [(0x07, 0), (0x0F, 0), (0x0F, 1)]);
        let (caps, asked) = asked_for(0x8000);
        assert_eq!((caps.monitoring, caps.allocation), (None, SKYLAKE_D.allocation));
        assert_eq!(asked, [(0x07, 0), (0x10, 0), (0x10, 1), (0x10, 3)]);
        assert_eq!(asked_for(0x6FFF).0, RdtCaps::default());
    }

    // RDTA-14: the lower half of the classes of a cache is left; another resource may have more
    #[test]
    fn classes_with_cdp() {
        let highest = |caps: RdtCaps, l3, l2| caps.with_cdp(l3, l2).cos_max();
        assert_eq!((highest(SKYLAKE_D, false, false), highest(SKYLAKE_D, true, false)), (15, 7));
        assert_eq!(highest(SKYLAKE_D, false, true), 15, "there is no L2 CDP");
        let mut one = SKYLAKE_D;
        one.allocation = one.allocation.map(|caps| AllocationCaps { mba: None, ..caps });
        let odd = |cos_max| {
            let mut caps = one;
            caps.allocation.as_mut().unwrap().l3.as_mut().unwrap().cos_max = cos_max;
            highest(caps, true, false)
        };
        assert_eq!([odd(0), odd(1), odd(2), odd(4), odd(u16::MAX)], [0, 0, 0, 1, 0x7FFF]);
        assert_eq!(RdtCaps::default().with_cdp(true, true), RdtCaps::default());
    }

    #[test]
    fn a_processor_without_the_leaves() {
        let old = |leaf: u32, _: u32| if leaf == 0 { [6, 0, 0, 0] } else { [u32::MAX; 4] };
        assert_eq!(RdtCaps::enumerate(&old), RdtCaps::default());
        let seven_only = |leaf: u32, _: u32| if leaf == 0 { [7, 0, 0, 0] } else { [u32::MAX; 4] };
        assert_eq!(RdtCaps::enumerate(&seven_only), RdtCaps::default());
    }
}
