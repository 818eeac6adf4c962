//! A unit that shows what it is told to show.

use super::super::Core;
use super::super::plain::{Ask, Delays, In, L2, L3, Level, MOST, Op, Out, Straps, Told, Transfer, Wanted};
use super::super::registers::{DONE, FAULT, NOT_MINE};

/// Numbers of registers.
pub(super) const L3_QOS_CFG: u32 = 0xC81;
pub(super) const L2_QOS_CFG: u32 = 0xC82;
pub(super) const EVTSEL: u32 = 0xC8D;
pub(super) const CTR: u32 = 0xC8E;
pub(super) const ASSOC: u32 = 0xC8F;
pub(super) const L3_MASK: u32 = 0xC90;
pub(super) const L2_MASK: u32 = 0xD10;
pub(super) const THROTTLE: u32 = 0xD50;

/// Straps of a small unit: one set of the L3 cache matters at a time, since lines are 8 sets apart.
pub(super) fn straps() -> Straps {
    let level = |sets, ways| Level { sets, ways, masks: true, cdp: true, highest: 3 };
    Straps {
        processors: 2,
        line: 6,
        levels: [level(8, 4), level(4, 2)],
        amd: false,
        sparse: false,
        events: 7,
        max_rmid: 3,
        monitored: 3,
        width: 24,
        scale: 0,
        start: 0,
        write_backs: true,
        package: false,
        settle: 0,
        delays: Some(Delays { highest: 3, most: 90, linear: true, core: false, period: 8 }),
    }
}

/// The same without an L2 cache.
pub(super) fn l3_alone() -> Straps {
    let mut straps = straps();
    straps.levels[L2] = Level::default();
    straps
}

/// What an access does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Read,
    Write,
    Code,
}

/// What an access hits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Hit {
    None,
    L2,
    L3,
}

/// Address of a line of set 0 of both caches.
pub(super) const fn line(n: u64) -> u64 {
    n * 8 * 64
}

/// A line that is read from memory: RMID, class.
pub(super) const fn read(n: u64, rmid: u64, cos: u64) -> Transfer {
    Transfer { write: false, addr: line(n), rmid, cos }
}

/// A line that is written back: RMID.
pub(super) const fn back(n: u64, rmid: u64) -> Transfer {
    Transfer { write: true, addr: line(n), rmid, cos: 0 }
}

/// The unit and its checker.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    pub(super) core: Core,
    /// Inputs of all cycles.
    pub(super) input: In,
    /// Outputs of all cycles.
    pub(super) out: Out,
}

pub(super) type Checked = Result<(), String>;

impl Bench {
    pub(super) fn new(straps: &Straps) -> Self {
        let mut bench = Self { core: Core::new(straps), input: In::default(), out: Out::default() };
        bench.input.power = [straps.levels[L3].ways, straps.levels[L2].ways];
        bench.out.on = bench.input.power;
        for told in &mut bench.out.lp[..straps.processors] {
            told.ready = true;
        }
        bench
    }

    pub(super) fn cycle(&mut self) -> Checked {
        let (input, out) = (self.input, self.out);
        self.core.cycle(&input, &out)
    }

    pub(super) fn idle(&mut self, cycles: u64) -> Checked {
        (0..cycles).try_for_each(|_| self.cycle())
    }

    /// Accepts a request.
    pub(super) fn accept(&mut self, lp: usize, kind: Kind, addr: u64) -> Checked {
        let mut input = self.input;
        let (write, code) = (matches!(kind, Kind::Write), matches!(kind, Kind::Code));
        input.lp[lp] = Wanted { valid: true, write, code, addr };
        self.core.cycle(&input, &self.out)?;
        self.out.lp[lp].ready = false;
        Ok(())
    }

    /// Makes a transfer, local if its address is an even number of lines.
    pub(super) fn transfer(&mut self, mem: Transfer) -> Checked {
        let local = mem.addr >> 6 & 8 == 0;
        let out = Out { mem_req: true, mem, ..self.out };
        self.core.cycle(&self.input, &out)?;
        self.core.cycle(&In { gnt: true, local, ..self.input }, &out)?;
        if !mem.write {
            self.core.cycle(&In { rvalid: true, ..self.input }, &self.out)?;
        }
        Ok(())
    }

    /// Completes an access.
    pub(super) fn done(&mut self, lp: usize, hit: Hit) -> Checked {
        self.out.lp[lp].ready = true;
        let mut out = self.out;
        out.lp[lp] = Told { ready: true, done: true, l2_hit: matches!(hit, Hit::L2), l3_hit: matches!(hit, Hit::L3) };
        self.core.cycle(&self.input, &out)
    }

    /// Makes a whole access.
    pub(super) fn access(&mut self, lp: usize, kind: Kind, addr: u64, hit: Hit, transfers: &[Transfer]) -> Checked {
        self.accept(lp, kind, addr)?;
        transfers.iter().try_for_each(|transfer| self.transfer(*transfer))?;
        self.done(lp, hit)
    }

    /// Makes a request, to which this is the answer.
    pub(super) fn ask(&mut self, ask: Ask, result: u8, data: u64) -> Checked {
        self.core.cycle(&In { ask: Some(ask), ..self.input }, &self.out)?;
        let out = Out { reg_done: true, reg_result: result, reg_rdata: data, ..self.out };
        self.core.cycle(&self.input, &out)
    }

    /// Reads this value, in level 0.
    pub(super) fn reads(&mut self, lp: usize, number: u32, value: u64) -> Checked {
        self.ask(Ask { op: Op::Read, lp, number, level: 0 }, DONE, value)
    }

    /// Writes a value, in level 0.
    pub(super) fn writes(&mut self, lp: usize, number: u32, value: u64) -> Checked {
        self.ask(Ask { op: Op::Write(value), lp, number, level: 0 }, DONE, 0)
    }

    /// Writes a value that is refused.
    pub(super) fn faults(&mut self, number: u32, value: u64) -> Checked {
        self.ask(Ask { op: Op::Write(value), lp: 0, number, level: 0 }, FAULT, 0)
    }

    /// Asks for what does not exist.
    pub(super) fn absent(&mut self, number: u32) -> Checked {
        self.ask(Ask { op: Op::Read, lp: 0, number, level: 0 }, NOT_MINE, 0)
    }

    /// Runs a thread with this RMID and class.
    pub(super) fn runs(&mut self, lp: usize, rmid: u64, class: u64) -> Checked {
        self.writes(lp, ASSOC, class << 32 | rmid)
    }

    /// Selects an event of an RMID and reads this value.
    pub(super) fn counts(&mut self, event: u64, rmid: u64, value: u64) -> Checked {
        self.writes(0, EVTSEL, rmid << 32 | event)?;
        self.reads(0, CTR, value)
    }
}

/// Lanes that exist in no unit stay silent.
pub(super) const NONE: Told = Told { ready: false, done: false, l2_hit: false, l3_hit: false };
const _: () = assert!(MOST == 8);
