//! Numbers of registers as data that tests can walk over.

/// Processors whose registers have their numbers from one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Family {
    /// Intel P6 family. Its numbers live on in the architectural ones.
    P6,
    /// Intel, architectural or in the named models.
    Intel,
    /// AMD.
    Amd,
}

/// The numbers of one register or of an array of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MsrNumbers {
    /// Name in the manual; of an array, with `x` or `n` for the index.
    pub name: &'static str,
    /// Whose number it is.
    pub family: Family,
    /// Number of the register, or of the first of the array.
    pub first: u32,
    /// How many registers there are at most.
    pub count: u32,
    /// How far the numbers of two neighbours are apart; 0 for none but the first.
    pub stride: u32,
}

impl MsrNumbers {
    /// One register.
    #[must_use]
    #[inline]
    pub const fn one(name: &'static str, family: Family, number: u32) -> Self {
        Self::every(1, name, family, number, 1)
    }

    /// An array of registers, one after the other.
    #[must_use]
    #[inline]
    pub const fn array(name: &'static str, family: Family, first: u32, count: u32) -> Self {
        Self::every(1, name, family, first, count)
    }

    /// An array of registers with other registers between them.
    #[must_use]
    #[inline]
    pub const fn every(stride: u32, name: &'static str, family: Family, first: u32, count: u32) -> Self {
        Self { name, family, first, count, stride }
    }

    /// Whether `number` is that of one of the registers.
    #[must_use]
    #[inline]
    pub const fn contains(&self, number: u32) -> bool {
        if number < self.first || self.count == 0 {
            return false;
        }
        let distance = number - self.first;
        match distance.checked_div(self.stride) {
            Some(index) => distance.is_multiple_of(self.stride) && index < self.count,
            None => distance == 0,
        }
    }

    /// Whether the two have a number of the same family in common.
    #[must_use]
    #[inline]
    pub const fn overlaps(&self, other: &Self) -> bool {
        let mut index = 0;
        while index < self.count && self.family as u8 == other.family as u8 {
            // Numbers have 32 bits: past the end there are none.
            let number = self.first as u64 + index as u64 * self.stride as u64;
            if number > u32::MAX as u64 {
                return false;
            }
            if other.contains(number as u32) {
                return true;
            }
            if self.stride == 0 {
                return false;
            }
            index += 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{Family, MsrNumbers};

    #[test]
    fn overlaps_are_found() {
        let masks = MsrNumbers::array("IA32_L3_MASK_n", Family::Intel, 0xC90, 128);
        let throttle = MsrNumbers::one("IA32_L2_QoS_Ext_BW_Thrtl_n", Family::Intel, 0xD50);
        let inside = MsrNumbers::one("x", Family::Intel, 0xD0F);
        assert!(masks.contains(0xC90) && masks.contains(0xD0F) && !masks.contains(0xD10) && !masks.contains(0xC8F));
        assert!(!masks.overlaps(&throttle) && !throttle.overlaps(&masks));
        assert!(masks.overlaps(&inside) && inside.overlaps(&masks));
        let amd = MsrNumbers { family: Family::Amd, ..inside };
        assert!(!masks.overlaps(&amd), "another family has numbers of its own");
    }

    #[test]
    fn neighbours_may_alternate() {
        let (control, counter) = (0xC001_0200, 0xC001_0201);
        let control = MsrNumbers::every(2, "PERF_CTLn", Family::Amd, control, 6);
        let counter = MsrNumbers::every(2, "PERF_CTRn", Family::Amd, counter, 6);
        assert!(!control.overlaps(&counter) && control.contains(0xC001_020A) && !control.contains(0xC001_020C));
        assert!(control.overlaps(&MsrNumbers::one("x", Family::Amd, 0xC001_0204)));
    }

    #[test]
    fn a_stride_of_0_and_the_last_number() {
        let same = MsrNumbers::every(0, "x", Family::Intel, 0x10, 4);
        assert!(same.contains(0x10) && !same.contains(0x11) && same.overlaps(&same));
        let last = MsrNumbers::array("x", Family::Intel, u32::MAX, 2);
        assert!(last.contains(u32::MAX) && !last.contains(0) && !last.overlaps(&same));
        assert!(!MsrNumbers::array("x", Family::Intel, 0x10, 0).contains(0x10));
    }
}
