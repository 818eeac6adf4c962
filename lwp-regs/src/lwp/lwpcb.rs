//! A checked control block that is not in use.

use super::{CounterWord, EventId, FilterWord, LwpCaps, LwpcbError, LwpcbImage, SizeWord, SlotImage, SlotWord, offset};
use crate::bits::U26;

const RECORD: u32 = super::EVENT_RECORD_BYTES as u32;

/// A control block that hardware does not use, that keeps every rule of the proposal on the processor it was made for.
///
/// It can be changed, and each change is checked. While hardware uses a block it is an
/// [`ActiveLwpcb`](super::ActiveLwpcb), which has no setters but the tail; to change a parameter, disable LWP, change
/// the idle block, and enable again.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Lwpcb {
    image: LwpcbImage,
    caps: LwpCaps,
}

impl Lwpcb {
    /// Checks `image` for a processor with these capabilities; for instance a block taken back from hardware.
    ///
    /// # Errors
    ///
    /// [`LwpcbError`]: the first rule that is broken.
    pub fn new(image: LwpcbImage, caps: &LwpCaps) -> Result<Self, LwpcbError> {
        check(&image, caps)?;
        Ok(Self { image, caps: *caps })
    }

    /// The block as plain data.
    #[must_use]
    #[inline]
    pub const fn image(&self) -> &LwpcbImage {
        &self.image
    }

    /// The capabilities it was checked against.
    #[must_use]
    #[inline]
    pub const fn caps(&self) -> &LwpCaps {
        &self.caps
    }

    /// Number of slots.
    #[must_use]
    #[inline]
    pub const fn slots(&self) -> usize {
        self.caps.max_events as usize
    }

    /// Bytes to allocate: what CPUID asks for, which may be more than the slots need.
    #[must_use]
    #[inline]
    pub const fn allocation_bytes(&self) -> usize {
        self.caps.lwpcb_size as usize
    }

    /// Changes the block in any way that leaves it valid.
    ///
    /// ```
    /// # use lwp_regs::lwp::{EdxLayout, EventId, LwpCaps, LwpcbBuilder, LwpcbError};
    /// # let caps = LwpCaps::from_cpuid([0, 0x0103_2040, 0x8000_002A, 0x1F], EdxLayout::AsPrinted).unwrap();
    /// # let mut block = LwpcbBuilder::new(&caps).buffer(0x1000, 4096).event(EventId::BRANCHES_RETIRED, 9).build()?;
    /// block.edit(|image| image.threshold = 64)?;
    /// assert!(block.edit(|image| image.threshold = 65).is_err());
    /// assert_eq!(block.image().threshold, 64);
    /// # Ok::<(), LwpcbError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LwpcbError`]: the first rule that would be broken; the block is as before then.
    pub fn edit(&mut self, change: impl FnOnce(&mut LwpcbImage)) -> Result<(), LwpcbError> {
        let mut image = self.image;
        change(&mut image);
        *self = Self::new(image, &self.caps)?;
        Ok(())
    }

    /// Sets the interval of a slot, in events, for the next reload.
    ///
    /// # Errors
    ///
    /// [`LwpcbError::NoSuchSlot`] or [`LwpcbError::IntervalTooLarge`].
    pub fn set_interval(&mut self, slot: usize, interval: u32) -> Result<(), LwpcbError> {
        let event = self.event_of(slot)?;
        if let Some(SlotImage { word, .. }) = self.image.slots.get_mut(slot) {
            word.set_interval(U26::new(interval).ok_or(LwpcbError::IntervalTooLarge { event, interval })?);
        }
        Ok(())
    }

    /// Sets the counter of a slot: the events left until its first record.
    ///
    /// # Errors
    ///
    /// [`LwpcbError::NoSuchSlot`] or [`LwpcbError::CounterTooLarge`].
    pub fn set_counter(&mut self, slot: usize, counter: u32) -> Result<(), LwpcbError> {
        let event = self.event_of(slot)?;
        if let Some(SlotImage { counter: word, .. }) = self.image.slots.get_mut(slot) {
            word.set_counter(U26::new(counter).ok_or(LwpcbError::CounterTooLarge { event, counter })?);
        }
        Ok(())
    }

