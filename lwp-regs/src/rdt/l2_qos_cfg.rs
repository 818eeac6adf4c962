//! IA32_L2_QOS_CFG: code and data apart in the L2 cache.

use super::{CatCaps, L2};
use crate::access::GeneralProtection;
use crate::refused::Rule;

layout! {
    /// IA32_L2_QOS_CFG: whether code and data have masks of their own in the L2 cache (CDP). Off after reset.
    ///
    /// Exists only where CPUID 10H subleaf 2 reports CDP. Changing it gives every mask register another meaning; see
    /// [`CatCaps::enable_cdp`].
    ///
    /// Source: Intel SDM volume 3B, "Code and Data Prioritization (CDP): Enumerating and Enabling L2 CDP Technology".
    #[doc(alias = "0xC82")]
    #[doc(alias = "IA32_L2_QOS_CFG")]
    pub struct L2QosCfg: u64, Fault {
        /// CDP is on: the mask registers are pairs of one for data and one for code.
        #[inline]
        pub cdp_enable: bool,
        #[bits(63)]
        __: u64,
    }
    msr "IA32_L2_QOS_CFG" = 0xC82, read_write, caps = CatCaps<L2>;
}

impl L2QosCfg {
    /// Value after reset: CDP is off.
    pub const RESET: Self = Self::new();

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection`] when the processor has no L2 CDP, or a reserved bit is set. The register keeps its content
    /// then.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &CatCaps<L2>) -> Result<Self, GeneralProtection> {
        if !caps.cdp {
            return Err(GeneralProtection::NoSuchRegister);
        }
        match new & Self::RESERVED {
            0 => Ok(Self::from_bits(new)),
            bits => Err(GeneralProtection::refused("IA32_L2_QOS_CFG", bits, Rule::MustBeZero)),
        }
    }
}

#[cfg(test)]
mod tests {
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
