//! The record of the instructions-retired event.

use super::{EventId, EventRecord};

layout! {
    /// First eight bytes of an instructions-retired record.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Instructions Retired", Figure 2.
    pub struct InstructionWord: u64, Zero {
        /// Event identifier, 1.
        #[inline]
        pub event_id: u8,
        /// Number of the core.
        #[inline]
        pub core: u8,
        #[bits(48)]
        __: u64,
    }
}

/// A record with EventId 1: an instruction retired. Bytes 2..8 and 16..32 are reserved.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Instructions Retired", Figure 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InstructionRecord(EventRecord);

impl InstructionRecord {
    /// The record that hardware writes for the instruction at linear address `address`.
    #[must_use]
    #[inline]
    pub const fn new(core: u8, address: u64) -> Self {
        let word = InstructionWord::new().with_event_id(EventId::INSTRUCTIONS_RETIRED.get()).with_core(core);
        Self(EventRecord::from_words([word.into_bits(), address, 0, 0]))
    }

    /// `record` seen as this type, or `None` if its identifier is another.
    #[must_use]
    #[inline]
    pub const fn from_record(record: EventRecord) -> Option<Self> {
        if record.word().event_id() == EventId::INSTRUCTIONS_RETIRED.get() { Some(Self(record)) } else { None }
    }

    /// All 32 bytes, reserved ones included.
    #[must_use]
    #[inline]
    pub const fn record(&self) -> EventRecord {
        self.0
    }

    /// Number of the core.
    #[must_use]
    #[inline]
    pub const fn core(&self) -> u8 {
        self.0.core()
    }

    /// Linear address of the instruction.
    #[must_use]
    #[inline]
    pub const fn address(&self) -> u64 {
        self.0.address()
    }

    /// Whether all reserved bits are 0.
    #[must_use]
    #[inline]
    pub const fn is_well_formed(&self) -> bool {
        self.0.reserved_bits_are_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::{EventRecord, InstructionRecord, InstructionWord};

    // LWP-INS-02, LWP-INS-03, LWP-INS-05
    #[test]
    fn words() {
        let record = InstructionRecord::new(0xAB, 0x0040_1000);
        assert_eq!(record.record().words(), [0xAB01, 0x0040_1000, 0, 0]);
        assert_eq!((record.core(), record.address()), (0xAB, 0x0040_1000));
        assert!(record.is_well_formed());
    }

    // LWP-INS-04, LWP-INS-06
    #[test]
    fn reserved_bits() {
        assert_eq!(InstructionWord::RESERVED, 0xFFFF_FFFF_FFFF_0000);
        for words in [[0x1_0001, 0, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]] {
            let record = InstructionRecord::from_record(EventRecord::from_words(words)).unwrap();
            assert!(!record.is_well_formed());
        }
    }

    #[test]
    fn other_types_are_not_mistaken() {
        assert_eq!(InstructionRecord::from_record(EventRecord::from_words([2, 0, 0, 0])), None);
    }
}
