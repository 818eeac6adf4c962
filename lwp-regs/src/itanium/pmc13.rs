//! PMC\[13\]: instruction address range checking.

use super::pmc::pmc_value;
use super::{Ibr, Pmc};

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

    /// IBRRangeTag of the bundle at `addr` that is fetched for level `cpl`: 1 with `ta`, or if any of the pairs hits. For
    /// IA-64 code; while IA-32 code runs nothing is tagged.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, "Combining Opcode Matching,
    /// Instruction, and Data Address Range Check", Figure 6-5.
    #[must_use]
    #[inline]
    pub fn range_tag(self, pairs: impl IntoIterator<Item = Ibr>, addr: u64, cpl: u8) -> bool {
        self.ta() || pairs.into_iter().fold(false, |hit, pair| hit | pair.hits(addr, cpl))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::itanium::IbrMask;

    // ITA-29: ta in bit 0; the others survive a change
    #[test]
    fn position() {
        assert_eq!(Pmc13::PMC.index(), 13);
        assert_eq!(Pmc13::new().with_ta(true).into_bits(), 1);
        assert!(Pmc13::LINUX_DEFAULT.ta());
        assert_eq!(Pmc13::LINUX_DEFAULT.with_ta(false).into_bits(), 0x0003_FFFF_0000_0000);
    }

    // ITA-29: ta = 1 tags all; without it any pair does
    #[test]
    fn range_tags() {
        let at = |addr| Ibr { addr, mask: IbrMask::from_bits(0x0FFF_FFFF_FFFF_FFF0) };
        let pairs = [Ibr::default(), at(0x1000), at(0x2000), Ibr::default()];
        let tags = |ta| [0x1000, 0x2000, 0x3000].map(|addr| Pmc13::new().with_ta(ta).range_tag(pairs, addr, 0));
        assert_eq!((tags(false), tags(true)), ([true, true, false], [true; 3]));
        assert!(!Pmc13::new().range_tag([], 0x1000, 0));
    }
}
