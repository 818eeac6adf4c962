//! Making a valid control block.

use super::lwpcb::{check_buffer, threshold_bytes};
use super::{
    CounterWord, EnabledFeatures, EventId, FilterWord, LwpCaps, Lwpcb, LwpcbError, LwpcbImage, SizeWord, SlotWord,
};
use crate::bits::{U4, U6, U26, U28};
use bitflags::bitflags;

bitflags! {
    /// The levels from which a cache miss may be satisfied to count, when filtering by level.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Table 4.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct CacheLevels: u8 {
        /// A cache on the Northbridge.
        const NBC = 1;
        /// A remote data cache.
        const RDC = 2;
        /// DRAM.
        const RAM = 4;
        /// MMIO, configuration space, PCI space, APIC.
        const OTH = 8;
    }
}

set_format!(CacheLevels);

/// Builds a control block and refuses what the proposal calls invalid.
///
/// Every setter may be called in any order; the first thing that cannot even be expressed, and else the first rule that
/// the whole breaks, comes out of [`build`](Self::build). To make blocks that break rules, use
/// [`LwpcbImage`].
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Table 4.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "a builder does nothing until `build`"]
pub struct LwpcbBuilder {
    caps: LwpCaps,
    enabled: Option<EnabledFeatures>,
    image: LwpcbImage,
    used: usize,
    error: Option<LwpcbError>,
}

impl LwpcbBuilder {
    /// A block without buffer and events for a processor with these capabilities.
    #[inline]
    pub const fn new(caps: &LwpCaps) -> Self {
        Self { caps: *caps, enabled: None, image: LwpcbImage::zeroed(), used: 0, error: None }
    }

    /// Refuses events that the system has not enabled. Without this they are accepted, and hardware leaves them out.
    #[inline]
    pub const fn enabled(mut self, enabled: EnabledFeatures) -> Self {
        self.enabled = Some(enabled);
        self
    }

    /// The ring buffer: its linear address, a multiple of 32, and its size in bytes, a multiple of 32 and at least 64.
    pub fn buffer(mut self, base: u64, size: u32) -> Self {
        match check_buffer(base, size) {
            Ok(()) => {
                self.image.base = base;
                self.image.size = self.image.size.with_buffer_size(U28::masked(size));
            }
            Err(error) => self.fail(error),
        }
        self
    }

    /// Continues in a buffer that is already in use: offsets of the next record to store and of the oldest record, in
    /// bytes. Without this the buffer starts empty.
    #[inline]
    pub const fn head_tail(mut self, head: u32, tail: u32) -> Self {
        self.image.head = head;
        self.image.tail = tail;
        self
    }

    /// How many low bits of a counter are set at random at each reload, 0 to 15; avoids beating with the program.
    pub fn random(mut self, bits: u8) -> Self {
        match U4::new(bits) {
            Some(bits) => self.image.size.set_random(bits),
            None => self.fail(LwpcbError::RandomTooLarge { bits }),
        }
        self
    }

    /// The number of records in the buffer at which to interrupt (if the system has enabled that); 0 for never.
    #[inline]
    pub const fn threshold_records(self, records: u32) -> Self {
        self.threshold_bytes(threshold_bytes(records))
    }

    /// The used space in bytes at which to interrupt, a multiple of 32; 0 for never.
    #[inline]
    pub const fn threshold_bytes(mut self, bytes: u32) -> Self {
        self.image.threshold = bytes;
        self
    }

    /// Counts only cache misses of at least this latency, in units of 16 cycles; 0 for any.
    #[inline]
    pub const fn min_latency(mut self, units: u8) -> Self {
        self.image.filter = self.image.filter.with_min_latency(units);
        self
    }

    /// Counts only cache misses that were satisfied from one of these levels.
    #[inline]
    pub const fn cache_levels(mut self, levels: CacheLevels) -> Self {
        self.image.filter = self
            .image
            .filter
            .with_clf(true)
            .with_nbc(levels.contains(CacheLevels::NBC))
            .with_rdc(levels.contains(CacheLevels::RDC))
            .with_ram(levels.contains(CacheLevels::RAM))
            .with_oth(levels.contains(CacheLevels::OTH));
        self
    }

    /// Does not count unconditional direct jumps.
    #[inline]
    pub const fn no_direct_branches(mut self) -> Self {
        self.image.filter = self.image.filter.with_ndb(true);
        self
    }

    /// Sets the whole filter word.
    #[inline]
    pub const fn filter(mut self, filter: FilterWord) -> Self {
        self.image.filter = filter;
        self
    }

    /// Counts `event` in the next free slot and stores a record every `interval` events; the first after as many. From
    /// [`RECOMMENDED_MIN_INTERVAL`](super::RECOMMENDED_MIN_INTERVAL) on, events rarely get into each other's way.
    pub fn event(self, event: EventId, interval: u32) -> Self {
        self.event_with_counter(event, interval, interval)
    }

