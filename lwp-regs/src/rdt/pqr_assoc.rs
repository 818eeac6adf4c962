//! IA32_PQR_ASSOC: to whom a logical processor's activity belongs.

use super::{Cos, RdtCaps, Rmid};
use crate::access::GeneralProtection;
use crate::bits::U12;
use crate::layout::mask;
use crate::refused::Rule;

layout! {
    /// IA32_PQR_ASSOC, "Resource Association Register": the RMID to which the logical processor's activity is charged, and
    /// the class of service that it has. One per logical processor; reset value 0.
    ///
    /// Can be written at any time, usually at a context switch; what follows the write belongs to the new RMID and class.
    ///
    /// Source: Intel SDM volume 3B, "Monitoring Resource RMID Association" and "Associating Threads with CAT/CDP Classes of
    /// Service".
    #[doc(alias = "0xC8F")]
    #[doc(alias = "IA32_PQR_ASSOC")]
    pub struct PqrAssoc: u64, Fault {
        /// The resource monitoring ID: 10 bits on Intel, 12 on AMD.
        #[inline]
        #[bits(12)]
        pub rmid: U12,
        #[bits(20)]
        __: u32,
        /// The class of service.
        #[inline]
        pub cos: u32,
    }
    msr "IA32_PQR_ASSOC" = 0xC8F, read_write, caps = RdtCaps;
}

impl PqrAssoc {
    /// Value after reset: RMID 0 and class 0.
    pub const RESET: Self = Self::new();

    /// The value for a thread with this RMID and class.
    #[must_use]
    #[inline]
    pub const fn of(rmid: Rmid, cos: Cos) -> Self {
        // An Rmid fits into its field, so there is nothing for with_rmid to check.
        Self::from_bits((rmid.get() as u64) << Self::RMID_OFFSET | (cos.get() as u64) << Self::COS_OFFSET)
    }

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// That a class beyond the highest of all resources faults is this project's reading; the manual says so of the
    /// RMID only.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection`] when the processor has neither monitoring nor allocation, when a reserved bit is set, or
    /// when it has no such RMID or class. The register keeps its content then.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &RdtCaps) -> Result<Self, GeneralProtection> {
        const NAME: &str = "IA32_PQR_ASSOC";
        if caps.monitoring.is_none() && caps.allocation.is_none() {
            return Err(GeneralProtection::NoSuchRegister);
        }
        let reserved = new & 0xFFFF_FFFF & !mask(caps.rmid_bits() as usize);
        if reserved != 0 {
            return Err(GeneralProtection::refused(NAME, reserved, Rule::MustBeZero));
        }
        let value = Self::from_bits(new);
        if value.rmid().get() as u32 > caps.max_rmid() {
            let rule = Rule::AtMost(caps.max_rmid() as u64);
            return Err(GeneralProtection::refused(NAME, value.rmid().get() as u64, rule));
        }
        if value.cos() > caps.cos_max() as u32 {
            let rule = Rule::AtMost(caps.cos_max() as u64);
            return Err(GeneralProtection::refused(NAME, (value.cos() as u64) << 32, rule));
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::caps::tests::SKYLAKE_D;

    fn write(new: u64) -> Result<u64, GeneralProtection> {
        PqrAssoc::check_write(PqrAssoc::RESET, new, &SKYLAKE_D).map(PqrAssoc::into_bits)
    }

    // RDTM-09, RDTA-26: the RMID in 9:0, the class in 63:32; RDTM-08: there is room for one of each
    #[test]
    fn positions() {
        assert_eq!(PqrAssoc::ADDRESS, 0xC8F);
        assert_eq!(PqrAssoc::new().with_rmid(U12::of::<0x3FF>()).into_bits(), 0x0000_0000_0000_03FF);
        assert_eq!(PqrAssoc::new().with_cos(u32::MAX).into_bits(), 0xFFFF_FFFF_0000_0000);
        assert_eq!(PqrAssoc::new().with_rmid(U12::of::<0xFFF>()).into_bits(), 0x0000_0000_0000_0FFF, "on AMD");
        assert_eq!(PqrAssoc::RESERVED, 0x0000_0000_FFFF_F000);
        let (rmid, cos) = (Rmid::new(5, &SKYLAKE_D).unwrap(), Cos::new(3, &SKYLAKE_D).unwrap());
        assert_eq!(PqrAssoc::of(rmid, cos).into_bits(), 0x0000_0003_0000_0005);
    }

    // RDTM-30: any RMID and class that exist can be written
    #[test]
    fn what_exists_is_accepted() {
        for rmid in 0..=0x7F {
            for cos in 0..=15 {
                assert_eq!(write(cos << 32 | rmid), Ok(cos << 32 | rmid));
            }
        }
    }

    // RDTM-31: each reserved bit, and one more than the highest RMID, which this register alone refuses (RDT-18)
    #[test]
    fn what_does_not_exist_faults() {
        for bit in 10..32 {
            let fault = GeneralProtection::refused("IA32_PQR_ASSOC", 1 << bit, Rule::MustBeZero);
            assert_eq!(write(1 << bit), Err(fault));
        }
        assert_eq!(write(0x80), Err(GeneralProtection::refused("IA32_PQR_ASSOC", 0x80, Rule::AtMost(0x7F))));
        assert_eq!(write(16 << 32), Err(GeneralProtection::refused("IA32_PQR_ASSOC", 16 << 32, Rule::AtMost(15))));
    }

    #[test]
    fn with_one_half_only() {
        let write = |new, caps| PqrAssoc::check_write(PqrAssoc::RESET, new, &caps).map(PqrAssoc::into_bits);
        let monitoring = RdtCaps { allocation: None, ..SKYLAKE_D };
        assert_eq!(write(0x7F, monitoring), Ok(0x7F));
        assert!(write(1 << 32, monitoring).is_err());
        let allocation = RdtCaps { monitoring: None, ..SKYLAKE_D };
        assert_eq!(write(1 << 32, allocation), Ok(1 << 32));
        assert!(write(1, allocation).is_err());
        assert_eq!(write(0, RdtCaps::default()), Err(GeneralProtection::NoSuchRegister));
    }
}
