//! A possible state of the unit, as the proposal describes it: it has no cycles, and no registers that only an
//! implementation has.

use super::bytes::{Bytes, Loaded, Session};
use super::env::{EVENTS, Env, Record, Tag};
use std::rc::Rc;

/// An event's counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Counter {
    /// At zero: the event waits for an occurrence to record.
    #[default]
    Waiting,
    /// At zero and frozen: its record is in progress.
    Recorded,
    /// Counting, with a value between the two bounds; the lower bound is at least 1.
    Counting(u32, u32),
}

/// Whether LWP is active.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    #[default]
    Off,
    /// Pointer loaded; the rest of the state is still to be loaded in ring 3.
    Deferred(Deferred),
    Active,
}

/// An initialisation or a reload that is still to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Deferred {
    /// The words that were restored, if this is a running session.
    pub(super) restored: Option<[u64; 7]>,
    pub(super) bytes: Bytes,
    pub(super) flags_written: bool,
}

/// The progress of the first record in the queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Progress {
    /// A mask of the bytes of the record that are in the ring.
    pub(super) bytes: u32,
    pub(super) tail_read: bool,
    /// The tail before it was read.
    pub(super) old_tail: Option<u32>,
    /// Whether the advanced head is in the block.
    pub(super) published: bool,
    /// Whether the record has been counted as missed.
    pub(super) missed: bool,
    /// Whether the interrupt that the record causes has been raised.
    pub(super) reported: bool,
    pub(super) interval: Option<u32>,
}

/// A crossing of the threshold for which an interrupt is due.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Crossing {
    /// The earliest time of the crossing.
    pub(super) at: u64,
    /// The earliest time at which the interrupt may rise.
    pub(super) from: u64,
    /// The time by which the interrupt has risen.
    pub(super) due: u64,
    /// Whether the crossing was restored; it then causes an interrupt whatever LWPMSR0 holds.
    pub(super) restored: bool,
    /// Whether the interrupt has been seen since.
    pub(super) noticed: bool,
}

/// A page fault that the unit has to raise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PageFault {
    pub(super) addr: u64,
    pub(super) write: bool,
    pub(super) abort: bool,
    /// Whether ring 3 has been left since, so that the fault may be dropped.
    pub(super) optional: bool,
}

/// The purpose of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// Initialisation or reload.
    Load,
    Record,
    Head,
    Tail,
    Missed,
    Interval,
}

/// One possible state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) lwpcb: u64,
    pub(super) phase: Phase,
    pub(super) session: Rc<Session>,
    pub(super) head: u32,
    pub(super) tail: u32,
    /// The head in the block, if known.
    pub(super) head_word: Option<u32>,
    /// Missed events that the block does not count yet.
    pub(super) owed: u32,
    pub(super) missed_read: Option<u64>,
    pub(super) counters: [Counter; EVENTS],
    /// Records in progress; the first is the next to be stored.
    pub(super) queue: Vec<Record>,
    pub(super) progress: Progress,
    /// The time from which the first record could be stored: its gathering, or 0 if another record was before it.
    pub(super) since: u64,
    /// Whether the core has taken the page fault of the first record, if it has met one and is to be stored before
    /// anything retires.
    pub(super) pending: Option<bool>,
    /// An access that will fail when its response comes.
    pub(super) failing: Option<(Purpose, PageFault)>,
    pub(super) fault: Option<PageFault>,
    pub(super) tag: Option<Tag>,
    /// Whether a replay is due, because data of an eligible load has returned.
    pub(super) replay_due: bool,
    /// Records that the current instruction could give.
    pub(super) candidates: [Option<Record>; EVENTS],
    /// Events whose counters the current instruction brought to zero.
    pub(super) expired: [bool; EVENTS],
    /// The number of consecutive records that were stored without a read of the tail although the threshold appeared
    /// reached.
    pub(super) skipped: u8,
    /// The event that was recorded last, if known.
    pub(super) last: Option<usize>,
    pub(super) crossings: Vec<Crossing>,
    /// Whether some of an instruction's loads have been counted and the instruction has not retired.
    pub(super) open: bool,
    /// The state before the current instruction, which an abort restores.
    pub(super) before: Option<Rc<State>>,
    /// The register of the LFSR, which belongs to the core and not to the session; `None` if it is not known.
    pub(super) lfsr: Option<u32>,
    /// The words of a context that is being restored; `None` if the restored words may contain remains of an earlier
    /// session.
    pub(super) staged: Option<[u64; 7]>,
    /// The reason why the state is lost: the core did something for which the text defines no meaning.
    pub(super) lost: Option<&'static str>,
}

