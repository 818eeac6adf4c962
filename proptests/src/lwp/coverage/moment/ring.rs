//! The ring buffer: how full, of what shape, and what becomes of a record.

use crate::coverage::axis;
use lwp_model::lwp::{Block, Ring, State, StoreState};

/// Bytes of a record.
const RECORD: u32 = 32;
/// From here on a ring counts as large.
const LARGE: u32 = 4096;

axis! {
    /// How full the ring is; the first that applies.
    RingState "ring" {
        /// Full, and MissedEvents in memory lacks something.
        FullMissed = "full and owed",
        /// No further record can be published.
        Full = "full",
        /// No record.
        Empty = "empty",
        /// As many bytes as the threshold says.
        AtThreshold = "at threshold",
        /// One record less than the threshold.
        BelowThreshold = "threshold less 1",
        /// Room for one more.
        AlmostFull = "full less 1",
        /// More than the threshold.
        AboveThreshold = "above threshold",
        /// One record.
        One = "one",
        /// Anything else.
        Between = "between",
    }
}

impl RingState {
    /// The state of the ring of a running session, as the unit knows it.
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

/// Bytes in use.
fn used(block: &Block, ring: &Ring) -> u32 {
    let (head, tail) = (ring.head, ring.tail);
    if head >= tail { head - tail } else { (head + block.size) - tail }
}

/// The ring as the record that ends in this cycle found it: with the tail that was just read for it.
pub(crate) fn found(now: &State, next: &State) -> Option<RingState> {
    RingState::of(&State { ring: Ring { tail: next.ring.tail, ..now.ring }, ..*now })
}

axis! {
    /// How large the ring is.
    RingShape "shape" {
        /// Two places, one record.
        Smallest = "2 places",
        /// An odd number of places.
        Odd = "odd",
        /// An even number that is not a power of two.
        Even = "even",
        /// A power of two.
        PowerOfTwo = "power of two",
        /// At least 4096 bytes.
        Large = "large",
    }
}

impl RingShape {
    /// The shape of a ring of so many bytes.
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
    /// Where the head is.
    HeadPlace "head" {
        /// At the first place.
        First = "first place",
        /// Between.
        Inner = "inner place",
        /// At the last place: the next one wraps.
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
    /// The threshold beside what is in the ring.
    ThresholdState "threshold" {
        /// There is none.
        None = "none",
        /// More than the ring can hold.
        OutOfReach = "beyond the ring",
        /// Not yet reached.
        Ahead = "ahead",
        /// Met exactly.
        Met = "met",
        /// Exceeded.
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
    /// What becomes of a record in the end.
    RecordEnd "record" {
        /// Its head was written to memory.
        Published = "published",
        /// The head went on in the register alone.
        Deferred = "published in the register",
        /// The ring was full.
        Missed = "missed",
        /// The ring was full, and a deferred head was written.
        MissedHead = "missed after a head",
    }
}

/// What becomes of the record being stored, in the cycle in which that is decided.
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
    /// What a tail is that has just been read.
    TailMoved "tail" {
        /// As it was.
        Unmoved = "unmoved",
        /// One record on.
        One = "moved by 1",
        /// Several records on.
        Several = "moved by several",
        /// Where the head is: all was read.
        Drained = "at the head",
        /// Past the head.
        PastHead = "past the head",
        /// Outside the ring: software errs.
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
