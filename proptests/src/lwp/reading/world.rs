//! One possible state of the unit, as the proposal describes it: no cycles, no registers that only an implementation has.

use super::bytes::{Bytes, Loaded, Session};
use super::env::{EVENTS, Env, Record, Tag};
use std::rc::Rc;

/// An event's counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Counter {
    /// At zero: the event waits for an occurrence to record.
    #[default]
    Waiting,
    /// At zero, frozen: its record is on the way.
    Recorded,
    /// Counting, with a value from the first to the second bound, at least 1.
    Counting(u32, u32),
}

/// Whether LWP is active.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    #[default]
    Off,
    /// There is a pointer, but the rest of the state has still to be loaded, in ring 3.
    Deferred(Deferred),
    Active,
}

/// An initialisation or a reload that is still to come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Deferred {
    /// The words that were restored, if this is a running session.
    pub(super) restored: Option<[u64; 7]>,
    pub(super) bytes: Bytes,
    pub(super) flags_written: bool,
}

/// What has been done for the first record in the queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Progress {
    /// Bytes of the record that are in the ring.
    pub(super) bytes: u32,
    pub(super) tail_read: bool,
    /// The tail before it was read.
    pub(super) old_tail: Option<u32>,
    /// The advanced head is in the block.
    pub(super) published: bool,
    /// It has been counted as missed.
    pub(super) missed: bool,
    /// The interrupt that it causes has come.
    pub(super) reported: bool,
    pub(super) interval: Option<u32>,
}

/// A crossing of the threshold for which an interrupt is due.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Crossing {
    /// When it was, at the earliest.
    pub(super) at: u64,
    /// The interrupt may rise from here
    pub(super) from: u64,
    /// and has risen by then.
    pub(super) due: u64,
    /// It was restored, whatever LWPMSR0 says.
    pub(super) restored: bool,
    /// The interrupt has been seen since.
    pub(super) noticed: bool,
}

/// A page fault that the unit has to raise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PageFault {
    pub(super) addr: u64,
    pub(super) write: bool,
    pub(super) abort: bool,
    /// Ring 3 has been left since; it may be dropped.
    pub(super) optional: bool,
}

/// What an access is for.
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
pub(super) struct World {
    pub(super) lwpcb: u64,
    pub(super) phase: Phase,
    pub(super) session: Rc<Session>,
    pub(super) head: u32,
    pub(super) tail: u32,
    /// Head in the block, where known.
    pub(super) head_word: Option<u32>,
    /// Missed events that the block does not count yet.
    pub(super) owed: u32,
    pub(super) missed_read: Option<u64>,
    pub(super) counters: [Counter; EVENTS],
    /// Records on their way, the one to be stored next first.
    pub(super) queue: Vec<Record>,
    pub(super) progress: Progress,
    /// When the first record was gathered, unless another one was before it.
    pub(super) since: u64,
    /// The first record has met a page fault and is to be stored before anything retires; set to `true` once the core
    /// has taken the fault.
    pub(super) pending: Option<bool>,
    /// An access that fails when it is answered.
    pub(super) failing: Option<(Purpose, PageFault)>,
    pub(super) fault: Option<PageFault>,
    pub(super) tag: Option<Tag>,
    /// A replay is due: data of an eligible load has returned.
    pub(super) replay_due: bool,
    /// Records that the instruction in hand could give.
    pub(super) candidates: [Option<Record>; EVENTS],
    /// Events whose counter this instruction brought to zero.
    pub(super) expired: [bool; EVENTS],
    /// Records that were stored without looking at the tail, with the threshold apparently reached.
    pub(super) skipped: u8,
    /// The event recorded last, if known.
    pub(super) last: Option<usize>,
    pub(super) crossings: Vec<Crossing>,
    /// Some of an instruction's loads have been counted.
    pub(super) open: bool,
    /// The state before the instruction in hand, to which a fault leads back.
    pub(super) before: Option<Rc<World>>,
    /// The LFSR's register, which belongs to the core and not to the session; `None` if it is not known.
    pub(super) lfsr: Option<u32>,
    /// Words of a context that is being restored; `None` if what an earlier session left behind may shine through.
    pub(super) staged: Option<[u64; 7]>,
    /// The core did what the text gives no meaning to.
    pub(super) lost: Option<&'static str>,
}

impl World {
    /// The state after reset.
    pub(super) fn fresh() -> Self {
        Self { staged: Some([0; 7]), lfsr: Some(0), ..Self::default() }
    }

    /// A session begins.
    pub(super) fn start(&mut self, loaded: Loaded) {
        self.phase = Phase::Active;
        (self.head, self.tail, self.head_word) = (loaded.head, loaded.tail, Some(loaded.head_word & !31));
        for (counter, value) in self.counters.iter_mut().zip(loaded.counters) {
            *counter = Counter::from(value);
        }
        self.session = Rc::new(loaded.session);
    }

    /// A session ends, or none begins. Page faults, interrupts and the LFSR stand on their own.
    pub(super) fn stop(&mut self) {
        let (fault, crossings) = (self.fault.take(), core::mem::take(&mut self.crossings));
        *self = Self { fault, crossings, lfsr: self.lfsr, lost: self.lost, ..Self::default() };
    }

    /// The first record is gone, stored or not.
    pub(super) fn pop(&mut self, counter: Counter) {
        let record = self.queue.remove(0);
        self.counters[record.event] = counter;
        (self.progress, self.pending, self.since) = (Progress::default(), None, 0);
    }

    /// The first record has been stored or missed: its counter is reloaded, so the LFSR advances.
    pub(super) fn reset(&mut self, env: &Env, counter: Counter) {
        self.lfsr = self.lfsr.map(|register| advanced(register, env.straps.lfsr_seed));
        self.pop(counter);
    }

    /// All records but the first `keep` are given up; their events wait for another occurrence.
    pub(super) fn drop_records(&mut self, keep: usize) {
        while self.queue.len() > keep {
            if let Some(record) = self.queue.pop() {
                self.counters[record.event] = Counter::Waiting;
            }
        }
        if keep == 0 {
            if self.progress.tail_read {
                // The tail has been looked at, whatever became of the record.
                self.skipped = 0;
            }
            if self.progress.missed && self.owed > 0 {
                self.owed -= 1;
            }
            (self.progress, self.pending, self.since) = (Progress::default(), None, 0);
        }
    }

    /// Pointer and records that go on with an active session.
    pub(super) fn active(&self) -> bool {
        self.phase == Phase::Active
    }

    /// The event is counted now.
    pub(super) fn live(&self, env: &Env, event: usize) -> bool {
        self.active() && env.live(&self.session, event)
    }
}

/// AMB-19, with the polynomial of the book: sixteen steps for a reload; a register of 0 stands for the seed.
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

    /// The counter has been seen to hold this value.
    pub(super) fn seen(self, value: u32) -> Self {
        match self {
            Self::Counting(..) => Self::Counting(value, value),
            zero => zero,
        }
    }
}
