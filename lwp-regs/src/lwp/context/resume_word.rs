//! Where the options of an implementation stand in a saved state.

use crate::bits::{U2, U4};

layout! {
    /// Two counts that only some options of the hardware need, at byte 28 (upper half of word 3) of a saved state.
    ///
    /// Source: this project's. The proposal allows to read the tail only "every n-th time" ("LWPCB Access") and leaves
    /// open which of several expired events is taken ("Multiple simultaneous events"); either takes a memory of its own.
    pub struct ResumeWord: u32, Zero {
        /// Records that are still stored before the tail is read again.
        #[inline]
        #[bits(4)]
        pub tail_skip: U4,
        /// Index of the event that was chosen last, EventId - 1: 0 to 2.
        #[inline]
        #[bits(2)]
        pub rotate: U2,
        #[bits(26)]
        __: u32,
    }
}

#[cfg(test)]
mod tests {
    use super::{ResumeWord, U2, U4};

    // LWP-CTX-06
    #[test]
    fn positions() {
        assert_eq!(ResumeWord::new().with_tail_skip(U4::of::<0xF>()).into_bits(), 0x0000_000F);
        assert_eq!(ResumeWord::new().with_rotate(U2::of::<3>()).into_bits(), 0x0000_0030);
        assert_eq!(ResumeWord::RESERVED, 0xFFFF_FFC0);
    }
}
