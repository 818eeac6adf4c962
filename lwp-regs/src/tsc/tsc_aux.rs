//! IA32_TSC_AUX: the signature that RDTSCP returns with the time.

use crate::access::GeneralProtection;
use crate::msr::{Msr, msr_value};
use crate::refused::Rule;

layout! {
    /// `IA32_TSC_AUX`: a signature of this logical processor, for instance its number, which the system writes once and
    /// RDTSCP returns together with the time. Nehalem and later.
    ///
    /// Source: Intel SDM volume 3B, "IA32_TSC_AUX Register and RDTSCP Support"; number and width: Linux, `msr-index.h`.
    #[doc(alias = "0xC0000103")]
    #[doc(alias = "IA32_TSC_AUX")]
    pub struct TscAux: u64, Fault {
        /// The signature.
        #[inline]
        pub signature: u32,
        __: u32,
    }
}

msr_value!(TscAux, "IA32_TSC_AUX", read_write, caps = ());

impl TscAux {
    /// The register; there only if [`TscFeatures::RDTSCP`](super::TscFeatures::RDTSCP) is reported.
    pub const MSR: Msr<Self> = Msr::new(Self::ADDRESS);
    /// Number of the register.
    pub const ADDRESS: u32 = 0xC000_0103;

    /// What a WRMSR of `new` does: the register's new content.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] when one of bits 63:32 is set. That they fault is this project's reading of
    /// "reserved".
    #[inline]
    pub const fn check_write(_old: Self, new: u64, _caps: &()) -> Result<Self, GeneralProtection> {
        match new & Self::RESERVED {
            0 => Ok(Self::from_bits(new)),
            bits => Err(GeneralProtection::refused("IA32_TSC_AUX", bits, Rule::MustBeZero)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // TSC-14
    #[test]
    fn a_signature_of_32_bits() {
        assert_eq!(TscAux::ADDRESS, 0xC000_0103);
        assert_eq!(TscAux::new().with_signature(0x1003).into_bits(), 0x1003);
        let write = |new| TscAux::check_write(TscAux::new(), new, &()).map(|aux| aux.signature());
        assert_eq!(write(0xFFFF_FFFF), Ok(0xFFFF_FFFF));
        let gp = GeneralProtection::refused("IA32_TSC_AUX", 1 << 32, Rule::MustBeZero);
        assert_eq!(write(0x1_0000_0001), Err(gp));
    }
}
