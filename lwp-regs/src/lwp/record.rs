//! The event record as hardware stores it, whatever its type.

use super::record_branch::BranchWord;
use super::record_dcache::DcacheWord;
use super::record_instruction::InstructionWord;
use super::{EVENT_RECORD_BYTES, EventId};

layout! {
    /// First eight bytes of any event record.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Events and Event Records", Figure 1.
    pub struct RecordWord: u64, Zero {
        /// Event identifier, the type of the record; 0 is invalid.
        #[inline]
        pub event_id: u8,
        /// Number of the core on which the event happened, its low 8 bits; 0 on a single-core system.
        #[inline]
        pub core: u8,
        /// Event-specific flags, bits 31:16; allocated from bit 31 downwards.
        #[inline]
        pub flags: u16,
        /// Event-specific data.
        #[inline]
        pub data: u32,
    }
}

/// An event record: 32 bytes, little endian, in the form in which it lies in the ring buffer. Any 32 bytes are one;
/// [`Event`](super::Event) tells the types apart.
///
/// | bytes | content |
/// |---|---|
/// | 0..8 | [`RecordWord`]: type, core, flags, data |
/// | 8..16 | linear address of the instruction, with the CS base added |
/// | 16..24 | an address or other data, by type |
/// | 24..32 | reserved |
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Events and Event Records", Figure 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct EventRecord {
    words: [u64; 4],
}

const _: () = assert!(size_of::<EventRecord>() == EVENT_RECORD_BYTES);

impl EventRecord {
    /// A record of any type as hardware would write it: whatever is reserved in that type becomes 0. `flags` are bits
    /// 31:16 of the record, `data` bytes 4..8, `address` bytes 8..16, `extra` bytes 16..24.
    ///
    /// [`InstructionRecord::new`](super::InstructionRecord::new), [`BranchRecord::new`](super::BranchRecord::new) and
    /// [`DcacheRecord::new`](super::DcacheRecord::new) make records by meaning.
    #[must_use]
    #[inline]
    pub const fn new(id: EventId, core: u8, flags: u16, data: u32, address: u64, extra: u64) -> Self {
        let word = RecordWord::new().with_event_id(id.get()).with_core(core).with_flags(flags).with_data(data);
        let raw = Self::from_words([word.into_bits(), address, extra, 0]);
        let mask = raw.reserved_mask();
        Self::from_words([raw.words[0] & !mask[0], address, extra & !mask[2], 0])
    }

    /// A record from its four 64-bit words, kept as they are.
    #[must_use]
    #[inline]
    pub const fn from_words(words: [u64; 4]) -> Self {
        Self { words }
    }

    /// The four 64-bit words.
    #[must_use]
    #[inline]
    pub const fn words(&self) -> [u64; 4] {
        self.words
    }

    /// A record from its bytes in memory, kept as they are.
    #[must_use]
    #[inline]
    pub const fn from_bytes(bytes: &[u8; EVENT_RECORD_BYTES]) -> Self {
        let mut words = [0; 4];
        let mut i = EVENT_RECORD_BYTES;
        while i > 0 {
            i -= 1;
            words[i / 8] = words[i / 8] << 8 | bytes[i] as u64;
        }
        Self { words }
    }

    /// The bytes as they lie in memory.
    #[must_use]
    #[inline]
    pub const fn to_bytes(&self) -> [u8; EVENT_RECORD_BYTES] {
        let mut bytes = [0; EVENT_RECORD_BYTES];
        let mut i = 0;
        while i < EVENT_RECORD_BYTES {
            bytes[i] = (self.words[i / 8] >> (i % 8 * 8)) as u8;
            i += 1;
        }
        bytes
    }

    /// The first word in the generic layout.
    #[must_use]
    #[inline]
    pub const fn word(&self) -> RecordWord {
        RecordWord::from_bits(self.words[0])
    }

    /// The type of the record, `None` for the invalid identifier 0.
    #[must_use]
    #[inline]
    pub const fn event_id(&self) -> Option<EventId> {
        EventId::new(self.word().event_id())
    }

    /// Number of the core on which the event happened.
    #[must_use]
    #[inline]
    pub const fn core(&self) -> u8 {
        self.word().core()
    }

    /// Event-specific flags, bits 31:16 of the record moved down to 15:0.
    #[must_use]
    #[inline]
    pub const fn flags(&self) -> u16 {
        self.word().flags()
    }

    /// Event-specific data, bytes 4..8.
    #[must_use]
    #[inline]
    pub const fn data(&self) -> u32 {
        self.word().data()
    }

    /// Linear address of the instruction, bytes 8..16.
    #[must_use]
    #[inline]
    pub const fn address(&self) -> u64 {
        self.words[1]
    }

