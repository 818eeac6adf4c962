//! The two words of a slot of the control block.

use super::EventId;
use crate::bits::{U6, U26};

layout! {
    /// EventInterval and EventId, at offset 40 + 8 * n of the control block: what slot n counts. Constant during a session.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Table 4; 26 bits follow from the width of
    /// the counter, and 6 bits are what is left.
    pub struct SlotWord: u32, Ignored {
        /// Number of events from one record to the next; 0 acts like 1.
        #[inline]
        #[bits(26)]
        pub interval: U26,
        /// Identifier of the event; 0 disables the slot.
        #[inline]
        #[bits(6)]
        pub event_id: U6,
    }
}

impl SlotWord {
    /// Largest interval: 2^26 - 1 events.
    pub const MAX_INTERVAL: u32 = SlotWord::tock_field("INTERVAL").mask;

    /// The event that the slot selects, `None` when it is disabled.
    #[must_use]
    #[inline]
    pub const fn event(self) -> Option<EventId> {
        EventId::new(self.event_id().get())
    }
}

/// Smallest interval, in events, with which it is rare that two events expire with the same instruction: only one of
/// them can be gathered then, and the other waits for its next occurrence. Of two events whose intervals have no common
/// divisor, at most one record in so many meets the other.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Overview" (Gather): "extremely uncommon if software chooses its
/// intervals to be large enough". The number is this project's advice; smaller intervals are valid.
pub const RECOMMENDED_MIN_INTERVAL: u32 = 1000;

layout! {
    /// EventCounter, at offset 44 + 8 * n of the control block: the events left until slot n gathers a record. Owned by
    /// hardware during a session, which flushes it there now and then and writes the reserved bits as 0.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Table 4, and "Processor State for context
    /// switch, SVM, and SMM" for the width.
    pub struct CounterWord: u32, Ignored {
        /// Events left; 0 means that the next event is gathered.
        #[inline]
        #[bits(26)]
        pub counter: U26,
        #[bits(6)]
        __: u8,
    }
}

impl CounterWord {
    /// Largest counter value: 2^26 - 1 events.
    pub const MAX_COUNTER: u32 = CounterWord::tock_field("COUNTER").mask;
}

#[cfg(test)]
mod tests {
    use super::{CounterWord, EventId, RECOMMENDED_MIN_INTERVAL, SlotWord, U6, U26};

    // LWP-LCB-40, LWP-LCB-44, LWP-CNT-08
    #[test]
    fn positions() {
        assert_eq!(SlotWord::new().with_interval(U26::of::<0x03FF_FFFF>()).into_bits(), 0x03FF_FFFF);
        assert_eq!(SlotWord::new().with_event_id(U6::of::<0x3F>()).into_bits(), 0xFC00_0000);
        assert_eq!(SlotWord::RESERVED, 0);
        assert_eq!(CounterWord::new().with_counter(U26::of::<0x03FF_FFFF>()).into_bits(), 0x03FF_FFFF);
        assert_eq!(CounterWord::RESERVED, 0xFC00_0000);
        assert_eq!(CounterWord::from_bits(u32::MAX).counter(), 0x03FF_FFFF);
    }

    // LWP-LCB-29
    #[test]
    fn event_0_disables_the_slot() {
        assert_eq!(SlotWord::new().with_interval(U26::of::<7>()).event(), None);
        assert_eq!(SlotWord::from_bits(0x0C00_0064).event(), Some(EventId::DCACHE_MISSES));
        assert_eq!(SlotWord::from_bits(0x0C00_0064).interval(), 100);
    }

    // LWP-GAT-11: two events that every instruction causes, over the time after which they repeat
    #[test]
    fn recommended_intervals_rarely_expire_together() {
        let (a, b) = (RECOMMENDED_MIN_INTERVAL, RECOMMENDED_MIN_INTERVAL + 1);
        let expired = |interval| move |n: &u32| n.is_multiple_of(interval);
        let records = (1..=a * b).filter(expired(a)).count();
        let together = (1..=a * b).filter(expired(a)).filter(expired(b)).count();
        assert_eq!((records, together), (1001, 1));
        assert!(a <= SlotWord::MAX_INTERVAL);
    }
}
