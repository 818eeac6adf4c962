//! The volatile state of a session.

use super::port::{restore_words, save_words};
use super::{ContextError, ContextFlags, HeadWord, LwpContextPort, ResumeWord};
use crate::lwp::{CounterWord, Event, EventRecord, LwpcbAddr};
use core::mem::offset_of;

/// What hardware holds for a session beyond the control block: 64 bytes, eight little-endian words of 8 bytes, without
/// an address of its own, so that it can be put anywhere.
///
/// | word | byte | content |
/// |---|---|---|
/// | 0 | 0 | linear address of the control block, a multiple of 16; 0 = inactive |
/// | 1 | 8 | [`HeadWord`]: BufferHeadOffset |
/// | | 12 | [`ContextFlags`]: session, pending, missed |
/// | 2, 3 | 16, 20, 24 | [`CounterWord`] of EventId 1, 2, 3 |
/// | | 28 | [`ResumeWord`]: tail_skip, rotate |
/// | 4..=7 | 32 | an event record that is not in the ring buffer yet, as it will be there, with 0 for the core; EventId 0 = none |
///
/// Every bit survives the way through this type, good or bad; [`check`](Self::check) tells whether hardware would
/// produce it. All other state comes back from the block.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Processor State for context switch, SVM, and SMM". Its list
/// is address, head, counters and one bit about MissedEvents. The rest of the flags and the record are this project's
/// addition, and so is the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct LwpVolatileState {
    /// Linear address of the control block; 0 = inactive.
    pub lwpcb: u64,
    /// BufferHeadOffset.
    pub head: HeadWord,
    /// What the rest means.
    pub flags: ContextFlags,
    /// The counters, that of EventId 1 first; 0 for an event that is not collected.
    pub counters: [CounterWord; 3],
    /// What options of the hardware need.
    pub resume: ResumeWord,
    /// A record that waits to be stored. The core's number is filled in by the core that stores it.
    pub record: EventRecord,
}

const _: () = {
    assert!(size_of::<LwpVolatileState>() == LwpVolatileState::BYTES);
    assert!(offset_of!(LwpVolatileState, lwpcb) == 0);
    assert!(offset_of!(LwpVolatileState, head) == 8);
    assert!(offset_of!(LwpVolatileState, flags) == 12);
    assert!(offset_of!(LwpVolatileState, counters) == 16);
    assert!(offset_of!(LwpVolatileState, resume) == 28);
    assert!(offset_of!(LwpVolatileState, record) == 32);
};

impl LwpVolatileState {
    /// Number of words of 8 bytes.
    pub const WORDS: usize = 8;
    /// Size in bytes.
    pub const BYTES: usize = 8 * Self::WORDS;
    /// No control block: LWP is inactive.
    pub const INACTIVE: Self = Self::from_words([0; Self::WORDS]);

    /// The state that these words are, kept as they are.
    #[must_use]
    #[inline]
    pub const fn from_words(words: [u64; Self::WORDS]) -> Self {
        let [lwpcb, head, counters, last, r0, r1, r2, r3] = words;
        Self {
            lwpcb,
            head: HeadWord::from_bits(head as u32),
            flags: ContextFlags::from_bits((head >> 32) as u32),
            counters: [
                CounterWord::from_bits(counters as u32),
                CounterWord::from_bits((counters >> 32) as u32),
                CounterWord::from_bits(last as u32),
            ],
            resume: ResumeWord::from_bits((last >> 32) as u32),
            record: EventRecord::from_words([r0, r1, r2, r3]),
        }
    }

    /// The words as the port gives and takes them.
    #[must_use]
    #[inline]
    pub const fn to_words(&self) -> [u64; Self::WORDS] {
        let [r0, r1, r2, r3] = self.record.words();
        [
            self.lwpcb,
            pair(self.head.into_bits(), self.flags.into_bits()),
            pair(self.counters[0].into_bits(), self.counters[1].into_bits()),
            pair(self.counters[2].into_bits(), self.resume.into_bits()),
            r0,
            r1,
            r2,
            r3,
        ]
    }

