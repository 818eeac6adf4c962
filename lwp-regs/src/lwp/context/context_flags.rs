//! What the rest of a saved state means.

layout! {
    /// Flags of a saved state, at byte 12 (upper half of word 1).
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Processor State for context switch, SVM, and SMM": the flag
    /// about MissedEvents. The other two are this project's addition: without them a pointer whose block has not been read
    /// yet, and a record that waits for its page, could not be carried along. The bit positions are this project's too.
    pub struct ContextFlags: u32, Zero {
        /// Head, counters and `missed` are those of a running session; what is constant is loaded from the block again.
        /// 0 together with a pointer: the initialization from the block is still to come.
        #[inline]
        pub session: bool,
        /// The record in the state could not be stored because of a page fault, and is stored before the next instruction.
        #[inline]
        pub pending: bool,
        #[bits(14)]
        __: u16,
        /// How often MissedEvents in the block still has to be incremented.
        #[inline]
        pub missed: u16,
    }
}

#[cfg(test)]
mod tests {
    use super::ContextFlags;

    // LWP-CTX-05, LWP-CTX-16
    #[test]
    fn positions() {
        assert_eq!(ContextFlags::new().with_session(true).into_bits(), 0x0000_0001);
        assert_eq!(ContextFlags::new().with_pending(true).into_bits(), 0x0000_0002);
        assert_eq!(ContextFlags::new().with_missed(0xFFFF).into_bits(), 0xFFFF_0000);
        assert_eq!(ContextFlags::RESERVED, 0x0000_FFFC);
    }
}