    /// As [`event`](Self::event), with the first record after `counter` events.
    pub fn event_with_counter(mut self, event: EventId, interval: u32, counter: u32) -> Self {
        if let Err(error) = self.push(event, interval, counter) {
            self.fail(error);
        }
        self
    }

    /// The finished block.
    ///
    /// # Errors
    ///
    /// [`LwpcbError`] with the rule that the block breaks.
    pub fn build(self) -> Result<Lwpcb, LwpcbError> {
        self.caps.validate()?;
        match self.error {
            Some(error) => Err(error),
            None => Lwpcb::new(self.image, &self.caps),
        }
    }

    fn push(&mut self, event: EventId, interval: u32, counter: u32) -> Result<(), LwpcbError> {
        if self.used >= usize::from(self.caps.max_events).min(self.image.slots.len()) {
            return Err(LwpcbError::TooManyEvents { slots: self.caps.max_events });
        }
        let id = event.slot_bits().map_err(|_| LwpcbError::EventNotSelectable { event })?;
        if let Some(enabled) = self.enabled
            && !event.feature().is_some_and(|feature| enabled.contains(feature))
        {
            return Err(LwpcbError::EventNotEnabled { event });
        }
        let slot = &mut self.image.slots[self.used];
        let interval = U26::new(interval).ok_or(LwpcbError::IntervalTooLarge { event, interval })?;
        slot.word = SlotWord::new().with_event_id(U6::masked(id)).with_interval(interval);
        let counter = U26::new(counter).ok_or(LwpcbError::CounterTooLarge { event, counter })?;
        slot.counter = CounterWord::new().with_counter(counter);
        self.used += 1;
        Ok(())
    }

    fn fail(&mut self, error: LwpcbError) {
        self.error.get_or_insert(error);
    }
}

