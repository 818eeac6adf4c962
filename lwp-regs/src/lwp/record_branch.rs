//! The record of the branches-retired event.

use super::{EventId, EventRecord};

layout! {
    /// First eight bytes of a branches-retired record.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Branches Retired", Figure 3. Bit 29 is taken as the valid bit;
    /// the table's "16:29 Reserved" collides with it.
    pub struct BranchWord: u64, Zero {
        /// Event identifier, 2.
        #[inline]
        pub event_id: u8,
        /// Number of the core.
        #[inline]
        pub core: u8,
        #[bits(13)]
        __: u16,
        /// Whether `predicted` means anything.
        #[inline]
        pub prediction_valid: bool,
        /// The branch was predicted correctly.
        #[inline]
        pub predicted: bool,
        /// The branch was taken.
        #[inline]
        pub taken: bool,
        #[bits(32)]
        __: u32,
    }
}

/// A record with EventId 2: a transfer of control retired. Bytes 4..8 and 24..32 and bits 28:16 are reserved.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Branches Retired", Figure 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BranchRecord(EventRecord);

impl BranchRecord {
    /// The record that hardware writes for the branch at linear address `address`, after which execution went on at
    /// `next`. `predicted` is `None` when it is not known whether the prediction was correct.
    #[must_use]
    #[inline]
    pub const fn new(core: u8, address: u64, taken: bool, predicted: Option<bool>, next: u64) -> Self {
        let mut word =
            BranchWord::new().with_event_id(EventId::BRANCHES_RETIRED.get()).with_core(core).with_taken(taken);
        if let Some(correctly) = predicted {
            word = word.with_prediction_valid(true).with_predicted(correctly);
        }
        Self(EventRecord::from_words([word.into_bits(), address, next, 0]))
    }

    /// `record` seen as this type, or `None` if its identifier is another.
    #[must_use]
    #[inline]
    pub const fn from_record(record: EventRecord) -> Option<Self> {
        if record.word().event_id() == EventId::BRANCHES_RETIRED.get() { Some(Self(record)) } else { None }
    }

    /// All 32 bytes, reserved ones included.
    #[must_use]
    #[inline]
    pub const fn record(&self) -> EventRecord {
        self.0
    }

    /// The first word in the layout of this type.
    #[must_use]
    #[inline]
    pub const fn word(&self) -> BranchWord {
        BranchWord::from_bits(self.0.words()[0])
    }

    /// Number of the core.
    #[must_use]
    #[inline]
    pub const fn core(&self) -> u8 {
        self.word().core()
    }

    /// Linear address of the branch.
    #[must_use]
    #[inline]
    pub const fn address(&self) -> u64 {
        self.0.address()
    }

    /// Whether the branch was taken; always true for an unconditional one.
    #[must_use]
    #[inline]
    pub const fn taken(&self) -> bool {
        self.word().taken()
    }

    /// Whether the branch was predicted correctly; `None` if that was not recorded.
    #[must_use]
    #[inline]
    pub const fn predicted(&self) -> Option<bool> {
        if self.word().prediction_valid() { Some(self.word().predicted()) } else { None }
    }

    /// Linear address of what was executed next: the target if taken, the fall-through address if not.
    #[must_use]
    #[inline]
    pub const fn next_address(&self) -> u64 {
        self.0.extra()
    }

    /// Whether all reserved bits are 0, and bit 30 too when bit 29 says that it means nothing.
    #[must_use]
    #[inline]
    pub const fn is_well_formed(&self) -> bool {
        self.0.reserved_bits_are_zero() && (self.word().prediction_valid() || !self.word().predicted())
    }
}

#[cfg(test)]
mod tests {
    use super::{BranchRecord, BranchWord, EventRecord};

    // LWP-BRN-05, LWP-BRN-06, LWP-BRN-12, LWP-BRN-14, LWP-BRN-15
    #[test]
    fn taken_and_predicted() {
        let record = BranchRecord::new(1, 0x1000, true, Some(true), 0x2000);
        assert_eq!(record.record().words(), [0xE000_0102, 0x1000, 0x2000, 0]);
        assert_eq!((record.core(), record.address(), record.next_address()), (1, 0x1000, 0x2000));
        assert!(record.is_well_formed());
    }

    // LWP-BRN-08, LWP-BRN-09, LWP-BRN-11, LWP-BRN-22
    #[test]
    fn every_outcome() {
        let word = |taken, predicted| BranchRecord::new(0, 0, taken, predicted, 0).record().words()[0];
        assert_eq!(word(false, None), 0x0000_0002);
        assert_eq!(word(false, Some(false)), 0x2000_0002);
        assert_eq!(word(false, Some(true)), 0x6000_0002);
        assert_eq!(word(true, None), 0x8000_0002);
        assert_eq!(word(true, Some(false)), 0xA000_0002);
        assert_eq!(word(true, Some(true)), 0xE000_0002);
    }

    // LWP-BRN-08: bit 30 alone says nothing
    #[test]
    fn prediction_without_the_valid_bit() {
        let record = BranchRecord::from_record(EventRecord::from_words([0x4000_0002, 0, 0, 0])).unwrap();
        assert_eq!(record.predicted(), None);
        assert!(!record.is_well_formed());
    }

    // LWP-BRN-07, LWP-BRN-13, LWP-BRN-16
    #[test]
    fn reserved_bits() {
        assert_eq!(BranchWord::RESERVED, 0xFFFF_FFFF_1FFF_0000);
        for words in [[0x1000_0002, 0, 0, 0], [0x1_0000_0002, 0, 0, 0], [2, 0, 0, 1]] {
            assert!(!BranchRecord::from_record(EventRecord::from_words(words)).unwrap().is_well_formed());
        }
    }
}
