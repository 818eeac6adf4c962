//! The threshold interrupt in the SMM save area.

use bitfield_struct::bitfield;

/// A threshold interrupt that is on its way, at byte 68 (upper half of word 8) of the SMM save area.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Overview" (Report): the interrupt "may occur significantly
/// later". That it survives SMM is this project's decision; dropping it would lose the only notice of that crossing.
#[bitfield(u32, defmt = cfg(feature = "defmt"))]
pub struct InterruptWord {
    /// The interrupt is requested and not yet acknowledged.
    #[inline]
    pub standing: bool,
    #[bits(7)]
    __: u8,
    /// Cycles until a delayed interrupt is requested; 0 for none.
    #[inline]
    pub delay: u8,
    #[bits(16)]
    __: u16,
}

layout_fields!(
    /// Fields of [`InterruptWord`] for `tock-registers`.
    InterruptWord: u32, Zero, interrupt_fields {
        /// Bit 0.
        STANDING = STANDING_BITS @ STANDING_OFFSET;
        /// Bits 15:8, in cycles.
        DELAY = DELAY_BITS @ DELAY_OFFSET;
    }
);

#[cfg(test)]
mod tests {
    use super::InterruptWord;

    // LWP-SMM-03
    #[test]
    fn positions() {
        assert_eq!(InterruptWord::new().with_standing(true).into_bits(), 0x0000_0001);
        assert_eq!(InterruptWord::new().with_delay(0xFF).into_bits(), 0x0000_FF00);
        assert_eq!(InterruptWord::RESERVED, 0xFFFF_00FE);
    }
}
