//! Telling event records apart.

use super::{BranchRecord, DcacheRecord, EventId, EventRecord, InstructionRecord};

/// An event record by its type. Decoding never fails and never loses a bit: [`record`](Self::record) gives back the
/// very same 32 bytes.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Events and Event Records", Table 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// EventId 1.
    Instruction(InstructionRecord),
    /// EventId 2.
    Branch(BranchRecord),
    /// EventId 3.
    Dcache(DcacheRecord),
    /// Any other EventId: a later version, or no record at all (EventId 0).
    Unknown(EventRecord),
}

impl Event {
    /// Tells the type of `record`.
    #[must_use]
    #[inline]
    pub const fn decode(record: EventRecord) -> Self {
        if let Some(record) = InstructionRecord::from_record(record) {
            Self::Instruction(record)
        } else if let Some(record) = BranchRecord::from_record(record) {
            Self::Branch(record)
        } else if let Some(record) = DcacheRecord::from_record(record) {
            Self::Dcache(record)
        } else {
            Self::Unknown(record)
        }
    }

    /// All 32 bytes.
    #[must_use]
    #[inline]
    pub const fn record(&self) -> EventRecord {
        match self {
            Self::Instruction(record) => record.record(),
            Self::Branch(record) => record.record(),
            Self::Dcache(record) => record.record(),
            Self::Unknown(record) => *record,
        }
    }

    /// Number of the core on which the event happened; what tells records apart that were merged from several threads.
    #[must_use]
    #[inline]
    pub const fn core(&self) -> u8 {
        self.record().core()
    }

    /// The event's identifier, `None` for the invalid 0.
    #[must_use]
    #[inline]
    pub const fn event_id(&self) -> Option<EventId> {
        self.record().event_id()
    }
}

impl From<EventRecord> for Event {
    fn from(record: EventRecord) -> Self {
        Self::decode(record)
    }
}

impl From<Event> for EventRecord {
    fn from(event: Event) -> Self {
        event.record()
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, EventRecord};

    // LWP-REC-11, LWP-REC-12, LWP-REC-13, LWP-REC-14, LWP-REC-17
    #[test]
    fn by_identifier() {
        let decode = |id| Event::decode(EventRecord::from_words([id, 0, 0, 0]));
        assert!(matches!(decode(1), Event::Instruction(_)));
        assert!(matches!(decode(2), Event::Branch(_)));
        assert!(matches!(decode(3), Event::Dcache(_)));
        assert!(matches!(decode(0), Event::Unknown(_)));
        assert!((4..=255).all(|id| matches!(decode(id), Event::Unknown(_))));
        assert_eq!(decode(0).event_id(), None);
        for id in 0..5 {
            assert_eq!(decode(0x2A00 | id).core(), 0x2A);
        }
    }
}
