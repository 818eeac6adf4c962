//! Which mask register belongs to which class of service, with CDP and without.

use super::{CacheLevel, CatCaps, Cos};
use crate::refused::{Refused, Rule};
use core::marker::PhantomData;

/// The index of a mask register that the processor has, of the cache `L`.
///
/// Source: Intel SDM volume 3B, "Mapping Between L3 CDP Masks and CAT Masks".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MaskIndex<L> {
    index: u8,
    level: PhantomData<L>,
}

impl<L> MaskIndex<L> {
    /// The index, to be added to the number of the first mask register.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u32 {
        self.index as u32
    }
}

impl<L: CacheLevel> CatCaps<L> {
    /// The mask register with index `n`, whatever it means at the moment.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the processor has no such register.
    #[inline]
    pub const fn index(&self, n: u32) -> Result<MaskIndex<L>, Refused> {
        let numbers = L::MASKS - 1;
        let most = if (self.cos_max as u32) < numbers { self.cos_max as u32 } else { numbers };
        if n > most {
            return Err(Refused::new(L::MASK_NAME, n as u64, Rule::AtMost(most as u64)));
        }
        Ok(MaskIndex { index: n as u8, level: PhantomData })
    }

    /// The mask register of a class while CDP is off: n for class n.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the resource has fewer classes.
    #[inline]
    pub const fn mask(&self, cos: Cos) -> Result<MaskIndex<L>, Refused> {
        self.index(cos.get() as u32)
    }

    /// The register of the mask for a class's data while CDP is on: 2n for class n.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the resource has no CDP, or fewer classes with it.
    #[inline]
    pub const fn data_mask(&self, cos: Cos) -> Result<MaskIndex<L>, Refused> {
        match self.check_cdp_cos(cos) {
            Ok(()) => self.index(2 * cos.get() as u32),
            Err(refused) => Err(refused),
        }
    }

    /// The register of the mask for a class's code while CDP is on: 2n + 1 for class n.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the resource has no CDP, or fewer classes with it.
    #[inline]
    pub const fn code_mask(&self, cos: Cos) -> Result<MaskIndex<L>, Refused> {
        match self.check_cdp_cos(cos) {
            Ok(()) => self.index(2 * cos.get() as u32 + 1),
            Err(refused) => Err(refused),
        }
    }

    /// Whether the class is left while CDP is on: only the lower half is.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the resource has no CDP, or the class is in the upper half.
    #[inline]
    pub const fn check_cdp_cos(&self, cos: Cos) -> Result<(), Refused> {
        let count = self.cos_count_with_cdp();
        if !self.cdp || count == 0 {
            return Err(Refused::new(L::QOS_CFG_NAME, 1, Rule::NotAvailable("CDP")));
        }
        if cos.get() as u32 >= count {
            return Err(Refused::new(L::MASK_NAME, cos.get() as u64, Rule::AtMost(count as u64 - 1)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::allocation_caps::tests::SKYLAKE_D_L3;
    use crate::rdt::caps::tests::SKYLAKE_D;
    use crate::rdt::{L2, L2Mask, L3, L3Mask};

    fn cos(n: u32) -> Cos {
        Cos::new(n, &SKYLAKE_D).unwrap()
    }

    // RDTA-13, RDTA-18: data and code masks alternate; every class has two
    #[test]
    fn with_cdp_masks_come_in_pairs() {
        for n in 0..8 {
            let data = L3Mask::msr(SKYLAKE_D_L3.data_mask(cos(n)).unwrap());
            let code = L3Mask::msr(SKYLAKE_D_L3.code_mask(cos(n)).unwrap());
            assert_eq!((data.address(), code.address()), (0xC90 + 2 * n, 0xC91 + 2 * n));
        }
    }

    // RDTA-22: the same pairs for L2
    #[test]
    fn pairs_of_l2() {
        let l2 = CatCaps::from_cpuid(L2, [7, 0, 4, 7]);
        let pair = |n| [l2.data_mask(cos(n)), l2.code_mask(cos(n))].map(|index| L2Mask::msr(index.unwrap()).address());
        assert_eq!([pair(0), pair(1), pair(3)], [[0xD10, 0xD11], [0xD12, 0xD13], [0xD16, 0xD17]]);
        assert!(l2.data_mask(cos(4)).is_err());
    }

    // RDTA-27: the same class, another register
    #[test]
    fn without_cdp_class_n_has_mask_n() {
        for n in 0..16 {
            assert_eq!(L3Mask::msr(SKYLAKE_D_L3.mask(cos(n)).unwrap()).address(), 0xC90 + n);
        }
        let l2 = CatCaps::from_cpuid(L2, [7, 0, 0, 3]);
        assert_eq!(L2Mask::msr(l2.mask(cos(3)).unwrap()).address(), 0xD13);
        assert_eq!(l2.mask(cos(4)), Err(Refused::new("IA32_L2_MASK_n", 4, Rule::AtMost(3))));
    }

    // RDTA-14: the upper half of the classes is gone
    #[test]
    fn with_cdp_the_upper_half_is_refused() {
        let refused = Refused::new("IA32_L3_MASK_n", 8, Rule::AtMost(7));
        assert_eq!(SKYLAKE_D_L3.data_mask(cos(8)), Err(refused));
        assert_eq!(SKYLAKE_D_L3.code_mask(cos(8)), Err(refused));
        let odd = CatCaps { cos_max: 4, ..SKYLAKE_D_L3 };
        assert_eq!(odd.code_mask(cos(1)).map(MaskIndex::get), Ok(3));
        assert!(odd.data_mask(cos(2)).is_err(), "mask 4 has no partner");
    }

    // RDTA-11: each level has CDP or not for itself
    #[test]
    fn without_cdp_there_are_no_pairs() {
        let none = Refused::new("IA32_L3_QOS_CFG", 1, Rule::NotAvailable("CDP"));
        assert_eq!(CatCaps { cdp: false, ..SKYLAKE_D_L3 }.data_mask(cos(0)), Err(none));
        assert_eq!(CatCaps { cos_max: 0, ..SKYLAKE_D_L3 }.data_mask(cos(0)), Err(none), "one class cannot be halved");
    }

    #[test]
    fn no_index_leaves_the_numbers_set_aside() {
        let l3 = CatCaps { cos_max: u16::MAX, ..SKYLAKE_D_L3 };
        assert_eq!(L3Mask::msr(l3.index(127).unwrap()).address(), 0xD0F);
        assert!(l3.index(128).is_err());
        let l2 = CatCaps::from_cpuid(L2, [7, 0, 0, u32::MAX]);
        assert_eq!(L2Mask::msr(l2.index(63).unwrap()).address(), 0xD4F);
        assert!(l2.index(64).is_err());
        let _: MaskIndex<L3> = l3.index(0).unwrap();
    }
}
