//! Decides what each counter holds in each cycle, and when it interrupts, from RVFI and the bus alone.
//!
//! The checker knows what software asked of the unit, since it sees the accesses of the core to it. It counts the instructions
//! of each mode itself, cycle by cycle, and compares every result and value that software reads, the cycle in which the unit
//! asks for an interrupt, and the address that the kernel says was interrupted.
//!
//! It shares no code with the unit, the model or `lwp-regs`.
//!
//! Source: docs/src/perf/cycle.md, events.md and delivery.md; docs/src/integration/ibex-perf.md for the registers and for the cycles
//! in which the unit sees what RVFI and the bus show.

mod lines;
mod page;
mod registers;
mod totals;

pub use totals::{SKIDS, Totals};

use crate::instruction::length;
use crate::trace::{Event, Shown};
use lines::{Lines, MRET};
use page::{Does, Pages, RDATA, RESULT};
use registers::Registers;
use std::collections::BTreeMap;

/// Differences that are kept as text; the others are counted.
const KEPT: usize = 10;

/// Cycles between what RVFI shows and what the unit sees of it.
struct Timing;

impl Timing {
    /// Until the mode is that of an instruction.
    const MODE: u32 = 1;
    /// Until an instruction retires.
    const LANE: u32 = 2;
    /// Until everything is known that happens in a cycle: the response to a request is two cycles later.
    const KNOWN: u32 = 3;
    /// Until an overflow is an interrupt.
    const IRQ: u32 = 1;
}

/// What the checker knows of a run in advance.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Version 2 with four general and three fixed counters; else P6.
    pub architectural: bool,
    /// Address at which the handler of the interrupt begins.
    pub handler: u32,
    /// Instructions of user mode that may retire between an overflow and the interrupt.
    pub within: u64,
    /// Cycles of which one begins a period of the bus clock, and the remainder of its number.
    pub bus: (u32, u32),
}

/// What is known of a cycle.
#[derive(Clone, Debug, Default)]
struct Cycle {
    lines: Lines,
    /// An instruction of user mode retires.
    user_lane: bool,
    /// The mode is user mode from this cycle on, or is not.
    user: Option<bool>,
    /// The core begins the handler.
    handler: bool,
    /// The interrupt was seen to be asserted.
    asserted: bool,
    does: Option<Does>,
}

/// An overflow that interrupts.
#[derive(Clone, Copy, Debug)]
struct Coming {
    since: u32,
    skid: u64,
}

/// The checker: give it every event of a run with [`Checker::event`], then ask for [`Checker::finish`].
#[derive(Clone, Debug)]
pub struct Checker {
    setup: Setup,
    registers: Registers,
    pages: Pages,
    known: BTreeMap<u32, Cycle>,
    /// The next cycle that is to be counted.
    now: u32,
    user: bool,
    /// Entry of the local APIC.
    entry: u32,
    /// The interrupt is pending in cycle `now`; it was in the cycle before.
    irq: bool,
    past_irq: bool,
    coming: Option<Coming>,
    /// The last instruction on RVFI.
    last: Option<Shown>,
    /// Address that the next sample must have.
    resume: Option<u32>,
    /// Address to which the kernel returns.
    returns: Option<u32>,
    totals: Totals,
}

impl Checker {
    const ENTRY_FIELDS: u32 = 0x1_07FF;
    const ENTRY_MASK: u32 = 1 << 16;

