//! The four pointers that describe a buffer of the debug store.

use super::{DsFormat, DsIndexError, DsPart};

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

    /// Whether the buffer's addresses are multiples of a field's size, 4 or 8 bytes. Hardware that checks stores nothing otherwise.
    #[must_use]
    #[inline]
    pub const fn is_aligned(&self, format: DsFormat) -> bool {
        (self.base | self.index | self.absolute_maximum) & (format.field_bytes() as u64 - 1) == 0
    }

    const fn has_room(&self, at: u64, record_bytes: u64) -> bool {
        at <= self.absolute_maximum && self.absolute_maximum - at >= record_bytes
    }

    /// Where the hardware stores the next record; `None` if it has no place: the index is outside the buffer, or there is no room. A circular
    /// buffer that software has left full begins again at its base.
    ///
    /// The processor never writes at or past the absolute maximum. That a record without a place is lost, and the index stays, is this
    /// project's reading: the manual does not say.
    #[must_use]
    #[inline]
    pub const fn place(&self, record_bytes: u64, at_end: AtEnd) -> Option<u64> {
        if self.index < self.base || self.index > self.absolute_maximum {
            None
        } else if self.has_room(self.index, record_bytes) {
            Some(self.index)
        } else if matches!(at_end, AtEnd::Circular) && self.has_room(self.base, record_bytes) {
            Some(self.base)
        } else {
            None
        }
    }

    /// The index behind the record that was stored at the index, and whether there is an interrupt: the record has moved the index to the
    /// threshold or past it. A circular buffer goes back to its base when it has no room for another record.
    #[must_use]
    #[inline]
    pub const fn advance(&self, record_bytes: u64, at_end: AtEnd) -> (u64, bool) {
        let next = self.index.wrapping_add(record_bytes);
        match at_end {
            AtEnd::Circular if !self.has_room(next, record_bytes) => (self.base, false),
            AtEnd::Circular => (next, false),
            AtEnd::Interrupt => (next, self.index < self.interrupt_threshold && next >= self.interrupt_threshold),
        }
    }

    /// What the hardware does to store one record: [`place`](Self::place), then [`advance`](Self::advance); for models and for tests. Neither
    /// a threshold nor an end that is met disables the area.
    #[must_use]
    #[inline]
    pub const fn store(self, record_bytes: u64, at_end: AtEnd) -> (Self, Stored) {
        let Some(at) = self.place(record_bytes, at_end) else {
            return (self, Stored { at: None, interrupt: false });
        };
        let (index, interrupt) = Self { index: at, ..self }.advance(record_bytes, at_end);
        (Self { index, ..self }, Stored { at: Some(at), interrupt })
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

    // BTS-40: BTINT was cleared while the buffer was full
    #[test]
    fn a_full_buffer_that_becomes_circular() {
        let full = DsBuffer { index: 0x1060, ..BUFFER };
        let (after, stored) = full.store(24, AtEnd::Circular);
        assert_eq!((stored.at, after.index), (Some(0x1000), 0x1018));
        assert_eq!(full.store(24, AtEnd::Interrupt).1.at, None);
        let small = DsBuffer { absolute_maximum: 0x1010, index: 0x1000, ..BUFFER };
        assert_eq!(small.store(24, AtEnd::Circular).1.at, None, "not one record fits in");
    }

    // BTS-15: nothing is written outside the buffer
    #[test]
    fn an_index_outside_stores_nothing() {
        for index in [0, 0xFE8, 0x1061, u64::MAX - 7] {
            for at_end in [AtEnd::Circular, AtEnd::Interrupt] {
                assert_eq!(DsBuffer { index, ..BUFFER }.store(24, at_end).1.at, None, "{index:#x}");
            }
        }
    }

    #[test]
    fn addresses_are_multiples_of_a_field() {
        assert!(BUFFER.is_aligned(DsFormat::Bits64));
        let odd = DsBuffer { index: 0x1004, ..BUFFER };
        assert!(odd.is_aligned(DsFormat::Bits32) && !odd.is_aligned(DsFormat::Bits64));
        assert!(!DsBuffer { base: 0x1002, ..BUFFER }.is_aligned(DsFormat::Bits32));
        assert!(!DsBuffer { absolute_maximum: 0x1061, ..BUFFER }.is_aligned(DsFormat::Bits32));
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
