//! Record queue. Its first record is being stored.

use super::state::{RECORD_QUEUE, Record, State};

impl State {
    /// Whether the queue is empty.
    pub(super) const fn no_record(&self) -> bool {
        self.records[0].event == 0
    }

    /// Whether the event with this index (EventId - 1) has a record in the queue.
    pub(super) fn queued(&self, index: usize) -> bool {
        self.records.iter().any(|record| usize::from(record.event) == index + 1)
    }

    /// Appends a record. Each event has at most one record, so that an entry is free.
    pub(super) fn enqueue(&mut self, record: Record) {
        if let Some(place) = self.records.iter_mut().find(|place| place.event == 0) {
            *place = record;
        }
    }

    /// Removes the first record.
    pub(super) fn dequeue(&mut self) {
        self.records.rotate_left(1);
        self.records[RECORD_QUEUE - 1] = Record::default();
        self.pending = false;
    }

    /// Discards every record. The counters of their events stay at zero.
    pub(super) fn forget(&mut self) {
        self.records = [Record::default(); RECORD_QUEUE];
        self.pending = false;
    }

    /// Discards every record except the first.
    pub(super) fn forget_waiting(&mut self) {
        for record in &mut self.records[1..] {
            *record = Record::default();
        }
    }
}