impl State {
    /// Returns the state after reset.
    pub(super) fn fresh() -> Self {
        Self { staged: Some([0; 7]), lfsr: Some(0), ..Self::default() }
    }

    /// Begins a session.
    pub(super) fn start(&mut self, loaded: Loaded) {
        self.phase = Phase::Active;
        (self.head, self.tail, self.head_word) = (loaded.head, loaded.tail, Some(loaded.head_word & !31));
        for (counter, value) in self.counters.iter_mut().zip(loaded.counters) {
            *counter = Counter::from(value);
        }
        self.session = Rc::new(loaded.session);
    }

    /// Ends a session, or leaves none active. Page faults, interrupts and the LFSR are independent of the session and
    /// are kept.
    pub(super) fn stop(&mut self) {
        let (fault, crossings) = (self.fault.take(), core::mem::take(&mut self.crossings));
        *self = Self { fault, crossings, lfsr: self.lfsr, lost: self.lost, ..Self::default() };
    }

    /// Removes the first record, stored or not.
    pub(super) fn pop(&mut self, counter: Counter) {
        let record = self.queue.remove(0);
        self.counters[record.event] = counter;
        (self.progress, self.pending, self.since) = (Progress::default(), None, 0);
    }

    /// Removes the first record after it has been stored or missed: its counter is reloaded, so the LFSR advances.
    pub(super) fn reset(&mut self, env: &Env, counter: Counter) {
        self.lfsr = self.lfsr.map(|register| advanced(register, env.straps.lfsr_seed));
        self.pop(counter);
    }

    /// Drops all records but the first `keep`; their events wait for another occurrence.
    pub(super) fn drop_records(&mut self, keep: usize) {
        while self.queue.len() > keep {
            if let Some(record) = self.queue.pop() {
                self.counters[record.event] = Counter::Waiting;
            }
        }
        if keep == 0 {
            if self.progress.tail_read {
                // The tail has been read, whatever became of the record.
                self.skipped = 0;
            }
            if self.progress.missed && self.owed > 0 {
                self.owed -= 1;
            }
            (self.progress, self.pending, self.since) = (Progress::default(), None, 0);
        }
    }

    /// Whether a session is active.
    pub(super) fn active(&self) -> bool {
        self.phase == Phase::Active
    }

    /// Whether the event is counted now.
    pub(super) fn live(&self, env: &Env, event: usize) -> bool {
        self.active() && env.live(&self.session, event)
    }
}

/// Returns the LFSR's register after a reload: sixteen steps (AMB-19) with the polynomial of the book. A register of 0
/// stands for the seed.
fn advanced(register: u32, seed: u32) -> u32 {
    let start = if register == 0 { seed } else { register };
    (0..16).fold(start, |word, _| if word & 1 == 1 { word >> 1 ^ 0x8020_0003 } else { word >> 1 })
}

impl From<u32> for Counter {
    fn from(value: u32) -> Self {
        if value == 0 { Self::Waiting } else { Self::Counting(value, value) }
    }
}

impl Counter {
    /// Whether the counter may hold this value.
    pub(super) fn may_be(self, value: u32) -> bool {
        match self {
            Self::Waiting | Self::Recorded => value == 0,
            Self::Counting(least, most) => (least..=most).contains(&value),
        }
    }

    /// Returns the counter after it has been seen to hold this value.
    pub(super) fn seen(self, value: u32) -> Self {
        match self {
            Self::Counting(..) => Self::Counting(value, value),
            zero => zero,
        }
    }
}
