//! The field of the default control register that monitoring goes by.

use bitfield_struct::bitfield;

/// DCR, as far as it is about monitoring. The other bits are kept as they are.
///
/// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, "Default Control Register (DCR)"; Linux,
/// `arch/ia64/include/asm/kregs.h`.
#[bitfield(u64, defmt = cfg(feature = "defmt"))]
pub struct Dcr {
    /// What PSR.pp becomes when an interruption is delivered.
    #[inline]
    pub pp: bool,
    #[bits(63)]
    __: u64,
}

layout_fields!(
    /// Fields of [`Dcr`] for `tock-registers`.
    Dcr: u64, Preserve, dcr_fields {
        /// Bit 0.
        PP = PP_BITS @ PP_OFFSET;
    }
);

#[cfg(test)]
mod tests {
    use super::Dcr;

    // ITA-42: DCR.pp
    #[test]
    fn position() {
        assert_eq!(Dcr::new().with_pp(true).into_bits(), 1);
        assert_eq!(Dcr::from_bits(u64::MAX).with_pp(false).into_bits(), !1);
    }
}
