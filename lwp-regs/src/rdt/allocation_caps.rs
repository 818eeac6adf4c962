//! What a processor allocates, decoded from CPUID 10H.

use super::cpuid_allocation::{
    CpuidAllocationResources, CpuidCatFeatures, CpuidCatLength, CpuidCosMax, CpuidMbaFeatures, CpuidMbaMax,
};
use super::{CacheLevel, L2, L3, RESOURCE_L2, RESOURCE_L3, RESOURCE_MBA};
use crate::access::CpuidRegisters;
use crate::layout::mask;

/// Allocation as CPUID 10H describes it: the resources that there are.
///
/// Source: Intel SDM volume 3B, "Cache Allocation Technology: Resource Type and Capability Enumeration".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct AllocationCaps {
    /// The L3 cache (L3 CAT).
    pub l3: Option<CatCaps<L3>>,
    /// The L2 cache (L2 CAT).
    pub l2: Option<CatCaps<L2>>,
    /// Memory bandwidth (MBA).
    pub mba: Option<MbaCaps>,
}

/// Allocation of one cache level as CPUID 10H subleaf 1 or 2 describes it.
///
/// Source: Intel SDM volume 3B, "Cache Allocation Technology: Resource Type and Capability Enumeration".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct CatCaps<L> {
    /// Which cache.
    pub level: L,
    /// Bits in a capacity mask, 1 to 32.
    pub cbm_len: u8,
    /// The bits of a mask that stand for capacity which others use as well, such as devices.
    pub shared: u32,
    /// Highest class of service while CDP is off.
    pub cos_max: u16,
    /// Code and data can have masks of their own.
    pub cdp: bool,
    /// The 1 bits of a mask need not be contiguous.
    pub non_contiguous: bool,
    /// A mask may be 0: the class fills nothing.
    pub empty: bool,
    /// Accesses of devices are allocated too; of the L3 cache only.
    pub non_cpu_agents: bool,
}

/// Allocation of memory bandwidth as CPUID 10H subleaf 3 describes it.
///
/// Source: Intel SDM volume 3B, "Memory Bandwidth Allocation Enumeration".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct MbaCaps {
    /// Largest delay value (MBA_MAX), 1 to 4096.
    pub max_delay: u16,
    /// Delay values act linearly.
    pub linear: bool,
    /// Each thread of a core is slowed down by its own delay. Otherwise the largest delay of a core's threads holds for all
    /// of them (Linux, `THREAD_THROTTLE_PER_THREAD` and `THREAD_THROTTLE_MAX`).
    pub per_thread: bool,
    /// Highest class of service.
    pub cos_max: u16,
}

impl AllocationCaps {
    /// Decodes subleaf 0 and those of the resources that it reports, which `subleaf` is asked for in ascending order.
    #[must_use]
    pub fn from_cpuid(subleaf_0: CpuidRegisters, mut subleaf: impl FnMut(u32) -> CpuidRegisters) -> Self {
        let resources = CpuidAllocationResources::from_bits(subleaf_0[1]);
        Self {
            l3: resources.l3().then(|| CatCaps::from_cpuid(L3, subleaf(RESOURCE_L3))),
            l2: resources.l2().then(|| CatCaps::from_cpuid(L2, subleaf(RESOURCE_L2))),
            mba: resources.mba().then(|| MbaCaps::from_cpuid(subleaf(RESOURCE_MBA))),
        }
    }

    /// Highest class of service of any resource; 0, which always exists, without a resource.
    #[must_use]
    #[inline]
    pub const fn cos_max(&self) -> u16 {
        let mut most = 0;
        if let Some(l3) = &self.l3 {
            most = l3.cos_max;
        }
        if let Some(l2) = &self.l2
            && l2.cos_max > most
        {
            most = l2.cos_max;
        }
        match &self.mba {
            Some(mba) if mba.cos_max > most => mba.cos_max,
            _ => most,
        }
    }
}

impl<L: CacheLevel> CatCaps<L> {
    /// Decodes EAX, EBX, ECX and EDX of the subleaf of `level` by Intel's manual. For other vendors see [`on`](Self::on).
    #[must_use]
    #[inline]
    pub const fn from_cpuid(level: L, registers: CpuidRegisters) -> Self {
        let [eax, shared, ecx, edx] = registers;
        let features = CpuidCatFeatures::from_bits(ecx);
        Self {
            level,
            cbm_len: CpuidCatLength::from_bits(eax).cbm_len_minus_1().get() + 1,
            shared,
            cos_max: CpuidCosMax::from_bits(edx).cos_max(),
            cdp: features.cdp(),
            non_contiguous: features.non_contiguous(),
            empty: false,
            non_cpu_agents: features.non_cpu_agents() && L::RESOURCE == RESOURCE_L3,
        }
    }