    /// The state that these bytes in memory are.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        Self::from_words(core::array::from_fn(|i| u64::from_le_bytes(core::array::from_fn(|j| bytes[8 * i + j]))))
    }

    /// The bytes as they lie in memory: each word little endian.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let words = self.to_words();
        core::array::from_fn(|i| words[i / 8].to_le_bytes()[i % 8])
    }

    /// The control block, `None` when the state is inactive or the address is no block's.
    #[must_use]
    #[inline]
    pub const fn block(&self) -> Option<LwpcbAddr> {
        match LwpcbAddr::new(self.lwpcb) {
            Ok(block) => Some(block),
            Err(_) => None,
        }
    }

    /// The record that waits to be stored, `None` if there is none.
    #[must_use]
    #[inline]
    pub const fn pending_record(&self) -> Option<EventRecord> {
        if self.record.event_id().is_some() { Some(self.record) } else { None }
    }

    /// Whether hardware would produce this state. A state that comes from anywhere else, for instance from the image of
    /// a migrated guest, should pass before it is restored.
    ///
    /// # Errors
    ///
    /// [`ContextError`]: the first rule that is broken, in the order of the words.
    pub fn check(&self) -> Result<(), ContextError> {
        if !self.lwpcb.is_multiple_of(LwpcbAddr::ALIGN) {
            return Err(ContextError::PointerMisaligned(self.lwpcb));
        }
        for (word, bits) in (1..).zip(self.reserved_bits()) {
            if bits != 0 {
                return Err(ContextError::ReservedBits { word, bits });
            }
        }
        if !self.flags.session() {
            return self.check_without_session();
        }
        if self.lwpcb == 0 {
            return Err(ContextError::SessionWithoutPointer);
        }
        if !self.head.head().get().is_multiple_of(32) {
            return Err(ContextError::HeadMisaligned(self.head.head().get()));
        }
        if self.resume.rotate().get() == 3 {
            return Err(ContextError::NoSuchEventIndex);
        }
        self.check_record()
    }

    /// The reserved bits that are set in words 1 to 3.
    fn reserved_bits(&self) -> [u64; 3] {
        let counter = |word: CounterWord| word.into_bits() & CounterWord::RESERVED;
        [
            pair(self.head.into_bits() & HeadWord::RESERVED, self.flags.into_bits() & ContextFlags::RESERVED),
            pair(counter(self.counters[0]), counter(self.counters[1])),
            pair(counter(self.counters[2]), self.resume.into_bits() & ResumeWord::RESERVED),
        ]
    }

    /// Without a session, the pointer is all there is.
    fn check_without_session(&self) -> Result<(), ContextError> {
        match (0..).zip(self.to_words()).find(|(word, bits)| *word > 0 && *bits != 0) {
            Some((word, _)) => Err(ContextError::WithoutSession { word }),
            None => Ok(()),
        }
    }

    fn check_record(&self) -> Result<(), ContextError> {
        let well_formed = match Event::decode(self.record) {
            Event::Instruction(record) => record.is_well_formed(),
            Event::Branch(record) => record.is_well_formed(),
            Event::Dcache(record) => record.is_well_formed(),
            Event::Unknown(record) => match record.event_id() {
                Some(event) => return Err(ContextError::UnknownEvent(event)),
                None if self.flags.pending() => return Err(ContextError::PendingWithoutRecord),
                None => record == EventRecord::default(),
            },
        };
        if well_formed && self.record.core() == 0 { Ok(()) } else { Err(ContextError::RecordMalformed) }
    }

    /// Reads the state that hardware holds. It touches no memory and changes nothing.
    ///
    /// # Safety
    ///
    /// As for [`LwpContextPort::save_word`].
    ///
    /// # Errors
    ///
    /// What the port reports; nothing has been changed then.
    pub unsafe fn save<P: LwpContextPort>(port: &mut P) -> Result<Self, P::Fault> {
        // SAFETY: the caller vouches for the port.
        Ok(Self::from_words(unsafe { save_words(port) }?))
    }

    /// Gives hardware this state in place of its own: words 7 to 1, then word 0, which starts. It touches no memory.
    ///
    /// # Safety
    ///
    /// As for [`LwpContextPort::restore_word`]; and this is what was saved last for the thread that runs next, not
    /// restored elsewhere since.
    ///
    /// # Errors
    ///
    /// What the port reports; word 0 has not been written then, so the session has not been started.
    pub unsafe fn restore<P: LwpContextPort>(&self, port: &mut P) -> Result<(), P::Fault> {
        // SAFETY: the caller vouches for port and state.
        unsafe { restore_words(port, &self.to_words()) }
    }
}

