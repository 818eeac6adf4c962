//! The record of the DCache-miss event.

use super::{DataSource, EventId, EventRecord};

layout! {
    /// First eight bytes of a DCache-miss record.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "DCache misses", Figure 4.
    pub struct DcacheWord: u64, Zero {
        /// Event identifier, 3.
        #[inline]
        pub event_id: u8,
        /// Number of the core.
        #[inline]
        pub core: u8,
        #[bits(12)]
        __: u16,
        /// Whether bytes 16..24 hold the data address.
        #[inline]
        pub data_address_valid: bool,
        /// Where the data came from.
        #[inline]
        #[bits(3)]
        pub source: DataSource,
        /// Total latency of the miss in cycles; may be a multiple of 16 and saturates.
        #[inline]
        #[bits(32)]
        pub latency: u32,
    }
}

/// A record with EventId 3: a load missed the DCache. Bytes 24..32 and bits 27:16 are reserved.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "DCache misses", Figure 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DcacheRecord(EventRecord);

impl DcacheRecord {
    /// The record that hardware writes for a miss of the load at linear address `address`. `latency` is in cycles;
    /// without a `data_address` the field is 0, so that nothing stale leaks.
    #[must_use]
    #[inline]
    pub const fn new(core: u8, address: u64, source: DataSource, latency: u32, data_address: Option<u64>) -> Self {
        let word = DcacheWord::new()
            .with_event_id(EventId::DCACHE_MISSES.get())
            .with_core(core)
            .with_data_address_valid(data_address.is_some())
            .with_source(source)
            .with_latency(latency);
        let data = match data_address {
            Some(data) => data,
            None => 0,
        };
        Self(EventRecord::from_words([word.into_bits(), address, data, 0]))
    }

    /// `record` seen as this type, or `None` if its identifier is another.
    #[must_use]
    #[inline]
    pub const fn from_record(record: EventRecord) -> Option<Self> {
        if record.word().event_id() == EventId::DCACHE_MISSES.get() { Some(Self(record)) } else { None }
    }

    /// All 32 bytes, reserved ones included.
    #[must_use]
    #[inline]
    pub const fn record(&self) -> EventRecord {
        self.0
    }

    /// The first word in the layout of this type.
    #[must_use]
    #[inline]
    pub const fn word(&self) -> DcacheWord {
        DcacheWord::from_bits(self.0.words()[0])
    }

    /// Number of the core.
    #[must_use]
    #[inline]
    pub const fn core(&self) -> u8 {
        self.word().core()
    }

    /// Linear address of the load instruction.
    #[must_use]
    #[inline]
    pub const fn address(&self) -> u64 {
        self.0.address()
    }

    /// Linear address of the data, `None` if it was not recorded.
    #[must_use]
    #[inline]
    pub const fn data_address(&self) -> Option<u64> {
        if self.word().data_address_valid() { Some(self.0.extra()) } else { None }
    }

    /// Where the data came from.
    #[must_use]
    #[inline]
    pub const fn source(&self) -> DataSource {
        self.word().source()
    }

    /// Total latency of the miss in cycles.
    #[must_use]
    #[inline]
    pub const fn latency(&self) -> u32 {
        self.word().latency()
    }

    /// Whether all reserved bits are 0, the source is not a reserved one, and the data address is 0 when it is not
    /// valid.
    #[must_use]
    #[inline]
    pub const fn is_well_formed(&self) -> bool {
        self.0.reserved_bits_are_zero()
            && !matches!(self.source(), DataSource::Reserved(_))
            && (self.word().data_address_valid() || self.0.extra() == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::{DataSource, DcacheRecord, DcacheWord, EventRecord};

    // LWP-DCM-07, LWP-DCM-08, LWP-DCM-10, LWP-DCM-11, LWP-DCM-19, LWP-DCM-20, LWP-DCM-21
    #[test]
    fn words() {
        let record = DcacheRecord::new(2, 0x1000, DataSource::Dram, 0x140, Some(0xDEAD_BEE8));
        assert_eq!(record.record().words(), [0x0000_0140_7000_0203, 0x1000, 0xDEAD_BEE8, 0]);
        assert_eq!((record.core(), record.address(), record.latency()), (2, 0x1000, 0x140));
        assert_eq!(record.source(), DataSource::Dram);
        assert_eq!(record.data_address(), Some(0xDEAD_BEE8));
        assert!(record.is_well_formed());
    }

    // LWP-DCM-10, LWP-DCM-22
    #[test]
    fn no_data_address() {
        let record = DcacheRecord::new(0, 0x1000, DataSource::Other, 16, None);
        assert_eq!(record.record().words(), [0x0000_0010_E000_0003, 0x1000, 0, 0]);
        assert_eq!(record.data_address(), None);
        assert!(record.is_well_formed());
        let leaking = DcacheRecord::from_record(EventRecord::from_words([3, 0, 0x55, 0])).unwrap();
        assert_eq!(leaking.data_address(), None);
        assert!(!leaking.is_well_formed());
    }

    // LWP-DCM-09, LWP-DCM-16, LWP-DCM-23
    #[test]
    fn reserved_bits() {
        assert_eq!(DcacheWord::RESERVED, 0x0000_0000_0FFF_0000);
        for words in [[0x0800_0003, 0, 0, 0], [0x8000_0003, 0, 0, 0], [3, 0, 0, 1]] {
            assert!(!DcacheRecord::from_record(EventRecord::from_words(words)).unwrap().is_well_formed());
        }
    }
}
