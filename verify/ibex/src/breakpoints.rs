//! Decides which instruction raises #DB and what DR6 then holds, from RVFI and the bus alone.
//!
//! The checker knows what software moved to the debug registers, since it sees the accesses of the core to the unit. It compares
//! each instruction of user mode with them. Behind one that hits, the instructions of user mode wait, as the adapter says,
//! until software has taken the #DB and lets them go on. So each #DB is exact, whatever the skid of the core is.
//!
//! It shares no code with the unit, the model or `lwp-regs`.
//!
//! Source: the document on debugging, "Debug registers" and "Single-Step Exception Condition"; docs/src/debug/arbiter.md for what
//! DR6 keeps with the default straps; docs/src/integration/ibex-debug.md for the queue and the registers.

mod breakpoint;
mod registers;
mod totals;

pub use breakpoint::Breakpoint;
pub use totals::{SKIDS, Totals};

use crate::instruction::data_access;
use crate::trace::{Event, Shown};
use registers::{Decoder, Does, Moved};
use std::collections::VecDeque;

/// Differences that are kept as text; the others are counted.
const KEPT: usize = 10;

/// What the checker knows of a run in advance.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Address at which the handler of the interrupt begins.
    pub handler: u32,
    /// Instructions that the queue holds.
    pub depth: usize,
    /// Instructions of user mode that may retire between one that hits and the interrupt.
    pub within: u64,
    /// The run may lose instructions, because the queue is smaller than the skid.
    pub loses: bool,
}

/// A #DB that is pending.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    b: u32,
    bs: bool,
    bd: bool,
    in_skid: bool,
    unaligned: bool,
}

/// An interrupt that is to come.
#[derive(Clone, Copy, Debug)]
struct Coming {
    since: u32,
    skid: u64,
    /// The program has entered the kernel itself: software may take the #DB without an interrupt.
    trapped: bool,
}

/// The checker: give it every event of a run with [`Checker::event`], then ask for [`Checker::finish`].
#[derive(Clone, Debug)]
pub struct Checker {
    setup: Setup,
    decoder: Decoder,
    addresses: [u32; 4],
    dr6: u32,
    dr7: u32,
    tf: bool,
    pending: Option<Pending>,
    /// Software has taken a #DB and has not let the queue go on.
    handling: bool,
    queue: VecDeque<Shown>,
    lost: bool,
    /// Address of the instruction behind the last one that was compared.
    from: u32,
    coming: Option<Coming>,
    totals: Totals,
}

impl Checker {
    /// DR6 and DR7 without any field.
    const DR6_FIXED: u32 = 0xFFFF_0FF0;
    const DR7_FIXED: u32 = 0x0000_0400;
    const DR6_FIELDS: u32 = 0xE00F;
    const DR7_FIELDS: u32 = 0xFFFF_23FF;
    const BD: u32 = 1 << 13;
    const BS: u32 = 1 << 14;
    const GD: u32 = 1 << 13;

