//! Decides what each record must be, from RVFI and the bus alone.
//!
//! The checker counts the instructions of the program itself. It predicts which one is recorded next, and compares the
//! record that arrives in memory with it, word by word. It learns from the bus when the record is complete, which is when
//! the event can be counted again; `Timing` has the distances in cycles. So each interval is checked exactly, not within
//! a tolerance.
//!
//! Source: docs/src/lwp/count-gather.md and store.md for the rules, with the straps of `ConfigRvfi`.

use crate::instruction::{Kind, kind, length};
use crate::record::{self, WORDS, Words};
use crate::trace::{Event, Shown};
use std::collections::VecDeque;
use std::ops::Range;

mod bus;
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
/// Instructions that may retire between a crossing of the threshold and the interrupt.
const INTERRUPT_WITHIN: u32 = 20;
/// The same for a core without user mode, whose kernel counts as well and is not interrupted.
const INTERRUPT_WITHIN_KERNEL: u32 = 20_000;

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
}

/// Where the session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Loading,
    Active,
    /// The kernel is about to end the session: the next flush does.
    Ending,
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
    /// Instructions since the threshold was crossed, until the interrupt.
    crossed: Option<u32>,
    /// Instructions since the last record that could not be recorded.
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
            let selected = self.setup.intervals.iter().filter(|&&interval| interval != 0).count() as u64;
            if self.totals.counters_compared != self.totals.flushes * selected {
                let Totals { counters_compared, flushes, .. } = self.totals;
                self.difference(cycle, &format!("{counters_compared} counters are written in {flushes} flushes"));
            }
            let lost = self.published.len() + self.drained.len();
            if lost != 0 {
                self.difference(
                    cycle,
                    &format!("{lost} records and words were published, but the kernel has not taken them"),
                );
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
            self.discard(shown.cycle);
        }
        if !shown.trap {
            self.totals.user_instructions += 1;
            self.count(shown);
        }
        self.expect_interrupt(shown.cycle);
    }

    /// Ends a record whose head was not written before the core left user mode: the unit has discarded it.
    fn discard(&mut self, cycle: u32) {
        if let Some(flight) = self.flight.take() {
            self.totals.discarded += 1;
            if flight
                .arrived
                .iter()
                .zip(flight.record)
                .any(|(arrived, word)| arrived.is_some_and(|arrived| arrived != word))
            {
                self.difference(
                    cycle,
                    &format!("words of a discarded record are not those of {}", record::text(&flight.record)),
                );
            }
        }
    }

    fn expect_interrupt(&mut self, cycle: u32) {
        let within = if self.setup.user_mode { INTERRUPT_WITHIN } else { INTERRUPT_WITHIN_KERNEL };
        if let Some(since) = &mut self.crossed {
            *since += 1;
            if *since > within {
                self.crossed = None;
                self.difference(cycle, "the threshold was crossed, but no interrupt came");
            }
        }
    }

    /// Counts an instruction that retires where instructions count.
    fn count(&mut self, shown: &Shown) {
        if !matches!(self.phase, Phase::Active | Phase::Ending) {
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

    ////////////
    // Kernel //
    ////////////

    fn device(&mut self, cycle: u32, register: u32, data: u32) {
        match register {
            3 => self.phase = Phase::Ending,
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
