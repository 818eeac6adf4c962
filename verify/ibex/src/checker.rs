//! Decides what each record must be, from RVFI and the bus alone.
//!
//! The checker counts the instructions of the program itself. It predicts which one is recorded next, and compares the
//! record that arrives in memory with it, word by word. It learns from the bus when the record is complete, which is when
//! the event can be counted again; [`Timing`] has the distances in cycles. So each interval is checked exactly, not within
//! a tolerance.
//!
//! Source: docs/src/lwp/count-gather.md and store.md for the rules, with the straps of `ConfigRvfi`.

use crate::instruction::{Kind, kind, length};
use crate::record::{self, BYTES, WORDS, Words};
use crate::trace::{Access, Event, Shown};
use std::collections::VecDeque;
use std::ops::Range;

mod totals;

pub use totals::Totals;

/// Cycles between what the bus shows and the instructions on RVFI that it affects. RVFI reaches the unit one cycle later.
struct Timing;

impl Timing {
    /// From the response to the write of Flags to the first instruction that counts.
    const START: u32 = 0;
    /// From the response to the write of the head (report, reset) to the first instruction that counts again.
    const PUBLISHED: u32 = 2;
    /// From the response to the read of the tail, if the ring is full (reset), to the first instruction that counts again.
    const FULL: u32 = 1;
}

/// Differences that are kept as text; the others are counted.
const KEPT: usize = 10;
/// Cycles within which a crossing of the threshold must lead to the interrupt, on a bus that grants in every cycle.
const INTERRUPT_WITHIN: u32 = 2000;

/// What the program asked of the unit, and where things are.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Address of the control block.
    pub block: u32,
    /// Address of the ring.
    pub ring: u32,
    /// Bytes of the ring.
    pub ring_bytes: u32,
    /// Bytes in the ring at which the unit interrupts; 0: it does not.
    pub threshold: u32,
    /// Interval of each event; 0: not recorded.
    pub intervals: [u32; 3],
    /// Addresses whose loads are misses.
    pub far: Range<u32>,
    /// Latency of each miss.
    pub latency: u32,
    /// Address at which the handler of the interrupt begins.
    pub handler: u32,
    /// Instructions of user mode alone are counted; else all.
    pub user_mode: bool,
    /// The bus grants in one cycle of so many.
    pub every: u32,
}

/// Where the session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Loading,
    Active,
    Ended,
}

/// An event of the session.
#[derive(Clone, Copy, Debug)]
struct Counter {
    left: u32,
    counts_from: u32,
}

/// A record between its instruction and its end.
#[derive(Clone, Debug)]
struct Flight {
    event: usize,
    record: Words,
    arrived: [Option<u32>; WORDS],
    full_at: Option<u32>,
}

/// The checker: give it every event of a run with [`Checker::event`], then ask for [`Checker::finish`].
#[derive(Clone, Debug)]
pub struct Checker {
    setup: Setup,
    phase: Phase,
    outside: bool,
    counters: [Counter; 3],
    free_from: u32,
    head: u32,
    tail: u32,
    flight: Option<Flight>,
    published: VecDeque<Words>,
    drained: Vec<u32>,
    crossed: Option<u32>,
    waiting: u64,
    totals: Totals,
}