    /// Creates the checker of a run that begins at reset.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self {
            setup,
            decoder: Decoder::default(),
            addresses: [0; 4],
            dr6: 0,
            dr7: 0,
            tf: false,
            pending: None,
            handling: false,
            queue: VecDeque::new(),
            lost: false,
            from: 0,
            coming: None,
            totals: Totals::default(),
        }
    }

    /// Takes the next event.
    pub fn event(&mut self, event: Event) {
        match event {
            Event::Retire(shown) => self.shown(shown),
            Event::Unit(access) => {
                if let Some(does) = self.decoder.access(&access) {
                    self.does(access.cycle, does);
                }
            }
            Event::Device { register: 0, data, .. } => self.totals.exit = Some(data),
            Event::Device { register: 1, data, .. } => self.totals.text.push(char::from((data & 0x7F) as u8)),
            Event::Device { cycle, register, .. } => self.difference(cycle, &format!("a write to register {register}")),
            Event::End(end) => {
                self.totals.cycles = u64::from(end.cycle);
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
        if self.pending.is_some() || self.handling || !self.queue.is_empty() {
            let text = format!("a #DB was not handled: {:?}, {} instructions wait", self.pending, self.queue.len());
            self.difference(cycle, &text);
        }
        if self.totals.lost != 0 && !self.setup.loses {
            self.difference(cycle, &format!("{} instructions found the queue full", self.totals.lost));
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

    fn compare(&mut self, cycle: u32, name: &str, found: u32, expected: u32) {
        if found != expected {
            self.difference(cycle, &format!("{name} is {found:#010x}, expected {expected:#010x}"));
        }
    }

    //////////////////
    // Instructions //
    //////////////////

    fn shown(&mut self, shown: Shown) {
        if shown.pc == self.setup.handler {
            self.interrupted(shown.cycle);
        }
        if shown.mode != 0 {
            return;
        }
        if shown.trap {
            if let Some(coming) = &mut self.coming {
                coming.trapped = true;
            }
            return;
        }
        self.totals.user_instructions += 1;
        if self.pending.is_some() || self.handling {
            if self.queue.len() < self.setup.depth {
                self.queue.push_back(shown);
            } else {
                self.totals.lost += 1;
                self.lost = true;
            }
        } else {
            self.examine(&shown, false);
        }
        let within = self.setup.within;
        if let Some(coming) = &mut self.coming {
            if coming.since != shown.cycle {
                coming.skid += 1;
            }
            if coming.skid > within {
                self.coming = None;
                self.difference(shown.cycle, "a #DB is pending, but no interrupt came");
            }
        }
    }

    /// Compares an instruction with the breakpoints.
    fn examine(&mut self, shown: &Shown, in_skid: bool) {
        self.from = shown.next;
        let mut raised = Pending { bs: self.tf, in_skid, ..Pending::default() };
        if let Some(access) = data_access(shown.word) {
            for n in 0..4 {
                let breakpoint = Breakpoint::of(&self.addresses, self.dr7, n);
                raised.b |= u32::from(breakpoint.hit(access, shown.address)) << n;
            }
            raised.unaligned = !shown.address.is_multiple_of(access.bytes) && raised.b != 0;
        }
        if raised.b != 0 || raised.bs {
            self.pending = Some(raised);
            if !in_skid {
                self.coming = Some(Coming { since: shown.cycle, skid: 0, trapped: false });
            }
        }
    }

    fn interrupted(&mut self, cycle: u32) {
        self.totals.interrupts += 1;
        if let Some(coming) = self.coming.take() {
            let delay = cycle - coming.since;
            self.totals.skid[(coming.skid as usize).min(SKIDS - 1)] += 1;
            self.totals.delay.0 += u64::from(delay);
            self.totals.delay.1 = self.totals.delay.1.max(delay);
        } else {
            self.difference(cycle, "an interrupt came, but no #DB is pending");
        }
    }

    //////////////
    // Software //
    //////////////

    fn does(&mut self, cycle: u32, does: Does) {
        match does {
            Does::Status(found) => {
                let waits = self.queue.len() as u32;
                let bits = [self.pending.is_some(), self.handling, self.lost];
                let [pending, handling, lost] = bits.map(u32::from);
                self.compare(cycle, "STATUS", found, pending | handling << 1 | lost << 2 | waits << 8);
            }
            Does::From(found) => self.compare(cycle, "FROM", found, self.from),
            Does::Flags(found) => self.compare(cycle, "FLAGS", found, u32::from(self.tf)),
            Does::SetFlags(data) => self.tf = data & 1 == 1,
            Does::Acknowledge(data) => self.acknowledge(cycle, data),
            Does::Move(moved) => self.moved(cycle, moved),
            Does::Unpaired => self.difference(cycle, "a MOV without a result, or a result without a MOV"),
            Does::Error(address) => self.difference(cycle, &format!("an access to {address:#x} was refused")),
        }
    }

    fn acknowledge(&mut self, cycle: u32, data: u32) {
        if data & 1 != 0 {
            self.take(cycle);
        }
        if data & 2 != 0 {
            if !self.handling {
                self.difference(cycle, "the queue goes on, but no #DB was taken");
            }
            self.handling = false;
            while self.pending.is_none()
                && let Some(shown) = self.queue.pop_front()
            {
                self.examine(&shown, true);
            }
        }
        if data & 4 != 0 {
            self.lost = false;
        }
    }

    /// #DB is taken: B0 to B3 are replaced, BD and BS stay if they were set, GD is cleared.
    fn take(&mut self, cycle: u32) {
        let Some(taken) = self.pending.take() else {
            self.difference(cycle, "a #DB is taken, but none is pending");
            return;
        };
        if self.coming.take().is_some_and(|coming| !coming.trapped) {
            self.difference(cycle, "a #DB is taken, but no interrupt came");
        }
        let [bs, bd] = [(taken.bs, Self::BS), (taken.bd, Self::BD)].map(|(set, bit)| if set { bit } else { 0 });
        self.dr6 = self.dr6 & !0xF | taken.b | bs | bd;
        self.dr7 &= !Self::GD;
        self.handling = true;
        self.totals.taken += 1;
        self.totals.in_skid += u64::from(taken.in_skid);
        self.totals.unaligned += u64::from(taken.unaligned);
        self.totals.steps += u64::from(taken.bs);
        self.totals.detected += u64::from(taken.bd);
        for (n, hits) in self.totals.hits.iter_mut().enumerate() {
            *hits += u64::from(taken.b >> n & 1);
        }
    }

    fn moved(&mut self, cycle: u32, moved: Moved) {
        let Moved { number, writes, value, .. } = moved;
        // DR4 and DR5 are DR6 and DR7, since CR4.DE is 0.
        let number = if number >= 4 { number | 2 } else { number };
        let expected = self.result(&moved);
        self.totals.moves += 1;
        self.compare(cycle, &format!("the result of MOV with DR{number}"), moved.result, expected);
        match expected {
            registers::DONE if writes => match number {
                6 => self.dr6 = value & Self::DR6_FIELDS,
                7 => self.dr7 = value & Self::DR7_FIELDS,
                n => self.addresses[n as usize & 3] = value,
            },
            registers::DONE => {
                let register = match number {
                    6 => Self::DR6_FIXED | self.dr6,
                    7 => Self::DR7_FIXED | self.dr7,
                    n => self.addresses[n as usize & 3],
                };
                self.compare(cycle, &format!("DR{number}"), value, register);
            }
            refused => {
                self.totals.refused += 1;
                if refused == registers::DB {
                    self.pending = Some(Pending { bd: true, ..Pending::default() });
                }
                if !writes {
                    self.compare(cycle, "the value of a MOV that was refused", value, 0);
                }
            }
        }
    }

    /// Returns the result that a MOV must have.
    fn result(&self, moved: &Moved) -> u32 {
        let executes = |n: u32| moved.value >> (2 * n) & 3 != 0 && moved.value >> (16 + 4 * n) & 3 == 0;
        if moved.user || moved.writes && moved.number | 2 == 7 && (0..4).any(executes) {
            registers::GP
        } else if self.dr7 & Self::GD != 0 {
            registers::DB
        } else {
            registers::DONE
        }
    }
}