    /// Sets the threshold, in records; 0 for none.
    ///
    /// # Errors
    ///
    /// [`LwpcbError::ThresholdOutOfRange`] if the buffer never holds that many.
    pub fn set_threshold_records(&mut self, records: u32) -> Result<(), LwpcbError> {
        self.edit(|image| image.threshold = threshold_bytes(records))
    }

    /// Empties the buffer: head and tail go to 0 and no event is missed yet.
    #[inline]
    pub const fn reset_buffer(&mut self) {
        self.image.head = 0;
        self.image.tail = 0;
        self.image.missed = 0;
    }

    /// The event of an existing, used slot.
    fn event_of(&self, slot: usize) -> Result<EventId, LwpcbError> {
        self.image
            .slots
            .get(slot)
            .filter(|_| slot < self.slots())
            .and_then(|slot| slot.word.event())
            .ok_or(LwpcbError::NoSuchSlot { slot, slots: self.caps.max_events })
    }
}

/// The bytes of so many records; saturates above any buffer size, so that the check refuses it.
#[inline]
pub(super) const fn threshold_bytes(records: u32) -> u32 {
    match records.checked_mul(RECORD) {
        Some(bytes) => bytes,
        None => !(RECORD - 1),
    }
}

/// The rules for a block as a whole, in the order in which a reader of Table 4 meets them.
fn check(image: &LwpcbImage, caps: &LwpCaps) -> Result<(), LwpcbError> {
    caps.validate()?;
    check_buffer(image.base, image.size.buffer_size().get())?;
    check_offsets(image)?;
    check_filter(image.filter, caps)?;
    check_slots(image, caps)
}

/// The rules for the ring buffer alone.
pub(super) fn check_buffer(base: u64, size: u32) -> Result<(), LwpcbError> {
    if size == 0 {
        return Err(LwpcbError::BufferSizeZero);
    }
    if !size.is_multiple_of(RECORD) {
        return Err(LwpcbError::BufferSizeNotMultiple { size });
    }
    if size == RECORD {
        return Err(LwpcbError::BufferOneRecord);
    }
    if size > SizeWord::MAX_BUFFER_SIZE {
        return Err(LwpcbError::BufferTooLarge { size });
    }
    if !base.is_multiple_of(u64::from(RECORD)) {
        return Err(LwpcbError::BufferBaseMisaligned { base });
    }
    if base.checked_add(u64::from(size) - 1).is_none() {
        return Err(LwpcbError::BufferWraps { base, size });
    }
    Ok(())
}

fn check_offsets(image: &LwpcbImage) -> Result<(), LwpcbError> {
    let LwpcbImage { head, tail, threshold, .. } = *image;
    let size = image.size.buffer_size().get();
    if !head.is_multiple_of(RECORD) {
        return Err(LwpcbError::HeadMisaligned { head });
    }
    if head >= size {
        return Err(LwpcbError::HeadOutOfRange { head, size });
    }
    if !tail.is_multiple_of(RECORD) {
        return Err(LwpcbError::TailMisaligned { tail });
    }
    if tail >= size {
        return Err(LwpcbError::TailOutOfRange { tail, size });
    }
    if !threshold.is_multiple_of(RECORD) {
        return Err(LwpcbError::ThresholdNotMultiple { threshold });
    }
    if threshold >= size {
        return Err(LwpcbError::ThresholdOutOfRange { threshold, size });
    }
    Ok(())
}

fn check_filter(filter: FilterWord, caps: &LwpCaps) -> Result<(), LwpcbError> {
    if filter.has_reserved_bits() {
        let bits = filter.into_bits() & FilterWord::RESERVED;
        return Err(LwpcbError::ReservedBits { offset: offset::FILTER, bits });
    }
    if filter.clf() && !caps.cache_levels {
        return Err(LwpcbError::LevelFilterUnsupported);
    }
    if filter.clf() && !filter.selects_any() {
        return Err(LwpcbError::LevelFilterEmpty);
    }
    if filter.min_latency() != 0 && !caps.cache_latency {
        return Err(LwpcbError::LatencyFilterUnsupported);
    }
    Ok(())
}