    /// The mask of the whole cache: `cbm_len` ones. What every class has after reset.
    #[must_use]
    #[inline]
    pub const fn full_mask(&self) -> u32 {
        mask(self.cbm_len as usize) as u32
    }

    /// How many classes of service there are while CDP is off.
    #[must_use]
    #[inline]
    pub const fn cos_count(&self) -> u32 {
        self.cos_max as u32 + 1
    }

    /// How many classes of service there are while CDP is on: half as many, since each takes two masks.
    ///
    /// Source: Intel SDM volume 3B, "Code and Data Prioritization (CDP) Technology".
    #[must_use]
    #[inline]
    pub const fn cos_count_with_cdp(&self) -> u32 {
        self.cos_count() / 2
    }
}

impl MbaCaps {
    /// Decodes EAX, EBX, ECX and EDX of CPUID 10H subleaf 3.
    #[must_use]
    #[inline]
    pub const fn from_cpuid(subleaf_3: CpuidRegisters) -> Self {
        let [eax, _, ecx, edx] = subleaf_3;
        Self {
            max_delay: CpuidMbaMax::from_bits(eax).mba_max_minus_1().get() + 1,
            linear: CpuidMbaFeatures::from_bits(ecx).linear(),
            per_thread: CpuidMbaFeatures::from_bits(ecx).per_thread(),
            cos_max: CpuidCosMax::from_bits(edx).cos_max(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The L3 of a Skylake-D: 11 ways, the upper two shared, 16 classes, CDP.
    pub(crate) const SKYLAKE_D_L3: CatCaps<L3> = CatCaps {
        level: L3,
        cbm_len: 11,
        shared: 0x600,
        cos_max: 15,
        cdp: true,
        non_contiguous: false,
        empty: false,
        non_cpu_agents: false,
    };
    /// Linear delays up to 90, 8 classes.
    pub(crate) const MBA: MbaCaps = MbaCaps { max_delay: 90, linear: true, per_thread: false, cos_max: 7 };
    /// Both.
    pub(crate) const SKYLAKE_D: AllocationCaps = AllocationCaps { l3: Some(SKYLAKE_D_L3), l2: None, mba: Some(MBA) };

    // RDTA-03, RDTA-06: leaf 10H of a Skylake-D. Subleaf 3 is the same with values of our own: MBA_MAX is printed less
    // one
    #[test]
    fn hardware_vector() {
        let caps = AllocationCaps::from_cpuid([0, 0xA, 0, 0], |subleaf| match subleaf {
            1 => [0xA, 0x600, 0x4, 0xF],
            3 => [89, 0, 0x4, 7],
            other => unreachable!("subleaf {other} does not exist"),
        });
        assert_eq!(caps, SKYLAKE_D);
        assert_eq!(SKYLAKE_D_L3.full_mask(), 0x7FF);
    }

    // RDTA-06: Granite Rapids reports ECX = E
    #[test]
    fn newer_features() {
        let caps = CatCaps::from_cpuid(L3, [0xF, 0, 0xE, 0xF]);
        assert!(caps.non_contiguous && caps.cdp && caps.non_cpu_agents);
        assert_eq!(caps.full_mask(), 0xFFFF);
        assert_eq!(CatCaps::from_cpuid(L2, [0x1F, 0, 0, 0]).full_mask(), u32::MAX);
        let l2 = CatCaps::from_cpuid(L2, [0xF, 0, 0xE, 0xF]);
        assert!(!l2.non_cpu_agents && l2.cdp, "ECX bit 1 is reserved in subleaf 2");
    }

    // RDTA-30: number of classes, largest delay, linear or not
    #[test]
    fn memory_bandwidth() {
        assert_eq!(MbaCaps::from_cpuid([89, 0, 4, 7]), MBA);
        let odd = MbaCaps::from_cpuid([0xFFFF_FFFF, 0, !4, 0xFFFF_0003]);
        assert_eq!(odd, MbaCaps { max_delay: 4096, linear: false, per_thread: true, cos_max: 3 });
    }

    // RDTA-14: half the classes are left with CDP
    #[test]
    fn numbers_of_classes() {
        assert_eq!((SKYLAKE_D_L3.cos_count(), SKYLAKE_D_L3.cos_count_with_cdp()), (16, 8));
        let odd = CatCaps { cos_max: 4, ..SKYLAKE_D_L3 };
        assert_eq!((odd.cos_count(), odd.cos_count_with_cdp()), (5, 2));
        assert_eq!(SKYLAKE_D.cos_max(), 15);
        let l2 = CatCaps::from_cpuid(L2, [7, 0, 0, 20]);
        assert_eq!(AllocationCaps { l2: Some(l2), ..SKYLAKE_D }.cos_max(), 20);
        assert_eq!(AllocationCaps { l3: None, l2: None, mba: None }.cos_max(), 0);
    }
}
