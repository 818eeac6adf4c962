//! PMC\[11\]: the data event address register, and data address range checking.

use super::pmc::pmc_value;
use super::{Dbr, Ism, Monitor, MonitorLevel, Plm, Pmc, Psr, Tag};
use crate::bits::U4;

layout! {
    /// PMC\[11\]: which data cache or TLB misses the data event address register captures, and whether events of the memory
    /// hierarchy are confined to the address range in the DBRs.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, "IA-64 Data Address Range Check
    /// (PMC\[11\])"; libpfm, `pfmlib_itanium.h`.
    #[doc(alias = "PMC[11]")]
    pub struct Pmc11: u64, Ignored {
        /// Privilege level mask.
        #[inline]
        #[bits(4, from = Plm::from_field, into = Plm::into_field, default = Plm::empty())]
        pub plm: Plm,
        #[bits(2)]
        __: u8,
        /// Privilege monitor: enabled by PSR.up or by PSR.pp.
        #[inline]
        #[bits(1)]
        pub pm: MonitorLevel,
        /// TLB misses instead of cache misses.
        #[inline]
        pub tlb: bool,
        __: u8,
        /// Unit mask: which misses.
        #[inline]
        #[bits(4)]
        pub umask: U4,
        #[bits(4)]
        __: u8,
        /// Instruction set mask.
        #[inline]
        #[bits(2)]
        pub ism: Ism,
        #[bits(2)]
        __: u8,
        /// Pass tags: 1 for no data address constraint, 0 for data address range checking.
        #[inline]
        pub pt: bool,
        #[bits(35)]
        __: u64,
    }
}

pmc_value!(Pmc11, "PMC[11]");

impl Pmc11 {
    /// The register.
    pub const PMC: Pmc<Self> = Pmc::new(11);
    /// What Linux starts with: captures nothing, no data address constraint.
    pub const DEFAULT: Self = Self::new().with_pt(true);

    /// When the register captures.
    #[must_use]
    #[inline]
    pub const fn monitor(self) -> Monitor {
        Monitor { plm: self.plm(), pm: self.pm(), ism: self.ism() }
    }

    /// DBRRangeTag of an access whose lowest byte is at `addr`: off while IA-32 code runs, else a hit with `pt` or if any
    /// of the pairs hits.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, "Combining Opcode Matching,
    /// Instruction, and Data Address Range Check", Figure 6-5.
    #[must_use]
    #[inline]
    pub fn range_tag(self, pairs: impl IntoIterator<Item = Dbr>, addr: u64, psr: Psr) -> Tag {
        if psr.is() {
            Tag::Off
        } else if self.pt() || pairs.into_iter().fold(false, |hit, pair| hit | pair.hits(addr, psr.cpl().get())) {
            Tag::Hit
        } else {
            Tag::Miss
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::itanium::DbrMask;

    // ITA-31: pt in bit 28; ITA-15: ism here too
    #[test]
    fn positions() {
        assert_eq!(Pmc11::PMC.index(), 11);
        assert_eq!(Pmc11::DEFAULT.into_bits(), 0x1000_0000);
        assert_eq!(Pmc11::new().with_plm(Plm::all()).into_bits(), 0x0000_000F);
        assert_eq!(Pmc11::new().with_pm(MonitorLevel::System).into_bits(), 0x0000_0040);
        assert_eq!(Pmc11::new().with_tlb(true).into_bits(), 0x0000_0080);
        assert_eq!(Pmc11::new().with_umask(U4::of::<0xF>()).into_bits(), 0x000F_0000);
        assert_eq!(Pmc11::new().with_ism(Ism::Neither).into_bits(), 0x0300_0000);
        assert_eq!(Pmc11::new().with_pt(true).into_bits(), 0x1000_0000);
        let monitor = Pmc11::from_bits(0x0200_0048).monitor();
        assert_eq!(monitor, Monitor { plm: Plm::USER, pm: MonitorLevel::System, ism: Ism::Ia64Only });
    }

    // ITA-31: pt = 1 passes all; without it any pair does
    #[test]
    fn range_tags() {
        let at = |addr| Dbr { addr, mask: DbrMask::from_bits(0x01FF_FFFF_FFFF_FFF8) };
        let pairs = [Dbr::default(), at(0x1000), at(0x2000), Dbr::default()];
        let tags = |pt, psr| [0x1000, 0x2007, 0x3000].map(|addr| Pmc11::new().with_pt(pt).range_tag(pairs, addr, psr));
        assert_eq!(tags(false, Psr::new()), [Tag::Hit, Tag::Hit, Tag::Miss]);
        assert_eq!(tags(true, Psr::new()), [Tag::Hit; 3]);
        assert_eq!(tags(true, Psr::new().with_is(true)), [Tag::Off; 3]);
        assert_eq!(tags(false, Psr::from_bits(1 << 32)), [Tag::Miss; 3], "level 1 is not in plm");
    }
}
