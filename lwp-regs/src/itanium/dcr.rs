//! The field of the default control register that monitoring goes by.

layout! {
    /// DCR, as far as it is about monitoring. The other bits are kept as they are.
    ///
    /// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, "Default Control Register (DCR)"; Linux,
    /// `arch/ia64/include/asm/kregs.h`.
    pub struct Dcr: u64, Preserve {
        /// What PSR.pp becomes when an interruption is delivered.
        #[inline]
        pub pp: bool,
        #[bits(63)]
        __: u64,
    }
}

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
