//! The resource monitoring ID.

use super::RdtCaps;
use crate::layout::mask;
use crate::refused::{Refused, Rule};

/// A resource monitoring ID that this processor has: what hardware charges activity to.
///
/// Software gives one to each thread or group of threads; several threads, and several logical processors, may share
/// one. It means the same to every logical processor of a package. How many there are depends on the processor.
///
/// Source: Intel SDM volume 3B, "Overview of Cache Monitoring Technology and Memory Bandwidth Monitoring".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[doc(alias = "RMID")]
pub struct Rmid(u16);

impl Rmid {
    /// RMID 0, which every processor has, and which is active after reset.
    pub const DEFAULT: Self = Self(0);
    /// Bits of an RMID in Intel's registers.
    pub const INTEL_BITS: u8 = 10;
    /// Bits of an RMID in AMD's registers.
    pub const AMD_BITS: u8 = 12;

    /// The RMID with this number.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the processor has no such RMID; writing it would raise #GP.
    #[inline]
    pub const fn new(id: u32, caps: &RdtCaps) -> Result<Self, Refused> {
        let field = mask(caps.rmid_bits() as usize) as u32;
        let most = if caps.max_rmid() < field { caps.max_rmid() } else { field };
        if id > most {
            return Err(Refused::new("IA32_PQR_ASSOC", id as u64, Rule::AtMost(most as u64)));
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
    use crate::rdt::MonitoringCaps;
    use crate::rdt::caps::tests::SKYLAKE_D;

    // RDTM-05: as many as CPUID says, and none beyond the register's field
    #[test]
    fn as_many_as_the_processor_has() {
        assert_eq!(Rmid::new(0x7F, &SKYLAKE_D).map(Rmid::get), Ok(0x7F));
        let refused = Rmid::new(0x80, &SKYLAKE_D).unwrap_err();
        assert_eq!(refused, Refused::new("IA32_PQR_ASSOC", 0x80, Rule::AtMost(0x7F)));
        let many = RdtCaps {
            monitoring: Some(MonitoringCaps { max_rmid: u32::MAX, rmid_bits: 10, l3: None }),
            allocation: None,
        };
        assert_eq!(Rmid::new(0x3FF, &many).map(Rmid::get), Ok(0x3FF));
        assert!(Rmid::new(0x400, &many).is_err());
        assert!(Rmid::new(1, &RdtCaps::default()).is_err(), "no monitoring, only the default");
        assert_eq!(Rmid::new(0, &RdtCaps::default()), Ok(Rmid::DEFAULT));
    }
}
