//! The records on their way: a queue whose first one is being stored.

use super::state::{RECORD_QUEUE, Record, State};

impl State {
    /// Whether no record is on its way.
    pub(super) const fn no_record(&self) -> bool {
        self.records[0].event == 0
    }

    /// Whether the event of this index (EventId - 1) has a record on its way.
    pub(super) fn queued(&self, index: usize) -> bool {
        self.records.iter().any(|record| usize::from(record.event) == index + 1)
    }

    /// Puts a record behind the others. Each event has at most one, so there is a place.
    pub(super) fn enqueue(&mut self, record: Record) {
        if let Some(place) = self.records.iter_mut().find(|place| place.event == 0) {
            *place = record;
        }
    }

    /// The first record leaves.
    pub(super) fn dequeue(&mut self) {
        self.records.rotate_left(1);
        self.records[RECORD_QUEUE - 1] = Record::default();
        self.pending = false;
    }

    /// Drops every record; their counters stay at zero.
    pub(super) fn forget(&mut self) {
        self.records = [Record::default(); RECORD_QUEUE];
        self.pending = false;
    }

    /// Drops every record but the first.
    pub(super) fn forget_waiting(&mut self) {
        for record in &mut self.records[1..] {
            *record = Record::default();
        }
    }
}
