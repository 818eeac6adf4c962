//! The class of service.

use super::RdtCaps;
use crate::refused::{Refused, Rule};

/// A class of service (COS, CLOS) that this processor has.
///
/// The numbering is the same for all resources: the L3 mask, the L2 mask and the delay of one class apply together. A
/// resource may have fewer classes than another, and has half as many with CDP; what gives a register of a resource
/// checks that.
///
/// Source: Intel SDM volume 3B, "Cache Allocation Technology Architecture".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[doc(alias = "CLOSID")]
pub struct Cos(u16);

impl Cos {
    /// Class 0, which every processor has, and which is active after reset.
    pub const DEFAULT: Self = Self(0);

    /// The class with this number.
    ///
    /// # Errors
    ///
    /// [`Refused`] when no resource of the processor has such a class.
    #[inline]
    pub const fn new(id: u32, caps: &RdtCaps) -> Result<Self, Refused> {
        let most = caps.cos_max();
        if id > most as u32 {
            return Err(Refused::new("IA32_PQR_ASSOC", (id as u64) << 32, Rule::AtMost(most as u64)));
        }
        Ok(Self(id as u16))
    }

    /// The number.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u16 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::caps::tests::SKYLAKE_D;

    // RDTA-04, RDTA-29: one type for all resources, as many as the richest has
    #[test]
    fn as_many_as_the_processor_has() {
        assert_eq!(Cos::new(15, &SKYLAKE_D).map(Cos::get), Ok(15));
        let refused = Cos::new(16, &SKYLAKE_D).unwrap_err();
        assert_eq!(refused, Refused::new("IA32_PQR_ASSOC", 0x10_0000_0000, Rule::AtMost(15)));
        assert_eq!(Cos::new(0, &RdtCaps::default()), Ok(Cos::DEFAULT));
        assert!(Cos::new(1, &RdtCaps::default()).is_err());
    }
}