    /// Offset of the instruction in its code segment: the linear address less the base of CS. The record does not hold
    /// the base; software that uses one other than 0 has to keep track of it.
    #[must_use]
    #[inline]
    pub const fn rip(&self, cs_base: u64) -> u64 {
        self.address().wrapping_sub(cs_base)
    }

    /// Event-specific address or data, bytes 16..24.
    #[must_use]
    #[inline]
    pub const fn extra(&self) -> u64 {
        self.words[2]
    }

    /// The bits that are reserved in a record of this type, word by word. Of an unknown type, only bytes 24..32.
    #[must_use]
    #[inline]
    pub const fn reserved_mask(&self) -> [u64; 4] {
        match self.event_id() {
            Some(id) if id.get() == EventId::INSTRUCTIONS_RETIRED.get() => {
                [InstructionWord::RESERVED, 0, u64::MAX, u64::MAX]
            }
            Some(id) if id.get() == EventId::BRANCHES_RETIRED.get() => [BranchWord::RESERVED, 0, 0, u64::MAX],
            Some(id) if id.get() == EventId::DCACHE_MISSES.get() => [DcacheWord::RESERVED, 0, 0, u64::MAX],
            _ => [0, 0, 0, u64::MAX],
        }
    }

    /// Whether every reserved bit is 0, as it is in every record that hardware writes.
    #[must_use]
    #[inline]
    pub const fn reserved_bits_are_zero(&self) -> bool {
        let mask = self.reserved_mask();
        let mut i = 0;
        while i < 4 {
            if self.words[i] & mask[i] != 0 {
                return false;
            }
            i += 1;
        }
        true
    }
}

impl From<[u8; EVENT_RECORD_BYTES]> for EventRecord {
    fn from(bytes: [u8; EVENT_RECORD_BYTES]) -> Self {
        Self::from_bytes(&bytes)
    }
}

impl From<EventRecord> for [u8; EVENT_RECORD_BYTES] {
    fn from(record: EventRecord) -> Self {
        record.to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::{EventId, EventRecord, RecordWord};

    /// Byte n has the value n + 1.
    fn counting() -> EventRecord {
        EventRecord::from_bytes(&core::array::from_fn(|i| i as u8 + 1))
    }

    // LWP-REC-01, LWP-REC-02, LWP-REC-04, LWP-REC-05, LWP-REC-06, LWP-REC-07
    #[test]
    fn fields_are_at_their_bytes() {
        let record = counting();
        assert_eq!(record.event_id().unwrap().get(), 0x01);
        assert_eq!(record.core(), 0x02);
        assert_eq!(record.flags(), 0x0403);
        assert_eq!(record.data(), 0x0807_0605);
        assert_eq!(record.address(), 0x100F_0E0D_0C0B_0A09);
        assert_eq!(record.extra(), 0x1817_1615_1413_1211);
        assert_eq!(record.words()[3], 0x201F_1E1D_1C1B_1A19);
        assert_eq!(RecordWord::RESERVED, 0);
    }

    // LWP-REC-09, LWP-INS-04, LWP-BRN-07, LWP-BRN-13, LWP-DCM-09
    #[test]
    fn new_clears_what_is_reserved_in_its_type() {
        let new = |id| EventRecord::new(EventId::new(id).unwrap(), 0xCC, 0xFFFF, u32::MAX, 0xA, 0xE).words();
        assert_eq!(new(1), [0x0000_0000_0000_CC01, 0xA, 0, 0]);
        assert_eq!(new(2), [0x0000_0000_E000_CC02, 0xA, 0xE, 0]);
        assert_eq!(new(3), [0xFFFF_FFFF_F000_CC03, 0xA, 0xE, 0]);
        assert_eq!(new(4), [0xFFFF_FFFF_FFFF_CC04, 0xA, 0xE, 0]);
    }

    // LWP-REC-10: 32 bytes. That CPUID reports this size shows in the tests of the unit.
    #[test]
    fn a_record_has_32_bytes() {
        assert_eq!((size_of::<EventRecord>(), counting().to_bytes().len()), (32, 32));
    }

    #[test]
    fn bytes_round_trip() {
        assert_eq!(counting().to_bytes()[31], 32);
        assert_eq!(EventRecord::from_bytes(&counting().to_bytes()), counting());
    }

    // LWP-REC-08, LWP-REC-09
    #[test]
    fn bytes_24_to_31_are_reserved_in_any_record() {
        for id in 0..=255 {
            assert!(EventRecord::from_words([id, 0, 0, 0]).reserved_bits_are_zero());
            assert!(!EventRecord::from_words([id, 0, 0, 1 << 63]).reserved_bits_are_zero());
        }
    }

    // LWP-REC-15
    #[test]
    fn rip_is_relative_to_the_code_segment() {
        let record = EventRecord::from_words([1, 0x0804_1234, 0, 0]);
        assert_eq!(record.rip(0), 0x0804_1234);
        assert_eq!(record.rip(0x0800_0000), 0x4_1234);
    }
}
