//! PMC\[13\]: instruction address range checking.

use super::Pmc;
use super::pmc::pmc_value;

layout! {
    /// PMC\[13\]: whether monitoring is confined to the instruction address range in the IBRs. The other bits are written
    /// back as they were read.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, "IA-64 Instruction Address Range Check
    /// Register (PMC\[13\])"; libpfm, `pfmlib_itanium.h`.
    #[doc(alias = "PMC[13]")]
    pub struct Pmc13: u64, Preserve {
        /// Tag all: 1 for no instruction address constraint, 0 for instruction address range checking.
        #[inline]
        pub ta: bool,
        #[bits(63)]
        __: u64,
    }
}

pmc_value!(Pmc13, "PMC[13]");

impl Pmc13 {
    /// The register.
    pub const PMC: Pmc<Self> = Pmc::new(13);
    /// What Linux starts with: no instruction address constraint. What bits 49:32 mean is not known here.
    pub const LINUX_DEFAULT: Self = Self::from_bits(0x0003_FFFF_0000_0001);
}

#[cfg(test)]
mod tests {
    use super::*;

    // ITA-29: ta in bit 0; the others survive a change
    #[test]
    fn position() {
        assert_eq!(Pmc13::PMC.index(), 13);
        assert_eq!(Pmc13::new().with_ta(true).into_bits(), 1);
        assert!(Pmc13::LINUX_DEFAULT.ta());
        assert_eq!(Pmc13::LINUX_DEFAULT.with_ta(false).into_bits(), 0x0003_FFFF_0000_0000);
    }
}
