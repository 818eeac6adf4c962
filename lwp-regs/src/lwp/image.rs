//! The control block as plain data, with nothing checked.

use super::{CounterWord, FilterWord, MAX_SLOTS, SizeWord, SlotWord, lwpcb_bytes, offset};
use crate::bits::{U6, U26};

/// Bytes of a control block with all 26 slots: 248.
pub const LWPCB_MAX_BYTES: usize = lwpcb_bytes(MAX_SLOTS);

/// One slot of a control block: two words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SlotImage {
    /// EventInterval and EventId.
    pub word: SlotWord,
    /// EventCounter.
    pub counter: CounterWord,
}

impl SlotImage {
    /// A slot from raw values; each keeps only the bits its field has (26, 6 and 26).
    #[must_use]
    #[inline]
    pub const fn new(interval: u32, event_id: u8, counter: u32) -> Self {
        Self {
            word: SlotWord::new().with_interval(U26::masked(interval)).with_event_id(U6::masked(event_id)),
            counter: CounterWord::new().with_counter(U26::masked(counter)),
        }
    }
}

/// A control block as plain data: every bit of it can be set to anything, good or bad, and survives the way to memory
/// and back. To make only good ones, use [`LwpcbBuilder`](super::LwpcbBuilder).
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Table 4; offsets as in [`offset`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LwpcbImage {
    /// Flags; see [`FlagsWord`](super::FlagsWord).
    pub flags: u32,
    /// BufferSize and Random.
    pub size: SizeWord,
    /// BufferBase: linear address of the ring buffer.
    pub base: u64,
    /// BufferHeadOffset: where hardware stores the next record, in bytes from the base.
    pub head: u32,
    /// BufferTailOffset: the oldest record, in bytes from the base.
    pub tail: u32,
    /// MissedEvents: events that found the buffer full.
    pub missed: u64,
    /// Threshold: bytes of used space at which to interrupt, 0 for never.
    pub threshold: u32,
    /// Filters.
    pub filter: FilterWord,
    /// The slots; a block has as many of them as LWPMaxEvents says.
    pub slots: [SlotImage; MAX_SLOTS],
}

impl LwpcbImage {
    /// A block of zeros.
    #[must_use]
    #[inline]
    pub const fn zeroed() -> Self {
        Self {
            flags: 0,
            size: SizeWord::from_bits(0),
            base: 0,
            head: 0,
            tail: 0,
            missed: 0,
            threshold: 0,
            filter: FilterWord::from_bits(0),
            slots: [SlotImage { word: SlotWord::from_bits(0), counter: CounterWord::from_bits(0) }; MAX_SLOTS],
        }
    }

    /// The bytes of a block with all 26 slots, as they lie in memory.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; LWPCB_MAX_BYTES] {
        let mut out = [0; LWPCB_MAX_BYTES];
        let mut put = |at: usize, bytes: &[u8]| out[at..at + bytes.len()].copy_from_slice(bytes);
        put(offset::FLAGS, &self.flags.to_le_bytes());
        put(offset::SIZE, &self.size.into_bits().to_le_bytes());
        put(offset::BASE, &self.base.to_le_bytes());
        put(offset::HEAD, &self.head.to_le_bytes());
        put(offset::TAIL, &self.tail.to_le_bytes());
        put(offset::MISSED, &self.missed.to_le_bytes());
        put(offset::THRESHOLD, &self.threshold.to_le_bytes());
        put(offset::FILTER, &self.filter.into_bits().to_le_bytes());
        for (i, slot) in self.slots.iter().enumerate() {
            put(offset::slot(i), &slot.word.into_bits().to_le_bytes());
            put(offset::counter(i), &slot.counter.into_bits().to_le_bytes());
        }
        out
    }

    /// The block that these bytes are.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; LWPCB_MAX_BYTES]) -> Self {
        let word = |at: usize| u32::from_le_bytes(core::array::from_fn(|i| bytes[at + i]));
        let quad = |at: usize| u64::from_le_bytes(core::array::from_fn(|i| bytes[at + i]));
        Self {
            flags: word(offset::FLAGS),
            size: SizeWord::from_bits(word(offset::SIZE)),
            base: quad(offset::BASE),
            head: word(offset::HEAD),
            tail: word(offset::TAIL),
            missed: quad(offset::MISSED),
            threshold: word(offset::THRESHOLD),
            filter: FilterWord::from_bits(word(offset::FILTER)),
            slots: core::array::from_fn(|i| SlotImage {
                word: SlotWord::from_bits(word(offset::slot(i))),
                counter: CounterWord::from_bits(word(offset::counter(i))),
            }),
        }
    }

    /// Writes the header and the first `slots` slots to the start of `out`, and nothing behind them.
    ///
    /// # Panics
    ///
    /// If `slots` is above 26 or `out` is shorter than [`lwpcb_bytes(slots)`](lwpcb_bytes).
    pub fn write_bytes(&self, slots: usize, out: &mut [u8]) {
        let len = lwpcb_bytes(slots);
        out[..len].copy_from_slice(&self.to_bytes()[..len]);
    }

    /// Reads a block with `slots` slots from the start of `bytes`; the other slots are zero.
    ///
    /// # Panics
    ///
    /// If `slots` is above 26 or `bytes` is shorter than [`lwpcb_bytes(slots)`](lwpcb_bytes).
    #[must_use]
    pub fn read_bytes(slots: usize, bytes: &[u8]) -> Self {
        let len = lwpcb_bytes(slots);
        let mut all = [0; LWPCB_MAX_BYTES];
        all[..len].copy_from_slice(&bytes[..len]);
        Self::from_bytes(&all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // LWP-LCB-33, LWP-LCB-34, LWP-LCB-35, LWP-LCB-36, LWP-LCB-37, LWP-LCB-38, LWP-LCB-39, LWP-LCB-40: each field at
    // its bytes
    #[test]
    fn layout_in_memory() {
        let image = LwpcbImage {
            flags: 0x0000_0001,
            size: SizeWord::from_bits(0x4000_1000),
            base: 0x0000_7F00_1234_5000,
            head: 0x60,
            tail: 0x20,
            missed: 0x0102_0304_0506_0708,
            threshold: 0x800,
            filter: FilterWord::from_bits(0x2100),
            ..LwpcbImage::zeroed()
        };
        let mut image = image;
        image.slots[0] = SlotImage::new(1000, 2, 999);
        #[rustfmt::skip]
        let expected = [
            0x01, 0x00, 0x00, 0x00, // 0: Flags
            0x00, 0x10, 0x00, 0x40, // 4: BufferSize 4096, Random 4
            0x00, 0x50, 0x34, 0x12, 0x00, 0x7F, 0x00, 0x00, // 8: BufferBase
            0x60, 0x00, 0x00, 0x00, // 16: BufferHeadOffset
            0x20, 0x00, 0x00, 0x00, // 20: BufferTailOffset
            0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, // 24: MissedEvents
            0x00, 0x08, 0x00, 0x00, // 32: Threshold
            0x00, 0x21, 0x00, 0x00, // 36: CLF, NDB
            0xE8, 0x03, 0x00, 0x08, // 40: EventInterval0 1000, EventId0 2
            0xE7, 0x03, 0x00, 0x00, // 44: EventCounter0 999
        ];
        let mut bytes = [0xAA; 50];
        image.write_bytes(1, &mut bytes);
        assert_eq!(bytes[..48], expected);
        assert_eq!(bytes[48..], [0xAA; 2], "nothing behind the block is touched");
        assert_eq!(LwpcbImage::read_bytes(1, &bytes), image);
    }

    #[test]
    #[should_panic(expected = "range")]
    fn a_short_buffer_is_a_programming_error() {
        LwpcbImage::zeroed().write_bytes(1, &mut [0; 47]);
    }
}
