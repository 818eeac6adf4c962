//! Why a control block is refused.

use super::{CapsError, EventId, MAX_SLOTS, SizeWord};
use core::fmt;

/// Why a control block is refused: one variant per rule. `Display` says what was wrong and what to do.
///
/// Source of the rules: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Table 4, where the document
/// says "must" or "invalid"; the limits that follow from field widths are this project's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum LwpcbError {
    /// The capabilities themselves are not those of a version 1 implementation.
    Caps(CapsError),
    /// The buffer has no size: none was given, or 0.
    BufferSizeZero,
    /// The buffer's size is not a multiple of 32.
    BufferSizeNotMultiple {
        /// The size, in bytes.
        size: u32,
    },
    /// The buffer holds one record only, and one slot always stays free.
    BufferOneRecord,
    /// The buffer's size does not fit in 28 bits.
    BufferTooLarge {
        /// The size, in bytes.
        size: u32,
    },
    /// The buffer's base is not a multiple of 32.
    BufferBaseMisaligned {
        /// The base.
        base: u64,
    },
    /// The buffer would end beyond the last address.
    BufferWraps {
        /// The base.
        base: u64,
        /// The size, in bytes.
        size: u32,
    },
    /// The head is not a multiple of 32.
    HeadMisaligned {
        /// The head, in bytes.
        head: u32,
    },
    /// The head is not below the buffer's size.
    HeadOutOfRange {
        /// The head, in bytes.
        head: u32,
        /// The buffer's size, in bytes.
        size: u32,
    },
    /// The tail is not a multiple of 32.
    TailMisaligned {
        /// The tail, in bytes.
        tail: u32,
    },
    /// The tail is not below the buffer's size.
    TailOutOfRange {
        /// The tail, in bytes.
        tail: u32,
        /// The buffer's size, in bytes.
        size: u32,
    },
    /// The threshold is not a multiple of 32, so the used space would never equal it.
    ThresholdNotMultiple {
        /// The threshold, in bytes.
        threshold: u32,
    },
    /// The threshold is not below the buffer's size, so the used space would never equal it.
    ThresholdOutOfRange {
        /// The threshold, in bytes; saturated if it was given in records and does not fit.
        threshold: u32,
        /// The buffer's size, in bytes.
        size: u32,
    },
    /// More random bits than the field can say.
    RandomTooLarge {
        /// The number of bits.
        bits: u8,
    },
    /// The interval does not fit in 26 bits.
    IntervalTooLarge {
        /// The event.
        event: EventId,
        /// The interval, in events.
        interval: u32,
    },
    /// The counter does not fit in 26 bits.
    CounterTooLarge {
        /// The event.
        event: EventId,
        /// The counter, in events.
        counter: u32,
    },
    /// Two slots select the same event.
    DuplicateEvent {
        /// The event.
        event: EventId,
    },
    /// More events than the implementation has slots.
    TooManyEvents {
        /// The number of slots.
        slots: u8,
    },
    /// The slot number does not exist on this implementation.
    NoSuchSlot {
        /// The slot asked for, from 0.
        slot: usize,
        /// The number of slots.
        slots: u8,
    },
    /// The identifier does not fit in the 6 bits of a slot.
    EventNotSelectable {
        /// The event.
        event: EventId,
    },
    /// The event is not enabled, so hardware would silently not count it.
    EventNotEnabled {
        /// The event.
        event: EventId,
    },
    /// No slot selects an event, so hardware would not become active.
    NoEvents,
    /// A filter by level is asked for and the implementation has none.
    LevelFilterUnsupported,
    /// A filter by level is asked for that lets nothing through.
    LevelFilterEmpty,
    /// A filter by latency is asked for and the implementation has none.
    LatencyFilterUnsupported,
    /// A reserved bit of the filter word or of a counter word is set.
    ReservedBits {
        /// Offset of the word in the block, in bytes.
        offset: usize,
        /// The reserved bits that are set.
        bits: u32,
    },
}

impl From<CapsError> for LwpcbError {
    fn from(error: CapsError) -> Self {
        Self::Caps(error)
    }
}

