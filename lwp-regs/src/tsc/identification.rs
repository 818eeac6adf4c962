//! CPUID of a time-stamp facility: what [`TscFeatures::detect`] and [`CrystalRatio::from_cpuid`] read.

use super::{CrystalRatio, TscFeatures};
use crate::access::{Cpuid, CpuidRegisters};

/// The leaves of CPUID that report a time-stamp facility, for models and hypervisors. All other bits are 0.
///
/// Source: Intel SDM volume 2A, "CPUID - CPU Identification".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TscCpuid {
    /// The parts that exist.
    pub features: TscFeatures,
    /// The ratio to the crystal, if it is told.
    pub ratio: Option<CrystalRatio>,
}

impl Cpuid for TscCpuid {
    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuidRegisters {
        let bit = |feature, bit: u32| u32::from(self.features.contains(feature)) << bit;
        match (leaf, subleaf) {
            (0, _) => [if self.ratio.is_some() { 0x15 } else { 7 }, 0, 0, 0],
            (1, _) => [0, 0, 0, bit(TscFeatures::TSC, 4)],
            (7, 0) => [0, bit(TscFeatures::ADJUST, 1), 0, 0],
            (0x15, _) => self.ratio.map_or([0; 4], CrystalRatio::to_cpuid),
            (0x8000_0000, _) => [0x8000_0007, 0, 0, 0],
            (0x8000_0001, _) => [0, 0, 0, bit(TscFeatures::RDTSCP, 27)],
            (0x8000_0007, _) => [0, 0, 0, bit(TscFeatures::INVARIANT, 8)],
            _ => [0; 4],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // TSC-01, TSC-14, TSC-19: what is reported is detected, part by part
    #[test]
    fn what_is_reported_is_detected() {
        for features in (0..16).map(TscFeatures::from_bits_retain) {
            assert_eq!(TscFeatures::detect(&TscCpuid { features, ratio: None }), features);
        }
    }

    #[test]
    fn the_ratio_is_told_or_its_leaf_does_not_exist() {
        let ratio = CrystalRatio::from_cpuid([3, 250, 0, 0]);
        let leaf = |ratio| TscCpuid { features: TscFeatures::all(), ratio }.leaf(0x15, 0);
        assert_eq!(leaf(ratio).and_then(CrystalRatio::from_cpuid), ratio);
        assert_eq!(leaf(None), None);
        assert_eq!(TscCpuid { features: TscFeatures::all(), ratio }.cpuid(7, 1), [0; 4]);
    }
}
