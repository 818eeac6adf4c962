//! A capacity mask that the processor takes.

use super::{CacheLevel, CatCaps};
use crate::refused::{Refused, Rule};
use core::marker::PhantomData;

/// A capacity mask that has been checked against the rules of the cache `L`; made by [`CatCaps::capacity`].
///
/// Source: Intel SDM volume 3B, "Cache Allocation Technology: Cache Mask Configuration".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "CBM")]
pub struct CapacityMask<L> {
    bits: u32,
    level: PhantomData<L>,
}

impl<L: CacheLevel> CapacityMask<L> {
    /// The bits.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// The mask as the register holds it.
    #[must_use]
    pub fn register(self) -> L::Mask {
        L::mask_value(self.bits)
    }

    /// Whether two classes with these masks never fill the same part of the cache.
    #[must_use]
    #[inline]
    pub const fn is_apart_from(self, other: Self) -> bool {
        self.bits & other.bits == 0
    }
}

impl<L: CacheLevel> CatCaps<L> {
    /// The mask with these bits.
    ///
    /// # Errors
    ///
    /// As [`check_mask`](Self::check_mask).
    #[inline]
    pub const fn capacity(&self, bits: u32) -> Result<CapacityMask<L>, Refused> {
        match self.check_mask(bits as u64) {
            Ok(()) => Ok(CapacityMask { bits, level: PhantomData }),
            Err(refused) => Err(refused),
        }
    }

    /// The mask of the whole cache, which every class has after reset.
    #[must_use]
    #[inline]
    pub const fn full_capacity(&self) -> CapacityMask<L> {
        CapacityMask { bits: self.full_mask(), level: PhantomData }
    }

    /// Whether a mask register takes these 64 bits: none beyond the length, and, unless the vendor or CPUID
    /// says otherwise, at least one, all of them next to each other.
    ///
    /// Source: Intel SDM volume 3B, "Cache Allocation Technology Architecture".
    ///
    /// # Errors
    ///
    /// [`Refused`] with the rule that is broken; writing such a mask raises #GP.
    #[inline]
    pub const fn check_mask(&self, bits: u64) -> Result<(), Refused> {
        let full = self.full_mask() as u64;
        if bits & !full != 0 {
            return Err(Refused::new(L::MASK_NAME, bits & !full, Rule::MustBeZero));
        }
        if bits == 0 && !self.empty {
            return Err(Refused::new(L::MASK_NAME, full, Rule::Forbidden("one bit of a capacity mask has to be 1")));
        }
        // Adding the lowest 1 carries through one piece of ones and leaves a second one standing.
        let above = bits + (bits & bits.wrapping_neg());
        if above & bits != 0 && !self.non_contiguous {
            let rule = Rule::Forbidden("the 1 bits of a capacity mask are contiguous");
            return Err(Refused::new(L::MASK_NAME, bits, rule));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::L3;
    use crate::rdt::allocation_caps::tests::SKYLAKE_D_L3;

    /// Whether one piece of ones of some length and place is `bits`.
    fn is_one_piece(bits: u64) -> bool {
        (1..=11).any(|length| (0..=11 - length).any(|shift| ((1u64 << length) - 1) << shift == bits))
    }

    // RDTA-09, RDTA-20: every mask of 12 bits, of which 11 exist
    #[test]
    fn every_mask() {
        let mut accepted = 0;
        for bits in 0..0x1000 {
            let taken = SKYLAKE_D_L3.check_mask(bits).is_ok();
            assert_eq!(taken, is_one_piece(bits), "{bits:#x}");
            accepted += u32::from(taken);
        }
        assert_eq!(accepted, 66, "11 + 10 + ... + 1");
    }

    #[test]
    fn pieces_apart_where_the_processor_takes_them() {
        let caps = CatCaps { non_contiguous: true, ..SKYLAKE_D_L3 };
        for bits in 1..0x800 {
            assert_eq!(caps.check_mask(bits), Ok(()));
        }
        assert!(caps.check_mask(0).is_err() && caps.check_mask(0x800).is_err());
    }

    #[test]
    fn masks_of_32_bits() {
        let caps = CatCaps::from_cpuid(L3, [0x1F, 0, 0, 0]);
        assert_eq!(caps.full_capacity().bits(), u32::MAX);
        assert_eq!(caps.capacity(u32::MAX).map(CapacityMask::bits), Ok(u32::MAX));
        assert!(caps.capacity(0x8000_0001).is_err());
        assert!(caps.capacity(0xC000_0000).is_ok());
    }

    #[test]
    fn classes_apart() {
        let mask = |bits| SKYLAKE_D_L3.capacity(bits).unwrap();
        assert!(mask(0x00F).is_apart_from(mask(0x7F0)));
        assert!(!mask(0x00F).is_apart_from(mask(0x018)));
        assert_eq!(mask(0x7F0).register().into_bits(), 0x7F0);
    }
}
