//! The counters, and what a request reads from and writes to them.
//!
//! Source: docs/src/perf/cycle.md and docs/src/perf/state.md, for P6 and version 2 with the straps of the machine.

use super::lines::{Lines, Selection};

/// Result of a request: done.
pub(super) const DONE: u32 = 0;
/// Result of a request: #GP(0).
pub(super) const GP: u32 = 2;
/// Result of a request: not mine.
pub(super) const NOT_MINE: u32 = 4;

/// Bits of every counter.
const WIDTH: u32 = 40;
const COUNTER: u64 = (1 << WIDTH) - 1;
const FIXED: usize = 3;
const RDMSR: u32 = 0;
const WRMSR: u32 = 1;
const RDPMC: u32 = 4;
const EN: u32 = 1 << 22;
const INT: u32 = 1 << 20;
const ANY: u32 = 1 << 21;

/// A request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) operation: u32,
    pub(super) number: u32,
    pub(super) wdata: u64,
    /// The rights are those of the user page.
    pub(super) user: bool,
}

/// What a register number names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Select(usize),
    Counter(usize),
    Fixed(usize),
    FixedControl,
    Status,
    Control,
    Clear,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// Event select, or the four bits of a fixed counter.
    select: u32,
    counter: u64,
    held: bool,
    on: bool,
    status: bool,
}

/// All counters.
#[derive(Clone, Debug)]
pub(super) struct Registers {
    architectural: bool,
    general: Vec<Cell>,
    fixed: [Cell; FIXED],
}

impl Registers {
    pub(super) fn new(architectural: bool) -> Self {
        let general = vec![Cell { on: true, ..Cell::default() }; if architectural { 4 } else { 2 }];
        Self { architectural, general, fixed: [Cell::default(); FIXED] }
    }

    /// Returns the bits that exist in the global registers.
    fn all(&self) -> u64 {
        let ones = |count: usize| (1_u64 << count) - 1;
        ones(self.general.len()) | if self.architectural { ones(FIXED) << 32 } else { 0 }
    }

    fn named(&self, number: u32) -> Option<Named> {
        let below = |base: u32, count: usize| number.checked_sub(base).map(|n| n as usize).filter(|&n| n < count);
        let [general, fixed] = [self.general.len(), if self.architectural { FIXED } else { 0 }];
        if let Some(c) = below(0xC1, general) {
            return Some(Named::Counter(c));
        }
        if let Some(c) = below(0x186, general) {
            return Some(Named::Select(c));
        }
        if let Some(k) = below(0x309, fixed) {
            return Some(Named::Fixed(k));
        }
        match number {
            0x38D if self.architectural => Some(Named::FixedControl),
            0x38E if self.architectural => Some(Named::Status),
            0x38F if self.architectural => Some(Named::Control),
            0x390 if self.architectural => Some(Named::Clear),
            _ => None,
        }
    }

    /// Returns the counter that RDPMC names.
    fn pmc(&self, number: u32) -> Option<Named> {
        let fixed = number & !(FIXED as u32) == 1 << 30 && number & 3 != 3;
        match number as usize {
            c if c < self.general.len() => Some(Named::Counter(c)),
            _ if fixed && self.architectural => Some(Named::Fixed(number as usize & 3)),
            _ => None,
        }
    }

    fn refuses(&self, named: Named, value: u64) -> bool {
        match named {
            Named::Counter(_) => false,
            Named::Select(c) => {
                let en = if c == 1 && !self.architectural { EN } else { 0 };
                value & !u64::from(!(ANY | en)) != 0
            }
            Named::Fixed(_) => value >> WIDTH != 0,
            Named::FixedControl => value & !0xBBB != 0,
            Named::Status => true,
            Named::Control => value & !self.all() != 0,
            Named::Clear => value & !(self.all() | 3 << 62) != 0,
        }
    }

    /// Returns result and value of a request.
    pub(super) fn answer(&self, request: &Request) -> (u32, u64) {
        let named = match request.operation {
            RDMSR | WRMSR => self.named(request.number),
            RDPMC => self.pmc(request.number),
            _ => None,
        };
        let Some(named) = named else { return (NOT_MINE, 0) };
        if request.operation != RDPMC && request.user
            || request.operation == WRMSR && self.refuses(named, request.wdata)
        {
            return (GP, 0);
        }
        (DONE, if request.operation == WRMSR { 0 } else { self.value(named) })
    }

