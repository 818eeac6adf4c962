//! The ring buffer: its fill level, its shape, and the endings of records.

use crate::coverage::axis;
use lwp_model::lwp::{Block, Ring, State, StoreState};

/// The number of bytes in a record.
const RECORD: u32 = 32;
/// The least number of bytes in a ring that counts as large.
const LARGE: u32 = 4096;

axis! {
    /// The fill level of the ring; the first value that applies.
    RingState "ring" {
        /// Full, and missed events are owed to memory.
        FullMissed = "full and owed",
        /// Full: no further record can be published.
        Full = "full",
        /// No record.
        Empty = "empty",
        /// As many bytes in use as the threshold.
        AtThreshold = "at threshold",
        /// One record less than the threshold.
        BelowThreshold = "threshold less 1",
        /// Space for one more record.
        AlmostFull = "full less 1",
        /// More than the threshold.
        AboveThreshold = "above threshold",
        /// One record.
        One = "one",
        /// Any other level.
        Between = "between",
    }
}

impl RingState {
    /// Returns the state of the ring of a running session, from the unit's copies of head and tail.
    #[must_use]
    pub fn of(state: &State) -> Option<Self> {
        let (block, ring) = (&state.block, &state.ring);
        if !state.session.active || block.size < 2 * RECORD {
            return None;
        }
        let (used, threshold) = (used(block, ring), block.threshold);
        Some(match used {
            _ if used == block.size - RECORD && ring.missed != 0 => Self::FullMissed,
            _ if used == block.size - RECORD => Self::Full,
            0 => Self::Empty,
            _ if used == threshold => Self::AtThreshold,
            _ if used + RECORD == threshold => Self::BelowThreshold,
            _ if used == block.size - 2 * RECORD => Self::AlmostFull,
            _ if threshold != 0 && used > threshold => Self::AboveThreshold,
            RECORD => Self::One,
            _ => Self::Between,
        })
    }
}

/// Returns the number of bytes in use.
fn used(block: &Block, ring: &Ring) -> u32 {
    let (head, tail) = (ring.head, ring.tail);
    if head >= tail { head - tail } else { (head + block.size) - tail }
}

/// Returns the state of the ring as the record that ends in this cycle found it: with the tail that was just read for
/// the record.
pub(crate) fn found(now: &State, next: &State) -> Option<RingState> {
    RingState::of(&State { ring: Ring { tail: next.ring.tail, ..now.ring }, ..*now })
}

axis! {
    /// The size of the ring.
    RingShape "shape" {
        /// Two entries, which hold one record.
        Smallest = "2 places",
        /// An odd number of entries.
        Odd = "odd",
        /// An even number of entries that is not a power of two.
        Even = "even",
        /// A number of entries that is a power of two.
        PowerOfTwo = "power of two",
        /// At least 4096 bytes.
        Large = "large",
    }
}

impl RingShape {
    /// Returns the shape of a ring of this many bytes.
    pub(crate) const fn of(size: u32) -> Self {
        let places = size / RECORD;
        match places {
            2 => Self::Smallest,
            _ if size >= LARGE => Self::Large,
            _ if places % 2 == 1 => Self::Odd,
            _ if places.is_power_of_two() => Self::PowerOfTwo,
            _ => Self::Even,
        }
    }
}

axis! {
    /// The position of the head.
    HeadPlace "head" {
        /// At the first entry.
        First = "first place",
        /// At an inner entry.
        Inner = "inner place",
        /// At the last entry: the next advance wraps.
        Last = "last place",
    }
}

impl HeadPlace {
    pub(crate) const fn of(state: &State) -> Self {
        if state.ring.head == 0 {
            Self::First
        } else if state.ring.head + RECORD == state.block.size {
            Self::Last
        } else {
            Self::Inner
        }
    }
}

axis! {
    /// The threshold, compared with the space used.
    ThresholdState "threshold" {
        /// No threshold.
        None = "none",
        /// A threshold of more than the ring can hold.
        OutOfReach = "beyond the ring",
        /// A threshold that is not yet reached.
        Ahead = "ahead",
        /// A threshold that is met exactly.
        Met = "met",
        /// A threshold that is exceeded.
        Exceeded = "exceeded",
    }
}

impl ThresholdState {
    pub(crate) fn of(state: &State) -> Self {
        let block = &state.block;
        match (block.threshold, used(block, &state.ring)) {
            (0, _) => Self::None,
            (threshold, _) if threshold >= block.size => Self::OutOfReach,
            (threshold, used) if used < threshold => Self::Ahead,
            (threshold, used) if used == threshold => Self::Met,
            _ => Self::Exceeded,
        }
    }
}

axis! {
    /// The ending of a record.
    RecordEnd "record" {
        /// The head was written to memory.
        Published = "published",
        /// The head advanced in the register only.
        Deferred = "published in the register",
        /// The ring was full.
        Missed = "missed",
        /// The ring was full, and a deferred head was written.
        MissedHead = "missed after a head",
    }
}

/// Returns the ending of the record being stored, in the cycle in which it is decided.
pub(crate) fn record_end(now: &State, next: &State) -> Option<RecordEnd> {
    Some(match (now.store.st, next.store.st) {
        (StoreState::Head, StoreState::Report) => RecordEnd::Published,
        (StoreState::Write | StoreState::Tail, StoreState::Report) => RecordEnd::Deferred,
        (StoreState::Tail, StoreState::Reset) => RecordEnd::Missed,
        (StoreState::FullHead, StoreState::Reset) => RecordEnd::MissedHead,
        _ => return None,
    })
}

axis! {
    /// The movement of a tail that has just been read.
    TailMoved "tail" {
        /// Unchanged.
        Unmoved = "unmoved",
        /// One record further.
        One = "moved by 1",
        /// Several records further.
        Several = "moved by several",
        /// At the head: all records were read.
        Drained = "at the head",
        /// Past the head.
        PastHead = "past the head",
        /// Outside the ring, through an error of the software.
        Outside = "outside the ring",
        /// Not at the beginning of a record.
        Unaligned = "unaligned",
    }
}

impl TailMoved {
    pub(crate) fn of(state: &State, read: u32) -> Self {
        let (size, ring) = (state.block.size, &state.ring);
        let aligned = read & !(RECORD - 1);
        if aligned >= size {
            return Self::Outside;
        }
        if aligned != read {
            return Self::Unaligned;
        }
        if read == ring.tail {
            return Self::Unmoved;
        }
        if read == ring.head {
            return Self::Drained;
        }
        let moved = (read + size - ring.tail) % size;
        match moved {
            _ if moved > used(&state.block, ring) => Self::PastHead,
            RECORD => Self::One,
            _ => Self::Several,
        }
    }
}
