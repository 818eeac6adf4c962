//! IA32_FIXED_CTRx: a counter of one event.

use super::{ArchitecturalEvent, FixedIndex, PerfmonCaps};
use crate::access::GeneralProtection;
use crate::layout::mask;
use crate::msr::msr_value;
use crate::refused::Rule;
use bitfield_struct::bitfield;

/// `IA32_FIXED_CTRx`: a fixed-function counter, [`PerfmonCaps::fixed_width`] bits wide. Version 2. Controlled by
/// [`Ia32FixedCtrCtrl`](super::Ia32FixedCtrCtrl).
///
/// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 2".
#[doc(alias = "0x309")]
#[doc(alias = "IA32_FIXED_CTR0")]
#[doc(alias = "IA32_FIXED_CTRx")]
#[bitfield(u64, defmt = cfg(feature = "defmt"))]
pub struct Ia32FixedCtr {
    /// The count.
    #[inline]
    pub value: u64,
}

layout_fields!(
    /// Fields of [`Ia32FixedCtr`] for `tock-registers`.
    Ia32FixedCtr: u64, Fault, fixed_ctr_fields {
        /// Bits 63:0, of which the processor has as many as CPUID says.
        VALUE = VALUE_BITS @ VALUE_OFFSET;
    }
);

msr_value!(Ia32FixedCtr, "IA32_FIXED_CTRx", read_write, caps = PerfmonCaps);

impl Ia32FixedCtr {
    /// Number of `IA32_FIXED_CTR0`; the others follow.
    pub const FIRST: u32 = 0x309;

    /// What a WRMSR of `new` makes of the counter. It takes the full width, unlike that of a general-purpose counter.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with the bits beyond the width of the counter, which the manual says to write as 0.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &PerfmonCaps) -> Result<Self, GeneralProtection> {
        match new & !mask(caps.fixed_width as usize) {
            0 => Ok(Self::from_bits(new)),
            bits => Err(GeneralProtection::refused("IA32_FIXED_CTRx", bits, Rule::MustBeZero)),
        }
    }
}

impl FixedIndex {
    /// What the counter counts; `None` above counter 2, which is beyond version 3.
    #[must_use]
    #[inline]
    pub const fn event(self) -> Option<ArchitecturalEvent> {
        match self.number() {
            0 => Some(ArchitecturalEvent::Instructions),
            1 => Some(ArchitecturalEvent::CoreCycles),
            2 => Some(ArchitecturalEvent::ReferenceCycles),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::architectural::caps::tests::{ICE_LAKE, SKYLAKE_SP, caps};

    #[test]
    fn what_they_count() {
        let event = |number| caps(ICE_LAKE).fixed(number).unwrap().event();
        assert_eq!(event(0), Some(ArchitecturalEvent::Instructions));
        assert_eq!(event(1), Some(ArchitecturalEvent::CoreCycles));
        assert_eq!(event(2), Some(ArchitecturalEvent::ReferenceCycles));
        assert_eq!(event(3), None);
    }

    #[test]
    fn a_write_takes_the_width() {
        let write = |new| Ia32FixedCtr::check_write(Ia32FixedCtr::new(), new, &caps(SKYLAKE_SP));
        assert_eq!(write(0xFFFF_8000_0000_FFFF & 0xFFFF_FFFF_FFFF).map(Ia32FixedCtr::into_bits), Ok(0x8000_0000_FFFF));
        let gp = GeneralProtection::refused("IA32_FIXED_CTRx", 0x8000 << 48, Rule::MustBeZero);
        assert_eq!(write(0x8000_0000_0000_0001), Err(gp));
    }
}
