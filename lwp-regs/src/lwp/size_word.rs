//! The word of the control block with the buffer's size and the randomness of counters.

use crate::bits::{U4, U28};

layout! {
    /// BufferSize and Random, at offset 4 of the control block. Constant during a session.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Table 4; the split of the word into 28 and
    /// 4 bits is this project's decision.
    pub struct SizeWord: u32, Ignored {
        /// Size of the ring buffer in bytes, a multiple of 32; hardware ignores the low five bits.
        #[inline]
        #[bits(28)]
        pub buffer_size: U28,
        /// How many low bits of a counter are set at random whenever it is reloaded from its interval, 0 to 15.
        #[inline]
        #[bits(4)]
        pub random: U4,
    }
}

impl SizeWord {
    /// Largest buffer in bytes: the largest multiple of 32 that fits.
    pub const MAX_BUFFER_SIZE: u32 = SizeWord::tock_field("BUFFER_SIZE").mask & !31;
    /// Largest number of random bits.
    pub const MAX_RANDOM: u8 = SizeWord::tock_field("RANDOM").mask as u8;
}

#[cfg(test)]
mod tests {
    use super::{SizeWord, U4, U28};

    // LWP-LCB-34
    #[test]
    fn positions() {
        assert_eq!(SizeWord::new().with_buffer_size(U28::of::<0x0FFF_FFFF>()).into_bits(), 0x0FFF_FFFF);
        assert_eq!(SizeWord::new().with_random(U4::of::<0xF>()).into_bits(), 0xF000_0000);
        assert_eq!(SizeWord::RESERVED, 0);
        assert_eq!(SizeWord::MAX_BUFFER_SIZE, 0x0FFF_FFE0);
        assert_eq!(SizeWord::MAX_RANDOM, 15);
    }

    // LWP-LCB-11
    #[test]
    fn random_is_four_bits() {
        assert_eq!((U4::new(15), U4::new(16)), (Some(U4::MAX), None));
        assert_eq!(SizeWord::from_bits(0xFFFF_FFFF).random().get(), 15);
        assert_eq!(SizeWord::from_bits(0x0FFF_FFFF).random().get(), 0);
    }
}
