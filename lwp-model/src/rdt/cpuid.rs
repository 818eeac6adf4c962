//! CPUID of a processor with these straps.

use super::config::{Config, Scope, Vendor};
use lwp_regs::rdt::{
    CpuidAllocationResources, CpuidCatFeatures, CpuidMbaFeatures, CpuidMonitoringResources, CpuidRdtPresence,
    LEAF_ALLOCATION, LEAF_MONITORING, LEAF_PRESENCE, RESOURCE_L2, RESOURCE_L3, RESOURCE_MBA, RdtCaps,
};

/// EBX, ECX and EDX of leaf 0.
const INTEL: [u32; 3] = [0x756E_6547, 0x6C65_746E, 0x4965_6E69];
const AMD: [u32; 3] = [0x6874_7541, 0x444D_4163, 0x6974_6E65];

impl Config {
    /// Returns EAX, EBX, ECX and EDX of CPUID: leaf 0, and the leaves that are about monitoring and allocation. Others are 0.
    #[must_use]
    pub const fn cpuid(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        let (monitoring, allocation) = (self.has_monitoring(), self.has_allocation());
        match (leaf, subleaf) {
            (0, _) => {
                let [ebx, ecx, edx] = match self.vendor {
                    Vendor::Intel => INTEL,
                    Vendor::Amd => AMD,
                };
                [LEAF_ALLOCATION, ebx, ecx, edx]
            }
            (LEAF_PRESENCE, 0) => {
                [0, CpuidRdtPresence::new().with_pqm(monitoring).with_pqe(allocation).into_bits(), 0, 0]
            }
            (LEAF_MONITORING, 0) => {
                [0, self.max_rmid as u32, 0, CpuidMonitoringResources::new().with_l3(monitoring).into_bits()]
            }
            (LEAF_MONITORING, RESOURCE_L3) if monitoring => {
                let upscaling = 1 << (self.line + self.scale);
                [self.width as u32 - 24, upscaling, self.l3_max_rmid as u32, self.events as u32]
            }
            (LEAF_ALLOCATION, 0) => {
                let resources = CpuidAllocationResources::new();
                let resources = resources.with_l3(self.l3_cat).with_l2(self.l2_cat).with_mba(self.mba);
                [0, resources.into_bits(), 0, 0]
            }
            (LEAF_ALLOCATION, RESOURCE_L3) if self.l3_cat => self.masks(self.l3_ways, self.l3_cdp, self.l3_cos),
            (LEAF_ALLOCATION, RESOURCE_L2) if self.l2_cat => self.masks(self.l2_ways, self.l2_cdp, self.l2_cos),
            (LEAF_ALLOCATION, RESOURCE_MBA) if self.mba => {
                let features = CpuidMbaFeatures::new().with_linear(self.mba_linear);
                let features = features.with_per_thread(matches!(self.mba_scope, Scope::Thread));
                [self.mba_max as u32 - 1, 0, features.into_bits(), self.mba_cos as u32]
            }
            _ => [0; 4],
        }
    }

    const fn masks(&self, ways: u8, cdp: bool, cos: u8) -> [u32; 4] {
        let features = CpuidCatFeatures::new().with_cdp(cdp).with_non_contiguous(self.sparse);
        [ways as u32 - 1, 0, features.into_bits(), cos as u32]
    }

    /// Returns what software finds by CPUID.
    #[must_use]
    pub fn caps(&self) -> RdtCaps {
        RdtCaps::enumerate(&|leaf, subleaf| self.cpuid(leaf, subleaf))
    }
}