    /// Creates the checker of a run that begins at reset.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self {
            setup,
            registers: Registers::new(setup.architectural),
            pages: Pages::default(),
            known: BTreeMap::new(),
            now: 0,
            user: false,
            entry: Self::ENTRY_MASK,
            irq: false,
            past_irq: false,
            coming: None,
            last: None,
            resume: None,
            returns: None,
            totals: Totals::default(),
        }
    }

    /// Takes the next event.
    pub fn event(&mut self, event: Event) {
        let (Event::Retire(Shown { cycle, .. }) | Event::Device { cycle, .. }) = event else {
            return self.other(event);
        };
        self.count_to(cycle.saturating_sub(Timing::KNOWN - 1));
        match event {
            Event::Retire(shown) => self.shown(shown),
            Event::Device { register: 0, data, .. } => self.totals.exit = Some(data),
            Event::Device { register: 1, data, .. } => self.totals.text.push(char::from((data & 0x7F) as u8)),
            Event::Device { register: 2, data, .. } => self.sample(cycle, data),
            Event::Device { register: 7, data, .. } => self.at(cycle.saturating_sub(data)).asserted = true,
            Event::Device { register, .. } => self.difference(cycle, &format!("a write to register {register}")),
            Event::Unit(_) | Event::End(_) => {}
        }
    }

    fn other(&mut self, event: Event) {
        match event {
            Event::Unit(access) => {
                self.count_to(access.cycle.saturating_sub(Timing::KNOWN - 1));
                let (before, does) = Pages::access(&access);
                self.at(access.cycle.saturating_sub(before)).does = Some(does);
            }
            Event::End(end) => {
                self.count_to(end.cycle);
                self.totals.cycles = u64::from(end.cycle);
                if !end.ended {
                    self.difference(end.cycle, "the program did not end");
                }
            }
            Event::Retire(_) | Event::Device { .. } => {}
        }
    }

    /// Checks what must be true at the end, and returns the totals.
    #[must_use]
    pub fn finish(mut self) -> Totals {
        let cycle = self.now;
        if self.totals.exit != Some(0) {
            let text = format!("the program ended with {:?}, not 0", self.totals.exit);
            self.difference(cycle, &text);
        }
        if self.totals.interrupts != self.totals.samples.len() as u64 {
            let text = format!("{} interrupts, {} samples", self.totals.interrupts, self.totals.samples.len());
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

    fn compare(&mut self, cycle: u32, name: &str, found: u32, expected: u32) {
        if found != expected {
            self.difference(cycle, &format!("{name} is {found:#010x}, expected {expected:#010x}"));
        }
    }

    /// Returns what is known of a cycle.
    fn at(&mut self, cycle: u32) -> &mut Cycle {
        if cycle < self.now {
            self.difference(cycle, "an event comes too late to be counted");
        }
        self.known.entry(cycle).or_default()
    }

    //////////////////
    // Instructions //
    //////////////////

    fn shown(&mut self, shown: Shown) {
        let user = shown.mode == 0;
        // RVFI of Ibex does not show where MRET leads: to the instruction that was interrupted, or behind the call.
        let leads = self.last.and_then(|last| if last.word == MRET { self.returns } else { Some(last.next) });
        let trapped = self.last.is_some_and(|last| last.trap);
        let interrupted = leads.filter(|&next| !trapped && next != shown.pc);
        if let Some(next) = interrupted {
            self.at(shown.cycle).lines.interrupts = 1;
            self.resume = Some(next);
            self.returns = Some(next);
        }
        if shown.trap {
            self.returns = Some(shown.pc.wrapping_add(length(shown.word)));
        }
        if shown.pc == self.setup.handler {
            self.at(shown.cycle).handler = true;
        }
        if (shown.pc == self.setup.handler) != interrupted.is_some() {
            self.difference(shown.cycle, &format!("an instruction at {:#x} that nothing leads to", shown.pc));
        }
        self.at(shown.cycle + Timing::MODE).user = Some(user);
        if !shown.trap {
            self.totals.instructions += 1;
            self.totals.user_instructions += u64::from(user);
            let lane = self.at(shown.cycle + Timing::LANE);
            lane.lines = Lines { interrupts: lane.lines.interrupts, ..Lines::of(&shown) };
            lane.user_lane = user;
        }
        self.last = Some(shown);
    }

    fn sample(&mut self, cycle: u32, address: u32) {
        self.totals.samples.push(address);
        match self.resume.take() {
            Some(expected) => self.compare(cycle, "the address of a sample", address, expected),
            None => self.difference(cycle, "a sample without an interrupt"),
        }
    }

    ////////////
    // Cycles //
    ////////////

    /// Counts the cycles before this one.
    fn count_to(&mut self, end: u32) {
        while self.now < end {
            let cycle = self.known.remove(&self.now).unwrap_or_default();
            self.count(&cycle);
            self.now += 1;
        }
    }

    fn count(&mut self, cycle: &Cycle) {
        let now = self.now;
        self.user = cycle.user.unwrap_or(self.user);
        let rises = self.irq && !self.past_irq;
        self.totals.asked += u64::from(rises);
        if rises != cycle.asserted {
            let text = if rises { "no interrupt is asked for" } else { "an interrupt is asked for" };
            self.difference(now, &format!("{text}, but expected otherwise"));
        }
        if cycle.handler {
            self.interrupted();
        }
        // A request has the level of its page. What it reads is older than the events of the cycle, and what it writes is younger.
        let request = match cycle.does {
            Some(Does::Request(page, operation)) => Some((page, self.pages.request(page, operation))),
            _ => None,
        };
        let user = request.map_or(self.user, |(_, request)| request.user);
        let answer = request.map(|(_, request)| self.registers.answer(&request));
        let (period, remainder) = self.setup.bus;
        let (over, interrupts) = self.registers.count(&cycle.lines, user, now % period == remainder);
        if let (Some((page, request)), Some(answer)) = (request, answer) {
            self.registers.write(&request);
            self.pages.answer(page, answer);
            self.totals.requests += 1;
            self.totals.refused += u64::from(answer.0 != registers::DONE);
        }
        self.registers.note(over);
        self.totals.overflows += u64::from(over.count_ones());
        self.deliver(interrupts != 0, cycle.does == Some(Does::Acknowledge));
        if let Some(does) = cycle.does {
            self.does(does);
        }
        self.wait(cycle.user_lane);
    }

    /// An interrupt, from the registers before this cycle's write of the entry.
    fn deliver(&mut self, asks: bool, acknowledged: bool) {
        let [mode, vector] = [self.entry >> 8 & 7, self.entry & 0xFF];
        let lets = self.entry & Self::ENTRY_MASK == 0 && (mode == 0 && vector >= 16 || mode == 2 || mode == 4);
        let delivered = asks && lets;
        self.past_irq = self.irq;
        self.irq = self.irq && !acknowledged || delivered;
        if delivered && self.coming.is_none() {
            self.coming = Some(Coming { since: self.now, skid: 0 });
        }
        // An overflow behind the begin of the handler is acknowledged with the one that led there.
        self.coming = self.coming.filter(|_| self.irq);
    }

    /// The core begins the handler.
    fn interrupted(&mut self) {
        self.totals.interrupts += 1;
        let coming = self.coming.take().filter(|coming| self.irq && self.now > coming.since + Timing::IRQ);
        if let Some(coming) = coming {
            let delay = self.now - coming.since;
            self.totals.skid[(coming.skid as usize).min(SKIDS - 1)] += 1;
            self.totals.delay.0 += u64::from(delay);
            self.totals.delay.1 = self.totals.delay.1.max(delay);
        } else {
            self.difference(self.now, "an interrupt came, but none is pending");
        }
    }

    /// Counts the instructions behind an overflow.
    fn wait(&mut self, user_lane: bool) {
        let (now, within) = (self.now, self.setup.within);
        if user_lane && self.irq && self.coming.is_none() {
            self.coming = Some(Coming { since: now, skid: 0 });
        }
        if let Some(coming) = self.coming.as_mut().filter(|coming| user_lane && coming.since != now) {
            coming.skid += 1;
            if coming.skid > within {
                self.coming = None;
                self.difference(now, "a counter overflowed, but no interrupt came");
            }
        }
    }

    //////////////
    // Software //
    //////////////

    fn does(&mut self, does: Does) {
        let now = self.now;
        let pending = u32::from(self.past_irq);
        match does {
            Does::Request(..) | Does::Acknowledge => {}
            Does::Write(page, register, data) => self.pages.write(page, register, data),
            Does::Read(page, register, found) => {
                let expected = self.pages.read(page, register);
                self.totals.counters_compared += u64::from(register == RDATA);
                let name = if register == RESULT { "RESULT" } else { "a register of the page" };
                self.compare(now, name, found, expected);
            }
            Does::Status(found) => {
                let vector = if self.entry >> 8 & 7 == 0 { self.entry & 0xFF } else { 0 };
                let shown = pending * (1 | (self.entry >> 8 & 7) << 8 | vector << 16);
                self.compare(now, "STATUS", found, shown);
            }
            Does::Entry(found) => self.compare(now, "LVT", found, self.entry | pending << 12),
            Does::SetEntry(data) => self.entry = data & Self::ENTRY_FIELDS,
            Does::Error(address) => self.difference(now, &format!("an access to {address:#x} was refused")),
        }
    }
}
