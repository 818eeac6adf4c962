//! Instruction breakpoint registers, whose pairs describe the instruction address range.

use super::Plm;
use crate::bits::U56;

layout! {
    /// ibr\[2k + 1\]: which bits of an address are compared with ibr\[2k\], and at which levels.
    ///
    /// A 1 in `mask` means that the bit of the address is compared, unlike in PMC\[8\].
    ///
    /// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, revision 2.3, "Data and Instruction
    /// Breakpoint Registers", table "Debug Breakpoint Register Fields (DBR/IBR)".
    pub struct IbrMask: u64, Ignored {
        /// The bits 55:0 of an address that are compared.
        #[inline]
        #[bits(56)]
        pub mask: U56,
        /// Privilege level mask.
        #[inline]
        #[bits(4, from = Plm::from_field, into = Plm::into_field, default = Plm::empty())]
        pub plm: Plm,
        #[bits(3)]
        __: u8,
        /// The pair is an instruction breakpoint. As an address range it has to be 0.
        #[inline]
        pub x: bool,
    }
}

/// A pair of instruction breakpoint registers, ibr\[2k\] and ibr\[2k + 1\], as an instruction address range.
///
/// ```
/// use lwp_regs::itanium::{Ibr, IbrMask, Plm};
///
/// let bundle = Ibr { addr: 0x1000, mask: IbrMask::from_bits(0x0FFF_FFFF_FFFF_FFF0) };
/// assert_eq!(bundle.mask.plm(), Plm::all());
/// assert!(bundle.hits(0x100F, 3) && !bundle.hits(0x1010, 3));
/// ```
///
/// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, revision 2.3, "Data and Instruction
/// Breakpoint Registers"; libpfm, `pfmlib_itanium.c`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ibr {
    /// ibr\[2k\]: the address.
    pub addr: u64,
    /// ibr\[2k + 1\].
    pub mask: IbrMask,
}

impl Ibr {
    /// Bits of an address that lie within a bundle. They are never compared.
    pub const IN_BUNDLE: u64 = 0xF;
    /// Pairs of a processor.
    pub const PAIRS: usize = 4;

    /// Whether the bundle at `addr`, fetched for level `cpl`, lies in the range of the pair: `x` is 0, the level is in
    /// `plm`, and the address agrees in bits 63:56 and in those of the bits 55:4 that are in `mask`.
    #[must_use]
    #[inline]
    pub const fn hits(self, addr: u64, cpl: u8) -> bool {
        let compared = (self.mask.mask().get() | !U56::MAX.get()) & !Self::IN_BUNDLE;
        !self.mask.x() & self.mask.plm().allows(cpl) & ((addr ^ self.addr) & compared == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        assert_eq!(IbrMask::new().with_mask(U56::MAX).into_bits(), 0x00FF_FFFF_FFFF_FFFF);
        assert_eq!(IbrMask::new().with_plm(Plm::USER).into_bits(), 0x0800_0000_0000_0000);
        assert_eq!(IbrMask::new().with_plm(Plm::all()).into_bits(), 0x0F00_0000_0000_0000);
        assert_eq!(IbrMask::new().with_x(true).into_bits(), 0x8000_0000_0000_0000);
        assert_eq!(IbrMask::RESERVED, 0x7000_0000_0000_0000);
    }

    // bits 63:56 always, 55:4 by the mask, 3:0 never
    #[test]
    fn which_bits_are_compared() {
        let mask = IbrMask::new().with_plm(Plm::CPL0);
        for bit in 0..64 {
            let other = 0x5A5A_5A5A_5A5A_5A5A ^ 1 << bit;
            let with = |mask| Ibr { addr: 0x5A5A_5A5A_5A5A_5A5A, mask }.hits(other, 0);
            assert_eq!(with(mask.with_mask(U56::MAX)), bit < 4, "bit {bit}");
            assert_eq!(with(mask), bit < 56, "bit {bit}");
            assert_eq!(with(mask.with_mask(U56::masked(!(1 << bit)))), bit < 56, "bit {bit}");
        }
    }

    #[test]
    fn levels_and_breakpoints() {
        for plm in 0..16u8 {
            for cpl in 0..4u8 {
                let mask = IbrMask::new().with_plm(Plm::from_bits_retain(plm));
                assert_eq!(Ibr { addr: 0, mask }.hits(0, cpl), plm >> cpl & 1 == 1);
                assert!(!Ibr { addr: 0, mask: mask.with_x(true) }.hits(0, cpl), "a breakpoint is no range");
            }
        }
        assert!(!Ibr::default().hits(0, 0), "a pair that nobody has written");
    }
}