    fn value(&self, named: Named) -> u64 {
        let bits = |bit: fn(&Cell) -> bool| {
            let general = self.general.iter().enumerate().map(|(c, cell)| u64::from(bit(cell)) << c);
            general.chain(self.fixed.iter().enumerate().map(|(k, cell)| u64::from(bit(cell)) << (32 + k))).sum()
        };
        match named {
            Named::Select(c) => u64::from(self.general[c].select),
            Named::Counter(c) => self.general[c].counter,
            Named::Fixed(k) => self.fixed[k].counter,
            Named::FixedControl => self.fixed.iter().rev().fold(0, |all, cell| all << 4 | u64::from(cell.select)),
            Named::Status => bits(|cell| cell.status),
            Named::Control => bits(|cell| cell.on),
            Named::Clear => 0,
        }
    }

    /// Counts the events of a cycle. Returns the counters that overflowed, as bits of the status, and those that interrupt.
    pub(super) fn count(&mut self, lines: &Lines, user: bool, bus: bool) -> (u64, u64) {
        let enabled = self.general[0].select & EN != 0;
        let mut found = (0, 0);
        let mut note = |over: bool, interrupts: bool, bit: usize| {
            found.0 |= u64::from(over) << bit;
            found.1 |= u64::from(over && interrupts) << bit;
        };
        for (c, cell) in self.general.iter_mut().enumerate() {
            let selection = Selection::general(self.architectural, cell.select);
            let enable = cell.on && if self.architectural { cell.select & EN != 0 } else { enabled };
            let fits = selection != Selection::Nothing && cell.select >> if user { 16 } else { 17 } & 1 == 1;
            let over = cell.step(enable, fits, !selection.of_bus() || bus, selection.number(lines), cell.select);
            note(over, cell.select & INT != 0, c);
        }
        for (k, cell) in self.fixed.iter_mut().enumerate() {
            let selection = Selection::fixed(k);
            let fits = cell.select >> u32::from(user) & 1 == 1;
            let over = cell.step(cell.on, fits, !selection.of_bus() || bus, selection.number(lines), 0);
            note(over, cell.select & 8 != 0, 32 + k);
        }
        found
    }

    /// Makes what a request writes true in the next cycle, after the events of this one.
    pub(super) fn write(&mut self, request: &Request) {
        if request.operation != WRMSR || self.answer(request).0 != DONE {
            return;
        }
        let value = request.wdata;
        let each = |set: &mut dyn FnMut(&mut Cell, bool), cells: &mut Self| {
            cells.general.iter_mut().enumerate().for_each(|(c, cell)| set(cell, value >> c & 1 == 1));
            cells.fixed.iter_mut().enumerate().for_each(|(k, cell)| set(cell, value >> (32 + k) & 1 == 1));
        };
        match self.named(request.number) {
            Some(Named::Select(c)) => {
                self.general[c].select = value as u32;
                self.general[c].held = false;
            }
            Some(Named::Counter(c)) => {
                self.general[c].counter = i64::from(value as u32 as i32) as u64 & COUNTER;
            }
            Some(Named::Fixed(k)) => self.fixed[k].counter = value,
            Some(Named::FixedControl) => {
                for (k, cell) in self.fixed.iter_mut().enumerate() {
                    cell.select = (value >> (4 * k)) as u32 & 0xF;
                }
            }
            Some(Named::Control) => each(&mut |cell, bit| cell.on = bit, self),
            Some(Named::Clear) => each(&mut |cell, bit| cell.status &= !bit, self),
            Some(Named::Status) | None => {}
        }
    }

    /// Sets the status of counters that overflowed in this cycle.
    pub(super) fn note(&mut self, over: u64) {
        if self.architectural {
            self.general.iter_mut().enumerate().for_each(|(c, cell)| cell.status |= over >> c & 1 == 1);
            self.fixed.iter_mut().enumerate().for_each(|(k, cell)| cell.status |= over >> (32 + k) & 1 == 1);
        }
    }
}

impl Cell {
    /// Counts a cycle, and returns whether the counter overflows.
    fn step(&mut self, enable: bool, fits: bool, sample: bool, number: u32, select: u32) -> bool {
        let [threshold, inverted, edges] = [select >> 24, select >> 23 & 1, select >> 18 & 1];
        let holds = if threshold == 0 { number > 0 } else { (number >= threshold) != (inverted == 1) };
        let amount = if threshold == 0 { number } else { u32::from(holds) };
        let counts = enable && sample && fits;
        let add = if !counts {
            0
        } else if edges == 1 {
            u32::from(holds && !self.held)
        } else {
            amount
        };
        let sum = self.counter + u64::from(add);
        self.counter = sum & COUNTER;
        self.held = if enable && sample { fits && holds } else { enable && self.held };
        sum >> WIDTH != 0
    }
}