impl Checker {
    /// Creates the checker of a run that begins at reset.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let counters = setup.intervals.map(|left| Counter { left, counts_from: 0 });
        Self {
            setup,
            phase: Phase::Loading,
            outside: true,
            counters,
            free_from: 0,
            head: 0,
            tail: 0,
            flight: None,
            published: VecDeque::new(),
            drained: Vec::new(),
            crossed: None,
            waiting: 0,
            totals: Totals::default(),
        }
    }

    /// Returns whether instructions of machine mode count.
    #[must_use]
    pub fn counts_machine_mode(&self) -> bool {
        !self.setup.user_mode
    }

    /// Takes the next event. Events of the unit come before the instruction of the same cycle.
    pub fn event(&mut self, event: Event) {
        match event {
            Event::Retire(shown) => self.shown(&shown),
            Event::Unit(access) => self.access(&access),
            Event::Device { cycle, register, data } => self.device(cycle, register, data),
            Event::End(end) => {
                self.totals.cycles = u64::from(end.cycle);
                self.totals.nanoseconds = end.nanoseconds;
                if !end.ended {
                    self.difference(end.cycle, "the program did not end");
                }
            }
        }
    }

    /// Checks what must be true at the end, and returns the totals.
    #[must_use]
    pub fn finish(mut self) -> Totals {
        let cycle = u32::try_from(self.totals.cycles).unwrap_or(u32::MAX);
        if self.setup.intervals != [0; 3] {
            if self.phase != Phase::Ended {
                self.difference(cycle, "the session did not end: the unit has not written its counters");
            }
            let lost = self.published.len() + self.drained.len();
            if lost != 0 {
                self.difference(cycle, &format!("{lost} records and words were published, but the kernel has not taken them"));
            }
        }
        if self.totals.exit != Some(0) {
            let text = format!("the program ended with {:?}, not 0", self.totals.exit);
            self.difference(cycle, &text);
        }
        self.totals
    }

    fn difference(&mut self, cycle: u32, text: &str) {
        self.totals.differences += 1;
        if self.totals.texts.len() < KEPT {
            self.totals.texts.push(format!("cycle {cycle}: {text}"));
        }
    }

    //////////////////
    // Instructions //
    //////////////////

    fn shown(&mut self, shown: &Shown) {
        self.settle(shown.cycle);
        if shown.pc == self.setup.handler {
            self.interrupted(shown.cycle);
        }
        let counted = shown.mode == 0 || !self.setup.user_mode;
        self.totals.instructions += u64::from(!shown.trap);
        if !counted {
            self.outside = true;
            return;
        }
        if self.outside {
            self.outside = false;
            // The core was outside user mode before the head was written: the unit gave the record up.
            self.totals.discarded += u64::from(self.flight.take().is_some());
        }
        if !shown.trap {
            self.totals.user_instructions += 1;
            self.count(shown);
        }
        let patience = INTERRUPT_WITHIN.saturating_mul(self.setup.every.max(1));
        if self.crossed.is_some_and(|crossed| shown.cycle - crossed > patience) {
            self.crossed = None;
            self.difference(shown.cycle, "the threshold was crossed, but no interrupt came");
        }
    }

    /// Counts an instruction that retires where instructions count.
    fn count(&mut self, shown: &Shown) {
        if self.phase != Phase::Active {
            return;
        }
        self.totals.counted += 1;
        let kind = kind(shown.word);
        let missed = kind == Kind::Load && self.setup.far.contains(&shown.address);
        let occurs = [true, matches!(kind, Kind::Conditional | Kind::Unconditional), missed];
        let mut due = None;
        for (event, counter) in self.counters.iter_mut().enumerate() {
            if occurs[event] && self.setup.intervals[event] != 0 && shown.cycle >= counter.counts_from {
                if counter.left <= 1 && due.is_none() {
                    due = Some(event);
                }
                counter.left = counter.left.saturating_sub(1);
            }
        }
        if self.flight.is_some() || shown.cycle < self.free_from {
            self.totals.unrecorded += 1;
            self.waiting += 1;
            self.totals.longest = self.totals.longest.max(self.waiting);
            return;
        }
        self.waiting = 0;
        if let Some(event) = due {
            let record = match event {
                0 => record::instruction(shown.pc),
                1 => {
                    let taken = kind == Kind::Unconditional || shown.next != shown.pc.wrapping_add(length(shown.word));
                    record::branch(shown.pc, taken, shown.next)
                }
                _ => record::miss(shown.pc, shown.address, self.setup.latency),
            };
            self.flight = Some(Flight { event, record, arrived: [None; WORDS], full_at: None });
        }
    }

    fn interrupted(&mut self, cycle: u32) {
        self.totals.interrupts += 1;
        if self.crossed.take().is_none() {
            self.difference(cycle, "an interrupt came, but the threshold was not crossed");
        }
    }

    /////////
    // Bus //
    /////////

    fn access(&mut self, access: &Access) {
        self.settle(access.cycle);
        let Access { cycle, address, data, .. } = *access;
        if access.error {
            self.difference(cycle, &format!("an access of the unit to {address:#x} failed"));
            return;
        }
        let ring = self.setup.ring..self.setup.ring + self.setup.ring_bytes;
        if !access.write {
            self.read(access);
        } else if access.bytes == 0 {
            // A test for write permission writes nothing.
            self.compare(cycle, "the page of a test for write permission", address >> 12, self.setup.block >> 12);
        } else if ring.contains(&address) {
            self.record_word(access, address - ring.start);
        } else {
            match address.wrapping_sub(self.setup.block) {
                0 => self.started(cycle, data),
                16 => self.head_written(cycle, data),
                offset @ (44 | 52 | 60) => self.counter_written(cycle, (offset as usize - 44) / 8, data),
                24 => self.compare(cycle, "MissedEvents", data, self.totals.missed),
                28 => self.compare(cycle, "the high half of MissedEvents", data, 0),
                _ => self.difference(cycle, &format!("the unit writes {data:#x} to {address:#x}")),
            }
        }
    }

    fn compare(&mut self, cycle: u32, name: &str, found: u32, expected: u32) {
        if found != expected {
            self.difference(cycle, &format!("{name} is {found:#x}, expected {expected:#x}"));
        }
    }

    fn started(&mut self, cycle: u32, flags: u32) {
        let selected = (0..3).filter(|&event| self.setup.intervals[event] != 0).map(|event| 2 << event).sum::<u32>();
        self.compare(cycle, "Flags", flags, 1 | selected | u32::from(self.setup.threshold != 0) << 31);
        if self.phase != Phase::Loading {
            self.difference(cycle, "a session begins again");
        }
        self.phase = Phase::Active;
        self.free_from = cycle + Timing::START;
        for counter in &mut self.counters {
            counter.counts_from = cycle + Timing::START;
        }
    }

    fn record_word(&mut self, access: &Access, offset: u32) {
        let (slot, word) = (offset / BYTES * BYTES, (offset % BYTES / 4) as usize);
        let expected = self.head;
        match &mut self.flight {
            Some(flight) if slot == expected && access.bytes == 0xF => flight.arrived[word] = Some(access.data),
            Some(_) => self.difference(access.cycle, &format!("a record is written to offset {slot:#x}, not {expected:#x}")),
            None => self.difference(access.cycle, &format!("a record is written to offset {slot:#x}, but none is due")),
        }
    }

    fn read(&mut self, access: &Access) {
        let next = self.next_head();
        let tail = access.address == self.setup.block + 20 && self.phase == Phase::Active && !self.outside;
        if let Some(flight) = self.flight.as_mut().filter(|_| tail) {
            self.tail = access.data;
            // Acted on in the next cycle: the core may leave user mode in this one.
            flight.full_at = (next == access.data).then_some(access.cycle);
        }
    }

    fn next_head(&self) -> u32 {
        if self.head + BYTES == self.setup.ring_bytes { 0 } else { self.head + BYTES }
    }

    fn head_written(&mut self, cycle: u32, data: u32) {
        if data == self.next_head()
            && let Some(flight) = self.flight.take()
        {
            let arrived = flight.arrived.map(|word| word.unwrap_or(0xDEAD_BEEF));
            if flight.arrived.contains(&None) || arrived != flight.record {
                let [found, expected] = [&arrived, &flight.record].map(record::text);
                self.difference(cycle, &format!("the record is   {found}\n             expected        {expected}"));
            }
            self.totals.records[flight.event] += 1;
            self.totals.record_pcs.push((flight.event, arrived[2]));
            self.published.push_back(arrived);
            self.head = data;
            let used = (self.head + self.setup.ring_bytes - self.tail) % self.setup.ring_bytes;
            if self.setup.threshold != 0 && used == self.setup.threshold {
                self.totals.crossings += 1;
                self.crossed = Some(cycle);
            }
            self.count_again(flight.event, cycle + Timing::PUBLISHED);
        } else if data == self.head {
            self.phase = Phase::Ended; // the first write of the flush
        } else {
            self.difference(cycle, &format!("the head becomes {data:#x} from {:#x}", self.head));
        }
    }

    fn count_again(&mut self, event: usize, from: u32) {
        self.counters[event] = Counter { left: self.setup.intervals[event], counts_from: from };
        self.free_from = from;
    }

    /// Acts on a full ring once the cycle of the response is over.
    fn settle(&mut self, cycle: u32) {
        if let Some(flight) = &mut self.flight
            && let Some(full) = flight.full_at
            && cycle > full
        {
            let event = flight.event;
            self.flight = None;
            self.totals.missed += 1;
            self.count_again(event, full + Timing::FULL);
        }
    }

    fn counter_written(&mut self, cycle: u32, event: usize, data: u32) {
        if self.phase != Phase::Ended {
            self.difference(cycle, "a counter is written while the session runs");
        }
        let expected = self.counters[event].left;
        self.compare(cycle, &format!("the counter of {}", record::EVENTS[event]), data, expected);
        self.totals.counters_compared += 1;
    }

    ////////////
    // Kernel //
    ////////////

    fn device(&mut self, cycle: u32, register: u32, data: u32) {
        match register {
            0 => self.totals.exit = Some(data),
            1 => self.totals.text.push(char::from((data & 0x7F) as u8)),
            _ => self.drained.push(data),
        }
        if self.drained.len() == WORDS {
            let taken = std::mem::take(&mut self.drained);
            self.totals.drained += 1;
            if self.published.pop_front().is_none_or(|published| taken != published) {
                self.difference(cycle, "the kernel takes a record that is not the oldest one published");
            }
        }
    }
}
