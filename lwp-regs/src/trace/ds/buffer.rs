//! The four pointers that describe a buffer of the debug store.

use super::{DsIndexError, DsPart};

/// How the management area describes the BTS buffer or the PEBS buffer: four linear addresses.
///
/// Source: Intel SDM volume 3B, "BTS and DS Save Area". It calls the absolute maximum "the next byte past the end" and,
/// in the next sentence, "a multiple of the record size plus 1"; this crate follows the former, as Linux does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DsBuffer {
    /// First byte of the buffer.
    pub base: u64,
    /// Where the next record goes.
    pub index: u64,
    /// First byte past the end of the buffer.
    pub absolute_maximum: u64,
    /// The record at which there is an interrupt: it comes once the index has reached this.
    pub interrupt_threshold: u64,
}

/// What becomes of the end of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum AtEnd {
    /// The next record goes to the base: a BTS buffer while `IA32_DEBUGCTL.BTINT` is 0.
    Circular,
    /// There is an interrupt at the threshold, and records that find no room are lost: a PEBS buffer, and a BTS buffer
    /// while BTINT is 1.
    Interrupt,
}

/// What storing one record does. See [`DsBuffer::store`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stored {
    /// Where the record goes; `None` if there is no room.
    pub at: Option<u64>,
    /// The index has reached the threshold by this record.
    pub interrupt: bool,
}

impl DsBuffer {
    /// An empty buffer of `records` records of `record_bytes` bytes at `base`, with the threshold after `threshold`
    /// records. `None` if it does not fit in the address space.
    #[must_use]
    #[inline]
    pub const fn empty(base: u64, record_bytes: u64, records: u64, threshold: u64) -> Option<Self> {
        let (Some(bytes), Some(before)) = (records.checked_mul(record_bytes), threshold.checked_mul(record_bytes))
        else {
            return None;
        };
        match (base.checked_add(bytes), base.checked_add(before)) {
            (Some(absolute_maximum), Some(interrupt_threshold)) => {
                Some(Self { base, index: base, absolute_maximum, interrupt_threshold })
            }
            _ => None,
        }
    }

    /// Bytes of the buffer; 0 if its end is before its base.
    #[must_use]
    #[inline]
    pub const fn bytes(&self) -> u64 {
        self.absolute_maximum.saturating_sub(self.base)
    }

    /// Whether the index has reached the threshold. An interrupt of this buffer is explained by nothing else.
    #[must_use]
    #[inline]
    pub const fn is_due(&self) -> bool {
        self.index >= self.interrupt_threshold
    }

    /// Bytes of records before the index, after a check of the index: hardware wrote it, but software may have spoilt
    /// it.
    ///
    /// # Errors
    ///
    /// [`DsIndexError`] when the index is not at a record of the buffer or at its end.
    #[inline]
    pub const fn filled(&self, part: DsPart, record_bytes: u64) -> Result<u64, DsIndexError> {
        let Self { base, index, absolute_maximum, .. } = *self;
        if index < base || index > absolute_maximum {
            return Err(DsIndexError::Outside { part, index, base, absolute_maximum });
        }
        if !(index - base).is_multiple_of(record_bytes) {
            return Err(DsIndexError::BetweenRecords { part, index, record_bytes });
        }
        Ok(index - base)
    }

    /// What the hardware does to store one record; for models and for tests. The processor never writes at or past the
    /// absolute maximum. Neither a threshold nor an end that is met disables the area.
    ///
    /// That a record without room is lost, and the index stays, is this project's reading: the manual does not say.
    #[must_use]
    #[inline]
    pub const fn store(self, record_bytes: u64, at_end: AtEnd) -> (Self, Stored) {
        let room = self.absolute_maximum.saturating_sub(self.index);
        if room < record_bytes {
            return (self, Stored { at: None, interrupt: false });
        }
        let next = self.index + record_bytes;
        let (index, interrupt) = match at_end {
            AtEnd::Circular if room - record_bytes < record_bytes => (self.base, false),
            AtEnd::Circular => (next, false),
            AtEnd::Interrupt => (next, self.index < self.interrupt_threshold && next >= self.interrupt_threshold),
        };
        (Self { index, ..self }, Stored { at: Some(self.index), interrupt })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    /// Four branch records at 1000H, threshold at the third.
    const BUFFER: DsBuffer =
        DsBuffer { base: 0x1000, index: 0x1000, absolute_maximum: 0x1060, interrupt_threshold: 0x1030 };

    fn run(at_end: AtEnd, records: usize) -> Vec<(Option<u64>, bool, u64)> {
        let mut buffer = BUFFER;
        let mut step = || {
            let (next, stored) = buffer.store(24, at_end);
            buffer = next;
            (stored.at, stored.interrupt, next.index)
        };
        (0..records).map(|_| step()).collect()
    }

    // BTS-14, BTS-15, BTS-16, BTS-40, BTS-48: the index advances by the record size; the interrupt comes with the
    // record that reaches the threshold, once; nothing goes past the end, and a full buffer changes nothing else
    #[test]
    fn with_an_interrupt() {
        assert_eq!(
            run(AtEnd::Interrupt, 6),
            [
                (Some(0x1000), false, 0x1018),
                (Some(0x1018), true, 0x1030),
                (Some(0x1030), false, 0x1048),
                (Some(0x1048), false, 0x1060),
                (None, false, 0x1060),
                (None, false, 0x1060),
            ]
        );
    }

    // BTS-15, BTS-40, DCTL-08: circular, the fifth record goes to the base, and there is no interrupt
    #[test]
    fn circular() {
        assert_eq!(
            run(AtEnd::Circular, 5),
            [
                (Some(0x1000), false, 0x1018),
                (Some(0x1018), false, 0x1030),
                (Some(0x1030), false, 0x1048),
                (Some(0x1048), false, 0x1000),
                (Some(0x1000), false, 0x1018),
            ]
        );
    }

    // BTS-13, BTS-14, BTS-15, BTS-16
    #[test]
    fn an_empty_buffer() {
        assert_eq!(DsBuffer::empty(0x1000, 24, 4, 2), Some(BUFFER));
        assert_eq!(BUFFER.bytes(), 0x60);
        assert_eq!(DsBuffer::empty(u64::MAX - 23, 24, 1, 0), None);
        assert_eq!(DsBuffer::empty(0, 24, u64::MAX, 0), None);
    }

    // BTS-49: the index is checked before it is believed
    #[test]
    fn the_index_is_checked() {
        let filled = |index| DsBuffer { index, ..BUFFER }.filled(DsPart::Bts, 24);
        assert_eq!(filled(0x1000), Ok(0));
        assert_eq!(filled(0x1060), Ok(0x60));
        let (base, absolute_maximum) = (0x1000, 0x1060);
        for index in [0, 0xFE8, 0x1078, u64::MAX] {
            let outside = DsIndexError::Outside { part: DsPart::Bts, index, base, absolute_maximum };
            assert_eq!(filled(index), Err(outside));
        }
        let between = DsIndexError::BetweenRecords { part: DsPart::Bts, index: 0x1019, record_bytes: 24 };
        assert_eq!(filled(0x1019), Err(between));
        assert!(DsBuffer { absolute_maximum: 0, ..BUFFER }.filled(DsPart::Pebs, 24).is_err());
    }

    #[test]
    fn due_from_the_threshold_on() {
        let due = |index| DsBuffer { index, ..BUFFER }.is_due();
        assert_eq!([0x1000, 0x1018, 0x1030, 0x1048].map(due), [false, false, true, true]);
    }
}