impl fmt::Display for LwpcbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Caps(error) => write!(f, "capabilities unusable: {error}"),
            Self::RandomTooLarge { bits } => {
                write!(f, "{bits} random bits asked for; at most {} fit", SizeWord::MAX_RANDOM)
            }
            Self::LevelFilterUnsupported => {
                f.write_str("CLF set, but CPUID says LWPCacheLevels = 0; filter by latency or clear CLF")
            }
            Self::LevelFilterEmpty => {
                f.write_str("CLF set with none of NBC, RDC, RAM, OTH; no miss would ever count, set one or clear CLF")
            }
            Self::LatencyFilterUnsupported => {
                f.write_str("MinLatency set, but CPUID says LWPCacheLatency = 0; filter by level or set it to 0")
            }
            Self::ReservedBits { offset, bits } => {
                write!(f, "reserved bits {bits:#010x} set in the word at offset {offset}; clear them")
            }
            Self::BufferSizeZero
            | Self::BufferSizeNotMultiple { .. }
            | Self::BufferOneRecord
            | Self::BufferTooLarge { .. }
            | Self::BufferBaseMisaligned { .. }
            | Self::BufferWraps { .. } => self.fmt_buffer(f),
            Self::HeadMisaligned { .. }
            | Self::HeadOutOfRange { .. }
            | Self::TailMisaligned { .. }
            | Self::TailOutOfRange { .. }
            | Self::ThresholdNotMultiple { .. }
            | Self::ThresholdOutOfRange { .. } => self.fmt_offsets(f),
            _ => self.fmt_events(f),
        }
    }
}

impl LwpcbError {
    fn fmt_buffer(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BufferSizeZero => f.write_str("no event buffer; give one of at least 64 bytes"),
            Self::BufferSizeNotMultiple { size } => {
                write!(f, "buffer of {size} bytes is not a whole number of 32-byte records; round it down")
            }
            Self::BufferOneRecord => f.write_str(
                "a buffer of one record can never hold one, a slot always stays free; give at least 64 bytes",
            ),
            Self::BufferTooLarge { size } => {
                write!(f, "buffer of {size} bytes; give at most {} bytes", SizeWord::MAX_BUFFER_SIZE)
            }
            Self::BufferBaseMisaligned { base } => {
                write!(f, "buffer at {base:#x} is misaligned; place it on a 32-byte boundary")
            }
            Self::BufferWraps { base, size } => {
                write!(f, "buffer at {base:#x} of {size} bytes leaves the address space; move or shrink it")
            }
            _ => unreachable_text(f),
        }
    }

    fn fmt_offsets(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HeadMisaligned { head } => {
                write!(f, "head {head:#x} is not a multiple of 32; start a new session with 0")
            }
            Self::HeadOutOfRange { head, size } => {
                write!(f, "head {head:#x} lies outside the buffer of {size:#x} bytes; start with 0")
            }
            Self::TailMisaligned { tail } => {
                write!(f, "tail {tail:#x} is not a multiple of 32; start a new session with 0")
            }
            Self::TailOutOfRange { tail, size } => {
                write!(f, "tail {tail:#x} lies outside the buffer of {size:#x} bytes; start with 0")
            }
            Self::ThresholdNotMultiple { threshold } => {
                write!(f, "threshold {threshold} is not a multiple of 32 and would never be met; count records")
            }
            Self::ThresholdOutOfRange { threshold, size } => {
                write!(f, "threshold {threshold} would never be met; keep it below the buffer's {size} bytes")
            }
            _ => unreachable_text(f),
        }
    }

    fn fmt_events(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IntervalTooLarge { event, interval } => {
                write!(f, "interval {interval} of {event} needs more than 26 bits; use less than {}", 1 << 26)
            }
            Self::CounterTooLarge { event, counter } => {
                write!(f, "counter {counter} of {event} needs more than 26 bits; use less than {}", 1 << 26)
            }
            Self::DuplicateEvent { event } => {
                write!(f, "{event} selected by two slots; select each event once")
            }
            Self::TooManyEvents { slots } => {
                write!(f, "more events than the {slots} slots of this processor (never over {MAX_SLOTS}); drop some")
            }
            Self::NoSuchSlot { slot, slots } => {
                write!(f, "slot {slot} does not exist; this processor has slots 0 to {}", slots.saturating_sub(1))
            }
            Self::EventNotSelectable { event } => {
                write!(f, "{event} does not fit in a slot; only events 1 to 63 can be selected")
            }
            Self::EventNotEnabled { event } => {
                write!(f, "{event} is not enabled and would not be counted; have the system enable it or drop it")
            }
            Self::NoEvents => f.write_str("no event selected, LWP would stay inactive; select one"),
            _ => unreachable_text(f),
        }
    }
}

fn unreachable_text(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // The caller has sorted the variants; a forgotten one must still not panic in firmware.
    f.write_str("control block refused")
}

impl core::error::Error for LwpcbError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Caps(error) => Some(error),
            _ => None,
        }
    }
}
