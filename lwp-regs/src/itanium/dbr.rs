//! Data breakpoint registers, whose pairs describe the data address range.

use super::Plm;
use crate::bits::U56;

layout! {
    /// dbr\[2k + 1\]: which bits of an address are compared with dbr\[2k\], and at which levels.
    ///
    /// A 1 in `mask` means that the bit of the address is compared, unlike in PMC\[8\].
    ///
    /// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, revision 2.3, "Data and Instruction
    /// Breakpoint Registers", table "Debug Breakpoint Register Fields (DBR/IBR)".
    pub struct DbrMask: u64, Ignored {
        /// The bits 55:0 of an address that are compared.
        #[inline]
        #[bits(56)]
        pub mask: U56,
        /// Privilege level mask.
        #[inline]
        #[bits(4, from = Plm::from_field, into = Plm::into_field, default = Plm::empty())]
        pub plm: Plm,
        #[bits(2)]
        __: u8,
        /// The pair is a breakpoint for writes. As an address range it has no effect.
        #[inline]
        pub w: bool,
        /// The pair is a breakpoint for reads. As an address range it has no effect.
        #[inline]
        pub r: bool,
    }
}

/// A pair of data breakpoint registers, dbr\[2k\] and dbr\[2k + 1\], as a data address range.
///
/// ```
/// use lwp_regs::itanium::{Dbr, DbrMask};
///
/// let page = Dbr { addr: 0x8000, mask: DbrMask::from_bits(0x01FF_FFFF_FFFF_F000) };
/// assert!(page.hits(0x8FFF, 0) && !page.hits(0x9000, 0));
/// assert!(!page.hits(0x8FFF, 3), "level 3 is not in plm");
/// ```
///
/// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, revision 2.3, "Data and Instruction
/// Breakpoint Registers"; libpfm, `pfmlib_itanium.c`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Dbr {
    /// dbr\[2k\]: the address.
    pub addr: u64,
    /// dbr\[2k + 1\].
    pub mask: DbrMask,
}

impl Dbr {
    /// Pairs of a processor.
    pub const PAIRS: usize = 4;

    /// Whether an access at level `cpl`, whose lowest byte is at `addr`, lies in the range of the pair: the level is in
    /// `plm`, and the address agrees in bits 63:56 and in those of the bits 55:0 that are in `mask`. `w` and `r` do not
    /// matter.
    #[must_use]
    #[inline]
    pub const fn hits(self, addr: u64, cpl: u8) -> bool {
        let compared = self.mask.mask().get() | !U56::MAX.get();
        self.mask.plm().allows(cpl) & ((addr ^ self.addr) & compared == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        assert_eq!(DbrMask::new().with_mask(U56::MAX).into_bits(), 0x00FF_FFFF_FFFF_FFFF);
        assert_eq!(DbrMask::new().with_plm(Plm::USER).into_bits(), 0x0800_0000_0000_0000);
        assert_eq!(DbrMask::new().with_plm(Plm::all()).into_bits(), 0x0F00_0000_0000_0000);
        assert_eq!(DbrMask::new().with_w(true).into_bits(), 0x4000_0000_0000_0000);
        assert_eq!(DbrMask::new().with_r(true).into_bits(), 0x8000_0000_0000_0000);
        assert_eq!(DbrMask::RESERVED, 0x3000_0000_0000_0000);
    }

    // bits 63:56 always, 55:0 by the mask
    #[test]
    fn which_bits_are_compared() {
        let mask = DbrMask::new().with_plm(Plm::CPL0);
        for bit in 0..64 {
            let other = 0x5A5A_5A5A_5A5A_5A5A ^ 1 << bit;
            let with = |mask| Dbr { addr: 0x5A5A_5A5A_5A5A_5A5A, mask }.hits(other, 0);
            assert!(!with(mask.with_mask(U56::MAX)), "bit {bit}");
            assert_eq!(with(mask), bit < 56, "bit {bit}");
            assert_eq!(with(mask.with_mask(U56::masked(!(1 << bit)))), bit < 56, "bit {bit}");
        }
    }

    #[test]
    fn levels() {
        for plm in 0..16u8 {
            for cpl in 0..4u8 {
                let mask = DbrMask::new().with_plm(Plm::from_bits_retain(plm));
                for mask in [mask, mask.with_w(true), mask.with_r(true)] {
                    assert_eq!(Dbr { addr: 0, mask }.hits(0, cpl), plm >> cpl & 1 == 1);
                }
            }
        }
        assert!(!Dbr::default().hits(0, 0), "a pair that nobody has written");
    }
}
