//! The threshold interrupt in the SMM save area.

layout! {
    /// A threshold interrupt that is on its way, at byte 68 (upper half of word 8) of the SMM save area.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Overview" (Report): the interrupt "may occur significantly
    /// later". That it survives SMM is this project's decision; dropping it would lose the only notice of that crossing.
    pub struct InterruptWord: u32, Zero {
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
}

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
