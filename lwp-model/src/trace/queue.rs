//! Stage queue: branch records that wait for the bus or for memory.

use super::state::{Queue, Record};

impl Queue {
    /// The oldest record, if there is one.
    #[inline]
    pub(super) const fn first(&self) -> Option<&Record> {
        if self.count == 0 { None } else { Some(&self.record[0]) }
    }

    /// The message that is pending.
    #[inline]
    pub(super) fn message(&self) -> Option<&Record> {
        self.first().filter(|record| !record.store)
    }
}