fn check_slots(image: &LwpcbImage, caps: &LwpCaps) -> Result<(), LwpcbError> {
    let slots = caps.max_events as usize;
    if image.slots.iter().skip(slots).any(|slot| slot.word != SlotWord::new()) {
        return Err(LwpcbError::TooManyEvents { slots: caps.max_events });
    }
    let mut seen = 0u64;
    for (i, slot) in image.slots.iter().take(slots).enumerate() {
        if slot.counter.has_reserved_bits() {
            let bits = slot.counter.into_bits() & CounterWord::RESERVED;
            return Err(LwpcbError::ReservedBits { offset: offset::counter(i), bits });
        }
        let Some(event) = slot.word.event() else {
            continue;
        };
        // A slot holds 6 bits, so 64 of them are enough.
        let bit = 1 << event.get();
        if seen & bit != 0 {
            return Err(LwpcbError::DuplicateEvent { event });
        }
        seen |= bit;
    }
    if seen == 0 { Err(LwpcbError::NoEvents) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::caps::tests::caps_with;
    use crate::lwp::{Features, LwpcbBuilder, SlotImage};

    fn block() -> Lwpcb {
        LwpcbBuilder::new(&caps_with(Features::all()))
            .buffer(0x1_0000, 4096)
            .event(EventId::BRANCHES_RETIRED, 100)
            .build()
            .unwrap()
    }

    // LWP-LCB-04: an idle block can be changed
    #[test]
    fn setters_check() {
        let mut block = block();
        assert_eq!(block.set_interval(0, 7), Ok(()));
        assert_eq!(block.set_counter(0, 3), Ok(()));
        assert_eq!(block.image().slots[0], SlotImage::new(7, 2, 3));
        let event = EventId::BRANCHES_RETIRED;
        let too_large = block.set_interval(0, 1 << 26);
        assert_eq!(too_large, Err(LwpcbError::IntervalTooLarge { event, interval: 1 << 26 }));
        let too_large = block.set_counter(0, 1 << 26);
        assert_eq!(too_large, Err(LwpcbError::CounterTooLarge { event, counter: 1 << 26 }));
        assert_eq!(block.set_counter(1, 0), Err(LwpcbError::NoSuchSlot { slot: 1, slots: 3 }));
        assert_eq!(block.set_counter(26, 0), Err(LwpcbError::NoSuchSlot { slot: 26, slots: 3 }));
        assert_eq!(block.image().slots[0], SlotImage::new(7, 2, 3));
    }

    // LWP-LCB-18: 127 records are the capacity of 4096 bytes
    #[test]
    fn threshold_up_to_the_capacity() {
        let mut block = block();
        assert_eq!(block.set_threshold_records(127), Ok(()));
        assert_eq!(block.image().threshold, 127 * 32);
        let error = block.set_threshold_records(128).unwrap_err();
        assert_eq!(error, LwpcbError::ThresholdOutOfRange { threshold: 4096, size: 4096 });
        assert!(block.set_threshold_records(u32::MAX).is_err());
    }

    #[test]
    fn a_refused_edit_changes_nothing() {
        let mut block = block();
        let before = block;
        assert_eq!(block.edit(|image| image.tail = 4096), Err(LwpcbError::TailOutOfRange { tail: 4096, size: 4096 }));
        assert_eq!(block, before);
    }

    #[test]
    fn reserved_bits_are_refused() {
        let mut block = block();
        let error = block.edit(|image| image.filter = FilterWord::from_bits(0x4000)).unwrap_err();
        assert_eq!(error, LwpcbError::ReservedBits { offset: 36, bits: 0x4000 });
        let error = block.edit(|image| image.slots[2].counter = CounterWord::from_bits(1 << 31)).unwrap_err();
        assert_eq!(error, LwpcbError::ReservedBits { offset: 60, bits: 1 << 31 });
        let error = block.edit(|image| image.slots[3] = SlotImage::new(1, 1, 1)).unwrap_err();
        assert_eq!(error, LwpcbError::TooManyEvents { slots: 3 });
    }
}
