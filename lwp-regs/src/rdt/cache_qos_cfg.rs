//! IA32_L3_QOS_CFG and IA32_L2_QOS_CFG: code and data apart in a cache.

use super::{CatCaps, L2, L3};
use crate::access::GeneralProtection;
use crate::refused::Rule;

/// The switch of one cache level.
macro_rules! cache_qos_cfg {
    ($(#[$($alias:tt)*])* $ty:ident, $level:ident, $cache:literal, $subleaf:literal, $register:literal, $address:literal) => {
        layout! {
            #[doc = concat!(" ", $register, ": whether code and data have masks of their own in the ", $cache, " cache (CDP). Off after reset.")]
            ///
            #[doc = concat!(" ", "Exists only where CPUID 10H subleaf ", $subleaf, " reports CDP. Changing it gives every mask register another meaning; see")]
            /// [`CatCaps::enable_cdp`].
            ///
            #[doc = concat!(" ", "Source: Intel SDM volume 3B, \"Code and Data Prioritization (CDP): Enumerating and Enabling ", $cache, " CDP Technology\".")]
            $(#[$($alias)*])*
            pub struct $ty: u64, Fault {
                /// CDP is on: the mask registers are pairs of one for data and one for code.
                #[inline]
                pub cdp_enable: bool,
                #[bits(63)]
                __: u64,
            }
            msr $register = $address, read_write, caps = CatCaps<$level>;
        }

        impl $ty {
            /// Value after reset: CDP is off.
            pub const RESET: Self = Self::new();

            /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
            ///
            /// # Errors
            ///
            #[doc = concat!(" ", "[`GeneralProtection`] when the processor has no ", $cache, " CDP, or a reserved bit is set. The register keeps its content")]
            /// then.
            #[inline]
            pub const fn check_write(_old: Self, new: u64, caps: &CatCaps<$level>) -> Result<Self, GeneralProtection> {
                if !caps.cdp {
                    return Err(GeneralProtection::NoSuchRegister);
                }
                match new & Self::RESERVED {
                    0 => Ok(Self::from_bits(new)),
                    bits => Err(GeneralProtection::refused($register, bits, Rule::MustBeZero)),
                }
            }
        }
    };
}

cache_qos_cfg! {
    #[doc(alias = "0xC81")]
    #[doc(alias = "IA32_L3_QOS_CFG")]
    L3QosCfg, L3, "L3", "1", "IA32_L3_QOS_CFG", 0xC81
}
cache_qos_cfg! {
    #[doc(alias = "0xC82")]
    #[doc(alias = "IA32_L2_QOS_CFG")]
    L2QosCfg, L2, "L2", "2", "IA32_L2_QOS_CFG", 0xC82
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPS: CatCaps<L3> = CatCaps::from_cpuid(L3, [0xA, 0, 0x4, 0xF]);

    // RDTA-17: bit 0, the rest reserved. RDTA-11, RDTA-12: a register of its own, off after reset
    #[test]
    fn position_and_reset() {
        assert_eq!(L3QosCfg::ADDRESS, 0xC81);
        assert_eq!(L3QosCfg::RESET.into_bits(), 0);
        assert_eq!(L3QosCfg::new().with_cdp_enable(true).into_bits(), 1);
        assert_eq!(L3QosCfg::RESERVED, 0xFFFF_FFFF_FFFF_FFFE);
    }

    // RDTA-17: each reserved bit faults
    #[test]
    fn writes() {
        let write = |new| L3QosCfg::check_write(L3QosCfg::RESET, new, &CAPS).map(L3QosCfg::into_bits);
        assert_eq!((write(0), write(1)), (Ok(0), Ok(1)));
        for bit in 1..64 {
            let fault = GeneralProtection::refused("IA32_L3_QOS_CFG", 1 << bit, Rule::MustBeZero);
            assert_eq!(write(1 << bit | 1), Err(fault));
        }
        let without = CatCaps { cdp: false, ..CAPS };
        let written = L3QosCfg::check_write(L3QosCfg::RESET, 0, &without);
        assert_eq!(written, Err(GeneralProtection::NoSuchRegister));
    }
}

#[cfg(test)]
mod l2_tests {
    use super::*;

    const CAPS: CatCaps<L2> = CatCaps::from_cpuid(L2, [0xA, 0, 0x4, 0xF]);

    // RDTA-21: bit 0, the rest reserved. RDTA-11, RDTA-12: a register of its own, off after reset
    #[test]
    fn position_and_reset() {
        assert_eq!(L2QosCfg::ADDRESS, 0xC82);
        assert_eq!(L2QosCfg::RESET.into_bits(), 0);
        assert_eq!(L2QosCfg::new().with_cdp_enable(true).into_bits(), 1);
        assert_eq!(L2QosCfg::RESERVED, 0xFFFF_FFFF_FFFF_FFFE);
    }

    // RDTA-21: each reserved bit faults
    #[test]
    fn writes() {
        let write = |new| L2QosCfg::check_write(L2QosCfg::RESET, new, &CAPS).map(L2QosCfg::into_bits);
        assert_eq!((write(0), write(1)), (Ok(0), Ok(1)));
        for bit in 1..64 {
            let fault = GeneralProtection::refused("IA32_L2_QOS_CFG", 1 << bit, Rule::MustBeZero);
            assert_eq!(write(1 << bit | 1), Err(fault));
        }
        let without = CatCaps { cdp: false, ..CAPS };
        let written = L2QosCfg::check_write(L2QosCfg::RESET, 0, &without);
        assert_eq!(written, Err(GeneralProtection::NoSuchRegister));
    }
}
