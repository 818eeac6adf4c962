//! The records of a debug-store area: drained after an interrupt, or read back from a circular buffer.

use super::fields::Fields;
use super::{BtsRecord, DsBuffer, DsFormat, DsIndexError, DsPart, DsPlan, DsView, PebsRecord, RecordBuffer};
use core::sync::atomic::{Ordering, fence};

/// The area and buffers of one processor. It cannot be sent to another: each has its own.
///
/// It can be had only while the processor does not write to it: before the start, after the stop, and in the interrupt
/// handler, which turns branch trace messages and PEBS off ([`DsIsr`](super::DsIsr)).
#[derive(Debug)]
pub struct DsStore<'a> {
    pub(super) view: DsView<'a>,
    pub(super) plan: DsPlan,
    pub(super) bts: Option<RecordBuffer<'a>>,
    pub(super) pebs: Option<RecordBuffer<'a>>,
}

/// What the area says of a buffer, if that is still the buffer that was set up.
fn checked(part: DsPart, now: DsBuffer, planned: &DsBuffer) -> Result<DsBuffer, DsIndexError> {
    if now.base != planned.base || now.absolute_maximum != planned.absolute_maximum {
        return Err(DsIndexError::OtherBuffer { part, base: now.base, absolute_maximum: now.absolute_maximum });
    }
    Ok(now)
}

fn branch(buffer: &RecordBuffer<'_>, format: DsFormat, offset: u64) -> Option<BtsRecord> {
    BtsRecord::from_fields(Fields::new(format, |word| buffer.word(offset + word)))
}

impl DsStore<'_> {
    /// The plan that the area was set up by.
    #[must_use]
    #[inline]
    pub const fn plan(&self) -> &DsPlan {
        &self.plan
    }

    /// The buffer management area.
    #[must_use]
    #[inline]
    pub const fn view(&self) -> &DsView<'_> {
        &self.view
    }

    /// Gives every branch record before the index to `take`, oldest first, and sets the index back to the base. Gives
    /// their number; 0 without a BTS buffer.
    ///
    /// # Errors
    ///
    /// [`DsIndexError`] when the area does not describe the buffer that was set up, or the index is not at a record.
    /// Nothing has been taken or changed then.
    pub fn drain_branches(&mut self, mut take: impl FnMut(BtsRecord)) -> Result<u64, DsIndexError> {
        let Some(buffer) = &self.bts else { return Ok(0) };
        let (part, record_bytes) = (DsPart::Bts, self.plan.format.bts_record_bytes());
        let now = checked(part, self.view.bts(), &self.plan.image.bts)?;
        let records = now.filled(part, record_bytes)? / record_bytes;
        // The processor stores a record before it moves the index behind it.
        fence(Ordering::Acquire);
        (0..records).filter_map(|i| branch(buffer, self.plan.format, i * record_bytes)).for_each(&mut take);
        fence(Ordering::Release);
        self.view.set_bts_index(now.base);
        Ok(records)
    }

    /// Gives every branch record of a circular buffer to `take`, oldest first: from the index to the end, if the buffer
    /// has wrapped, then from the base to the index. Gives their number. Places that are all 0 hold no record. Nothing
    /// is changed; [`clear_branches`](Self::clear_branches) begins anew.
    ///
    /// # Errors
    ///
    /// As for [`drain_branches`](Self::drain_branches).
    pub fn branch_history(&self, mut take: impl FnMut(BtsRecord)) -> Result<u64, DsIndexError> {
        let Some(buffer) = &self.bts else { return Ok(0) };
        let (part, record_bytes) = (DsPart::Bts, self.plan.format.bts_record_bytes());
        let now = checked(part, self.view.bts(), &self.plan.image.bts)?;
        let newest_end = now.filled(part, record_bytes)? / record_bytes;
        fence(Ordering::Acquire);
        let order = (newest_end..now.bytes() / record_bytes).chain(0..newest_end);
        let mut count = 0;
        for record in order.filter_map(|i| branch(buffer, self.plan.format, i * record_bytes)) {
            if !record.is_empty() {
                take(record);
                count += 1;
            }
        }
        Ok(count)
    }

    /// Empties the BTS buffer: zeroes it and sets the index back to the base.
    pub fn clear_branches(&mut self) {
        let Some(buffer) = &mut self.bts else { return };
        let mut offset = 0;
        while buffer.set_word(offset, 0) {
            offset += 4;
        }
        fence(Ordering::Release);
        self.view.set_bts_index(self.plan.image.bts.base);
    }

    /// Gives every PEBS record before the index to `take`, oldest first, and sets the index back to the base. Gives
    /// their number; 0 without a PEBS buffer.
    ///
    /// # Errors
    ///
    /// As for [`drain_branches`](Self::drain_branches).
    pub fn drain_precise(&mut self, mut take: impl FnMut(PebsRecord)) -> Result<u64, DsIndexError> {
        let (Some(buffer), Some(record_bytes)) = (&self.pebs, self.plan.pebs_record_bytes) else { return Ok(0) };
        let part = DsPart::Pebs;
        let now = checked(part, self.view.pebs(), &self.plan.image.pebs)?;
        let records = now.filled(part, record_bytes.get())? / record_bytes;
        fence(Ordering::Acquire);
        let (area, format) = (self.plan.format, self.plan.pebs_format);
        let record = |i: u64| PebsRecord::from_words(area, format, |word| buffer.word(i * record_bytes.get() + word));
        (0..records).filter_map(record).for_each(&mut take);
        fence(Ordering::Release);
        self.view.set_pebs_index(now.base);
        Ok(records)
    }
}
