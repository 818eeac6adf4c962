//! The head in a saved state.

use crate::bits::U28;

layout! {
    /// BufferHeadOffset in a saved state, at byte 8 (lower half of word 1): where the next record goes. As wide as
    /// BufferSize.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Processor State for context switch, SVM, and SMM"; the width
    /// is that of [`SizeWord`](crate::lwp::SizeWord).
    pub struct HeadWord: u32, Zero {
        /// In bytes from the buffer's base; a multiple of 32, so its low 5 bits are 0.
        #[inline]
        #[bits(28)]
        pub head: U28,
        #[bits(4)]
        __: u8,
    }
}

#[cfg(test)]
mod tests {
    use super::{HeadWord, U28};

    // LWP-CTX-03
    #[test]
    fn positions() {
        assert_eq!(HeadWord::new().with_head(U28::of::<0x0FFF_FFE0>()).into_bits(), 0x0FFF_FFE0);
        assert_eq!(HeadWord::RESERVED, 0xF000_0000);
    }
}