/// Two words of 4 bytes as one of 8, the first one low.
#[inline]
pub(super) const fn pair(low: u32, high: u32) -> u64 {
    low as u64 | (high as u64) << 32
}

impl TryFrom<[u64; LwpVolatileState::WORDS]> for LwpVolatileState {
    type Error = ContextError;

    fn try_from(words: [u64; Self::WORDS]) -> Result<Self, ContextError> {
        let state = Self::from_words(words);
        state.check()?;
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::context::stub::{Access, Core};
    use crate::lwp::{BranchRecord, EventId};

    /// A session at 0x1000 with the head at 0x60, one miss owed, counters 10, 20, 30, the tail read again after two
    /// records, event 2 chosen last, and a taken branch from 0x400000 to 0x400100 that found no page.
    const WORDS: [u64; 8] = [
        0x0000_0000_0000_1000,
        0x0001_0003_0000_0060,
        0x0000_0014_0000_000A,
        0x0000_0012_0000_001E,
        0x0000_0000_8000_0002,
        0x0000_0000_0040_0000,
        0x0000_0000_0040_0100,
        0x0000_0000_0000_0000,
    ];

    fn with(word: usize, value: u64) -> Result<LwpVolatileState, ContextError> {
        let mut words = WORDS;
        words[word] = value;
        LwpVolatileState::try_from(words)
    }

    // LWP-CTX-01, LWP-CTX-02, LWP-CTX-03, LWP-CTX-04, LWP-CTX-05, LWP-CTX-16
    #[test]
    fn each_part_is_at_its_place() {
        let state = LwpVolatileState::try_from(WORDS).unwrap();
        assert_eq!(state.block(), LwpcbAddr::new(0x1000).ok());
        assert_eq!(state.head.head(), 0x60);
        assert!(state.flags.session());
        assert!(state.flags.pending());
        assert_eq!(state.flags.missed(), 1);
        assert_eq!(state.counters.map(|word| word.counter()), [10, 20, 30]);
        assert_eq!((state.resume.tail_skip().get(), state.resume.rotate().get()), (2, 1));
        let branch = BranchRecord::new(0, 0x40_0000, true, None, 0x40_0100);
        assert_eq!(state.pending_record(), Some(branch.record()));
        assert_eq!(state.to_words(), WORDS);
    }

    // LWP-CTX-02, LWP-CTX-03, LWP-CTX-04
    #[test]
    fn bytes_are_little_endian() {
        let bytes = LwpVolatileState::from_words(WORDS).to_bytes();
        assert_eq!(bytes[0..8], [0x00, 0x10, 0, 0, 0, 0, 0, 0]);
        assert_eq!(bytes[8..16], [0x60, 0, 0, 0, 0x03, 0, 0x01, 0]);
        assert_eq!(bytes[16..32], [10, 0, 0, 0, 20, 0, 0, 0, 30, 0, 0, 0, 0x12, 0, 0, 0]);
        assert_eq!(bytes[32..48], [2, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0]);
        assert_eq!(LwpVolatileState::from_bytes(&bytes).to_words(), WORDS);
    }

    // LWP-CTX-16
    #[test]
    fn a_pointer_alone_is_an_initialization_to_come() {
        let state = LwpVolatileState::try_from([0x1000, 0, 0, 0, 0, 0, 0, 0]).unwrap();
        assert!(!state.flags.session());
        assert_eq!(state.pending_record(), None);
        assert_eq!(LwpVolatileState::INACTIVE.check(), Ok(()));
        assert_eq!(LwpVolatileState::INACTIVE.block(), None);
    }

    // LWP-CTX-16
    #[test]
    fn what_hardware_does_not_produce() {
        assert_eq!(with(0, 0x1008), Err(ContextError::PointerMisaligned(0x1008)));
        assert_eq!(with(0, 0), Err(ContextError::SessionWithoutPointer));
        assert_eq!(with(1, 0x0000_0001_0000_0061), Err(ContextError::HeadMisaligned(0x61)));
        assert_eq!(with(1, 0x0000_0001_1000_0060), Err(ContextError::ReservedBits { word: 1, bits: 0x1000_0000 }));
        assert_eq!(with(1, 0x0000_0004_0000_0060), Err(ContextError::ReservedBits { word: 1, bits: 0x4_0000_0000 }));
        assert_eq!(with(1, 0x0001_0000_0000_0000), Err(ContextError::WithoutSession { word: 1 }), "missed");
        assert_eq!(with(1, 0), Err(ContextError::WithoutSession { word: 2 }), "counters");
        assert_eq!(with(2, 1 << 26), Err(ContextError::ReservedBits { word: 2, bits: 1 << 26 }));
        assert_eq!(with(3, 1 << 63), Err(ContextError::ReservedBits { word: 3, bits: 1 << 63 }));
        assert_eq!(with(3, 0x30_0000_0000), Err(ContextError::NoSuchEventIndex));
        let inactive = LwpVolatileState::try_from([0, 0x60, 0, 0, 0, 0, 0, 0]);
        assert_eq!(inactive, Err(ContextError::WithoutSession { word: 1 }), "head");
    }

    // LWP-CTX-16
    #[test]
    fn records_that_hardware_does_not_produce() {
        assert_eq!(with(4, 0), Err(ContextError::PendingWithoutRecord));
        assert_eq!(with(4, 4), Err(ContextError::UnknownEvent(EventId::new(4).unwrap())));
        assert_eq!(with(4, 0x8000_0102), Err(ContextError::RecordMalformed), "the core's number");
        assert_eq!(with(4, 0x4000_0002), Err(ContextError::RecordMalformed), "PRD without its valid bit");
        assert_eq!(with(7, 1), Err(ContextError::RecordMalformed), "reserved");
        let mut idle = WORDS;
        idle[1] = 0x0000_0001_0000_0060;
        idle[4] = 0;
        assert_eq!(LwpVolatileState::try_from(idle), Err(ContextError::RecordMalformed), "an address without a record");
        [idle[5], idle[6]] = [0, 0];
        assert!(LwpVolatileState::try_from(idle).is_ok());
    }

    // LWP-CTX-08, LWP-CTX-09: no memory in it; LWP-CTX-10: the pointer, which starts, comes last
    #[test]
    fn save_and_restore_go_through_the_port() {
        let mut core = Core::with_words(WORDS);
        // SAFETY: the port is a variable; no hardware is behind it.
        let state = unsafe { LwpVolatileState::save(&mut core) }.unwrap();
        assert!(core.happened().eq((0..8).map(Access::Save)));
        assert_eq!(state.to_words(), WORDS);
        let mut other = Core::with_words([u64::MAX; 8]);
        // SAFETY: as above.
        unsafe { state.restore(&mut other) }.unwrap();
        let order = (0..8).rev().map(|i: u8| Access::Restore(i, WORDS[usize::from(i)]));
        assert!(other.happened().eq(order));
        assert_eq!(other.words[..8], WORDS);
    }

    // LWP-CTX-10
    #[test]
    fn a_restore_that_faults_does_not_start() {
        let mut core = Core { broken: Some(1), ..Core::default() };
        // SAFETY: the port is a variable; no hardware is behind it.
        assert!(unsafe { LwpVolatileState::from_words(WORDS).restore(&mut core) }.is_err());
        assert_eq!(core.words[0], 0);
        // SAFETY: as above.
        assert!(unsafe { LwpVolatileState::save(&mut core) }.is_err());
    }
}
