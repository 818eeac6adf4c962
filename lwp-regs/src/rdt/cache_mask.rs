//! IA32_L3_MASK_n and IA32_L2_MASK_n: how much of a cache a class of service may fill.

use super::{CatCaps, L2, L3, MaskIndex};
use crate::access::GeneralProtection;
use crate::msr::{Msr, msr_value};

/// The masks of one cache level.
macro_rules! cache_mask {
    ($(#[$($alias:tt)*])* $ty:ident, $level:ident, $cache:literal, $register:literal, $address:literal, $count:literal) => {
        layout! {
            #[doc = concat!(" ", $register, ": the capacity mask of a class of service for the ", $cache, " cache; with CDP that of its data or its code. All")]
            #[doc = concat!(" ", "ones after reset. One set per ", $cache, " cache.")]
            ///
            /// A 1 lets the class fill that part of the cache. Classes may overlap. The mask restricts fills only: data stays where
            /// it is, and is found, when the mask changes. Power management may override it.
            ///
            /// [`CatCaps::mask`] and its like give the index, [`CatCaps::capacity`] a value that the register takes.
            ///
            /// Source: Intel SDM volume 3B, "Cache Allocation Technology: Cache Mask Configuration".
            $(#[$($alias)*])*
            pub struct $ty: u64, Fault {
                /// The capacity mask; how many of the bits exist is [`CatCaps::cbm_len`].
                #[inline]
                pub cbm: u32,
                #[bits(32)]
                __: u32,
            }
        }

        msr_value!($ty, $register, read_write, caps = CatCaps<$level>);

        impl $ty {
            /// Number of the first register.
            pub const FIRST_ADDRESS: u32 = $address;
            /// How many numbers are set aside.
            pub const COUNT: u32 = $count;

            /// The register with this index.
            #[must_use]
            #[inline]
            pub const fn msr(index: MaskIndex<$level>) -> Msr<Self> {
                Msr::new(Self::FIRST_ADDRESS + index.get())
            }

            /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
            ///
            /// # Errors
            ///
            /// [`GeneralProtection`] when `new` is no mask that [`CatCaps::check_mask`] accepts. The register keeps its content
            /// then.
            #[inline]
            pub const fn check_write(_old: Self, new: u64, caps: &CatCaps<$level>) -> Result<Self, GeneralProtection> {
                match caps.check_mask(new) {
                    Ok(()) => Ok(Self::from_bits(new)),
                    Err(refused) => Err(GeneralProtection::Refused(refused)),
                }
            }
        }
    };
}

cache_mask! {
    #[doc(alias = "0xC90")]
    #[doc(alias = "IA32_L3_MASK_0")]
    L3Mask, L3, "L3", "IA32_L3_MASK_n", 0xC90, 128
}
cache_mask! {
    #[doc(alias = "0xD10")]
    #[doc(alias = "IA32_L2_MASK_0")]
    L2Mask, L2, "L2", "IA32_L2_MASK_n", 0xD10, 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refused::Rule;

    const CAPS: CatCaps<L3> = CatCaps::from_cpuid(L3, [0xA, 0, 0x4, 0xF]);

    #[test]
    fn positions() {
        assert_eq!(L3Mask::new().with_cbm(u32::MAX).into_bits(), 0x0000_0000_FFFF_FFFF);
        assert_eq!(L3Mask::RESERVED, 0xFFFF_FFFF_0000_0000);
        let address = |n| L3Mask::msr(CAPS.index(n).unwrap()).address();
        assert_eq!((address(0), address(15)), (0xC90, 0xC9F));
    }

    // RDTA-09, RDTA-20: ones in one piece, within the length, at least one
    #[test]
    fn writes() {
        let write = |new| L3Mask::check_write(L3Mask::new(), new, &CAPS).map(L3Mask::into_bits);
        assert_eq!((write(0x7FF), write(0x010), write(0x3C0)), (Ok(0x7FF), Ok(0x010), Ok(0x3C0)));
        let fault = |bits, rule| Err(GeneralProtection::refused("IA32_L3_MASK_n", bits, rule));
        assert_eq!(write(0xFFF), fault(0x800, Rule::MustBeZero));
        assert_eq!(write(1 << 32 | 1), fault(1 << 32, Rule::MustBeZero));
        assert_eq!(write(0), fault(0x7FF, Rule::Forbidden("one bit of a capacity mask has to be 1")));
        assert_eq!(write(0x5), fault(0x5, Rule::Forbidden("the 1 bits of a capacity mask are contiguous")));
    }
}

#[cfg(test)]
mod l2_tests {
    use super::*;
    use crate::refused::Rule;

    const CAPS: CatCaps<L2> = CatCaps::from_cpuid(L2, [0xA, 0, 0x4, 0xF]);

    #[test]
    fn positions() {
        assert_eq!(L2Mask::new().with_cbm(u32::MAX).into_bits(), 0x0000_0000_FFFF_FFFF);
        assert_eq!(L2Mask::RESERVED, 0xFFFF_FFFF_0000_0000);
        let address = |n| L2Mask::msr(CAPS.index(n).unwrap()).address();
        assert_eq!((address(0), address(15)), (0xD10, 0xD1F));
    }

    // RDTA-22: the same rules as for L3
    #[test]
    fn writes() {
        let write = |new| L2Mask::check_write(L2Mask::new(), new, &CAPS).map(L2Mask::into_bits);
        assert_eq!((write(0x7FF), write(0x010), write(0x3C0)), (Ok(0x7FF), Ok(0x010), Ok(0x3C0)));
        let fault = |bits, rule| Err(GeneralProtection::refused("IA32_L2_MASK_n", bits, rule));
        assert_eq!(write(0xFFF), fault(0x800, Rule::MustBeZero));
        assert_eq!(write(1 << 32 | 1), fault(1 << 32, Rule::MustBeZero));
        assert_eq!(write(0), fault(0x7FF, Rule::Forbidden("one bit of a capacity mask has to be 1")));
        assert_eq!(write(0x5), fault(0x5, Rule::Forbidden("the 1 bits of a capacity mask are contiguous")));
    }
}