// The largest size that the builder accepts is one that the field can hold.
const _: () = assert!(SizeWord::MAX_BUFFER_SIZE.is_multiple_of(super::EVENT_RECORD_BYTES as u32));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::caps::tests::caps_with;
    use crate::lwp::{CapsError, Features, SlotImage};

    const EVENT: EventId = EventId::BRANCHES_RETIRED;

    fn caps() -> LwpCaps {
        caps_with(Features::all())
    }

    /// Valid as it is; each test breaks one thing.
    fn good() -> LwpcbBuilder {
        LwpcbBuilder::new(&caps()).buffer(0x10_0000, 4096).event(EVENT, 1000)
    }

    fn buffer(base: u64, size: u32) -> Result<Lwpcb, LwpcbError> {
        LwpcbBuilder::new(&caps()).buffer(base, size).event(EVENT, 1000).build()
    }

    #[test]
    fn presets_the_counter_to_the_interval() {
        let block = good().random(4).threshold_records(64).min_latency(8).no_direct_branches().build().unwrap();
        let image = block.image();
        assert_eq!(image.slots[0], SlotImage::new(1000, 2, 1000));
        assert_eq!(image.size.into_bits(), 0x4000_1000);
        assert_eq!(image.threshold, 2048);
        assert_eq!(image.filter.into_bits(), 0x2008);
        assert_eq!((image.flags, image.head, image.tail, image.missed), (0, 0, 0, 0));
    }

    // LWP-LCB-10, LWP-LCB-42
    #[test]
    fn buffer_size() {
        assert_eq!(buffer(0, 0), Err(LwpcbError::BufferSizeZero));
        assert_eq!(buffer(0, 33), Err(LwpcbError::BufferSizeNotMultiple { size: 33 }));
        assert_eq!(buffer(0, 32), Err(LwpcbError::BufferOneRecord));
        assert_eq!(buffer(0, 1 << 28), Err(LwpcbError::BufferTooLarge { size: 1 << 28 }));
        assert!(buffer(0, 64).is_ok());
        assert!(buffer(0, 0x0FFF_FFE0).is_ok());
        assert_eq!(LwpcbBuilder::new(&caps()).event(EVENT, 1).build(), Err(LwpcbError::BufferSizeZero));
    }

    // LWP-LCB-13
    #[test]
    fn buffer_base() {
        assert_eq!(buffer(0x1010, 64), Err(LwpcbError::BufferBaseMisaligned { base: 0x1010 }));
        assert!(buffer(u64::MAX - 63, 64).is_ok());
        let base = u64::MAX - 63;
        assert_eq!(buffer(base, 96), Err(LwpcbError::BufferWraps { base, size: 96 }));
        let base = u64::MAX - 31;
        assert_eq!(buffer(base, 64), Err(LwpcbError::BufferWraps { base, size: 64 }));
    }

    // LWP-LCB-16
    #[test]
    fn head_and_tail() {
        let build = |head, tail| good().head_tail(head, tail).build().map(|_| ());
        assert_eq!(build(4064, 4064), Ok(()));
        assert_eq!(build(16, 0), Err(LwpcbError::HeadMisaligned { head: 16 }));
        assert_eq!(build(4096, 0), Err(LwpcbError::HeadOutOfRange { head: 4096, size: 4096 }));
        assert_eq!(build(0, 1), Err(LwpcbError::TailMisaligned { tail: 1 }));
        assert_eq!(build(0, 4096), Err(LwpcbError::TailOutOfRange { tail: 4096, size: 4096 }));
    }

    // LWP-LCB-18
    #[test]
    fn threshold() {
        let build = |bytes| good().threshold_bytes(bytes).build().map(|_| ());
        assert_eq!(build(4064), Ok(()));
        assert_eq!(build(31), Err(LwpcbError::ThresholdNotMultiple { threshold: 31 }));
        assert_eq!(build(4096), Err(LwpcbError::ThresholdOutOfRange { threshold: 4096, size: 4096 }));
        assert!(good().threshold_records(1 << 30).build().is_err(), "does not wrap to 0");
    }

    // LWP-LCB-11
    #[test]
    fn random() {
        assert!(good().random(15).build().is_ok());
        assert_eq!(good().random(16).build(), Err(LwpcbError::RandomTooLarge { bits: 16 }));
    }

    // LWP-LCB-28, LWP-LCB-40, LWP-LCB-41
    #[test]
    fn intervals_and_counters() {
        let build = |interval, counter| {
            good().event_with_counter(EventId::DCACHE_MISSES, interval, counter).build().map(|_| ())
        };
        let event = EventId::DCACHE_MISSES;
        assert_eq!(build(0, 0), Ok(()), "0 acts like 1");
        assert_eq!(build(0x03FF_FFFF, 0x03FF_FFFF), Ok(()));
        assert_eq!(build(1 << 26, 0), Err(LwpcbError::IntervalTooLarge { event, interval: 1 << 26 }));
        assert_eq!(build(0, 1 << 26), Err(LwpcbError::CounterTooLarge { event, counter: 1 << 26 }));
    }

    // LWP-LCB-30, LWP-LCB-32
    #[test]
    fn events() {
        let id = |id| EventId::new(id).unwrap();
        assert_eq!(good().event(EVENT, 1).build(), Err(LwpcbError::DuplicateEvent { event: EVENT }));
        let apart = good().event(id(1), 1).event(EVENT, 1).build();
        assert_eq!(apart, Err(LwpcbError::DuplicateEvent { event: EVENT }));
        let four = good().event(id(1), 1).event(id(3), 1).event(id(4), 1).build();
        assert_eq!(four, Err(LwpcbError::TooManyEvents { slots: 3 }));
        assert_eq!(good().event(id(64), 1).build(), Err(LwpcbError::EventNotSelectable { event: id(64) }));
        assert!(good().event(id(63), 1).build().is_ok());
        assert_eq!(LwpcbBuilder::new(&caps()).buffer(0, 64).build(), Err(LwpcbError::NoEvents));
    }

    // LWP-CPU-32: user software goes by what is enabled
    #[test]
    fn events_that_are_not_enabled() {
        let enabled = EnabledFeatures::from_eax(0x3).unwrap();
        let build = |event| LwpcbBuilder::new(&caps()).buffer(0, 64).enabled(enabled).event(event, 1).build();
        assert!(build(EventId::INSTRUCTIONS_RETIRED).is_ok());
        assert_eq!(build(EVENT), Err(LwpcbError::EventNotEnabled { event: EVENT }));
        let unknown = EventId::new(4).unwrap();
        assert_eq!(build(unknown), Err(LwpcbError::EventNotEnabled { event: unknown }));
    }

    // LWP-CPU-22, LWP-CPU-23
    #[test]
    fn filters_that_the_processor_lacks() {
        let build = |caps: LwpCaps, filter| {
            LwpcbBuilder::new(&caps).buffer(0, 64).event(EVENT, 1).filter(filter).build().map(|_| ())
        };
        let clf = FilterWord::new().with_clf(true).with_ram(true);
        let latency = FilterWord::new().with_min_latency(1);
        let no_levels = LwpCaps { cache_levels: false, ..caps() };
        let no_latency = LwpCaps { cache_latency: false, ..caps() };
        assert_eq!(build(caps(), clf), Ok(()));
        assert_eq!(build(no_levels, clf), Err(LwpcbError::LevelFilterUnsupported));
        assert_eq!(build(no_levels, latency), Ok(()));
        assert_eq!(build(no_latency, latency), Err(LwpcbError::LatencyFilterUnsupported));
        assert_eq!(build(caps(), FilterWord::new().with_clf(true)), Err(LwpcbError::LevelFilterEmpty));
        let levels = good().cache_levels(CacheLevels::RAM | CacheLevels::OTH).build().unwrap();
        assert_eq!(levels.image().filter.into_bits(), 0x1900);
    }

    #[test]
    fn the_first_mistake_is_the_one_reported() {
        let error = good().random(16).event(EVENT, 1 << 26).build().unwrap_err();
        assert_eq!(error, LwpcbError::RandomTooLarge { bits: 16 });
        let caps = LwpCaps { version: 9, ..caps() };
        let error = LwpcbBuilder::new(&caps).random(16).build().unwrap_err();
        assert_eq!(error, LwpcbError::Caps(CapsError::Version(9)));
    }
}
