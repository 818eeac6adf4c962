//! The caches that can be allocated, as types: what belongs to one cannot be used with the other.

use super::{L2Mask, L2QosCfg, L3Mask, L3QosCfg, MaskIndex, RESOURCE_L2, RESOURCE_L3};
use crate::msr::{Msr, ReadableMsr, WritableMsr};
use core::fmt::Debug;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::L2 {}
    impl Sealed for super::L3 {}
}

/// The L3 cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct L3;

/// The L2 cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct L2;

/// A cache that can be allocated, [`L2`] or [`L3`]: its registers and their names.
pub trait CacheLevel: Copy + Debug + sealed::Sealed {
    /// What a mask register holds.
    type Mask: ReadableMsr + WritableMsr;
    /// What the register that enables CDP holds.
    type QosCfg: ReadableMsr + WritableMsr;
    /// Number of the subleaf of CPUID 10H.
    const RESOURCE: u32;
    /// Name of the mask registers.
    const MASK_NAME: &'static str;
    /// Name of the register that enables CDP.
    const QOS_CFG_NAME: &'static str;
    /// Number of the first mask register.
    const FIRST_MASK: u32;
    /// How many numbers are set aside for mask registers.
    const MASKS: u32;
    /// The register that enables CDP.
    const QOS_CFG: Msr<Self::QosCfg>;

    /// The mask register with this index.
    #[must_use]
    fn mask(index: MaskIndex<Self>) -> Msr<Self::Mask>;

    /// A mask as the register holds it.
    #[must_use]
    fn mask_value(bits: u32) -> Self::Mask;

    /// The mask that the register holds.
    #[must_use]
    fn mask_bits(mask: Self::Mask) -> u32;

    /// `old` with CDP switched on or off.
    #[must_use]
    fn with_cdp(old: Self::QosCfg, enabled: bool) -> Self::QosCfg;

    /// Whether CDP is on.
    #[must_use]
    fn cdp(value: Self::QosCfg) -> bool;
}

macro_rules! cache_level {
    ($level:ident, $resource:ident, $mask:ident, $cfg:ident, $mask_name:literal, $cfg_name:literal) => {
        impl CacheLevel for $level {
            type Mask = $mask;
            type QosCfg = $cfg;
            const RESOURCE: u32 = $resource;
            const MASK_NAME: &'static str = $mask_name;
            const QOS_CFG_NAME: &'static str = $cfg_name;
            const FIRST_MASK: u32 = $mask::FIRST_ADDRESS;
            const MASKS: u32 = $mask::COUNT;
            const QOS_CFG: Msr<$cfg> = $cfg::MSR;

            fn mask(index: MaskIndex<Self>) -> Msr<$mask> {
                $mask::msr(index)
            }

            fn mask_value(bits: u32) -> $mask {
                $mask::new().with_cbm(bits)
            }

            fn mask_bits(mask: $mask) -> u32 {
                mask.cbm()
            }

            fn with_cdp(old: $cfg, enabled: bool) -> $cfg {
                old.with_cdp_enable(enabled)
            }

            fn cdp(value: $cfg) -> bool {
                value.cdp_enable()
            }
        }
    };
}

cache_level!(L3, RESOURCE_L3, L3Mask, L3QosCfg, "IA32_L3_MASK_n", "IA32_L3_QOS_CFG");
cache_level!(L2, RESOURCE_L2, L2Mask, L2QosCfg, "IA32_L2_MASK_n", "IA32_L2_QOS_CFG");
