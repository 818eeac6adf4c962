//! Logical processors that keep to the protocol, next to the model: each holds a request until it is accepted, and memory answers within a bound.

use super::random::Chance;
use crate::lockstep::UnitCycle;
use crate::straps::Draw;
use lwp_model::Unit;
use lwp_model::rdt::{Config, Inputs, Outputs, Power};
use lwp_model::retire::{RegOp, RegRequest};
use std::collections::VecDeque;

/// An access of a logical processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Cycles without a request before it.
    pub gap: u8,
    /// The access writes.
    pub write: bool,
    /// The access fetches code.
    pub code: bool,
    /// Physical address.
    pub addr: u64,
}

/// How an access ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completed {
    /// Cycle in which the request was accepted.
    pub accepted: usize,
    /// Cycle in which it was complete.
    pub done: usize,
    /// It hit the L2 cache.
    pub l2_hit: bool,
    /// It hit the L3 cache.
    pub l3_hit: bool,
}

/// The longest that memory takes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Cycles in which a request is pending and not granted.
    pub grant: u8,
    /// Cycles from the grant to the line, at least 1.
    pub answer: u8,
    /// Seed of the cycles that it does take.
    pub seed: u64,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Driven<const LP: usize> {
    /// The cycles from power-up on.
    pub cycles: Vec<UnitCycle<Inputs<LP>>>,
    /// What each logical processor completed, in its order.
    pub completed: [Vec<Completed>; LP],
}

/// Cycles after which a run is given up.
const MOST: usize = 1_000_000;

/// Power for all ways of every build.
const ALL: Power = Power { l3_power: 31, l2_power: 15 };

/// Writes registers, then plays the accesses of each logical processor until the first `wanted` of them have completed theirs.
///
/// # Panics
///
/// If the straps are illegal, or the run does not end.
#[must_use]
pub fn drive<U, const LP: usize>(
    straps: &Config,
    writes: &[(u8, u32, u64)],
    accesses: &[Vec<Access>; LP],
    wanted: usize,
    memory: &Memory,
) -> Driven<LP>
where
    U: Unit<Config = Config, Inputs = Inputs<LP>, Outputs = Outputs<LP>>,
{
    drive_and_shrink::<U, LP>(straps, writes, accesses, wanted, memory, &[])
}

/// As [`drive`]; then the ways of the caches that have power change to each of `powers`, until the walk is done.
///
/// # Panics
///
/// As [`drive`].
#[must_use]
pub fn drive_and_shrink<U, const LP: usize>(
    straps: &Config,
    writes: &[(u8, u32, u64)],
    accesses: &[Vec<Access>; LP],
    wanted: usize,
    memory: &Memory,
    powers: &[Power],
) -> Driven<LP>
where
    U: Unit<Config = Config, Inputs = Inputs<LP>, Outputs = Outputs<LP>>,
{
    let unit = U::new(*straps).unwrap_or_else(|error| panic!("illegal straps: {error}"));
    let first = UnitCycle { reset: true, inputs: Inputs::default() };
    let mut run = Run {
        unit,
        power: ALL,
        driven: Driven { cycles: vec![first], completed: core::array::from_fn(|_| Vec::new()) },
        port: Port { memory: *memory, draw: Draw::new(memory.seed), wait: None, answers: VecDeque::new() },
        lps: accesses.each_ref().map(|list| Requester {
            rest: list,
            gap: list.first().map_or(0, |first| first.gap),
            accepted: 0,
        }),
    };
    for &(lp, number, wdata) in writes {
        run.cycle(RegRequest { valid: true, op: RegOp::Wrmsr, lp, number, wdata }, false);
    }
    while (0..wanted).any(|lp| run.driven.completed[lp].len() < accesses[lp].len()) {
        run.cycle(RegRequest::default(), true);
        run.ends();
    }
    for &power in powers {
        run.power = power;
        let wanted = (power.l3_power.min(straps.l3_ways), power.l2_power.min(straps.l2_ways));
        while (run.unit.outputs().l3_on, run.unit.outputs().l2_on) != wanted || run.unit.outputs().walking {
            run.cycle(RegRequest::default(), false);
            run.ends();
        }
    }
    run.driven
}

/// A logical processor: accesses that it has not made.
struct Requester<'a> {
    rest: &'a [Access],
    gap: u8,
    accepted: usize,
}

/// The memory port's other side.
struct Port {
    memory: Memory,
    draw: Draw,
    /// Cycles until the pending request is granted.
    wait: Option<u8>,
    /// Cycles until the lines that were asked for arrive.
    answers: VecDeque<u8>,
}

struct Run<'a, U, const LP: usize> {
    unit: U,
    power: Power,
    driven: Driven<LP>,
    port: Port,
    lps: [Requester<'a>; LP],
}

impl<U, const LP: usize> Run<'_, U, LP>
where
    U: Unit<Config = Config, Inputs = Inputs<LP>, Outputs = Outputs<LP>>,
{
    fn ends(&self) {
        assert!(self.driven.cycles.len() < MOST, "the run does not end");
    }

    fn cycle(&mut self, reg: RegRequest, accesses: bool) {
        let out = self.unit.outputs();
        let now = self.driven.cycles.len();
        let mut inputs = Inputs { power: self.power, reg, ..Inputs::default() };
        self.port.answer(&mut inputs, out.mem_req, out.mem_write);
        for (lp, requester) in self.lps.iter_mut().enumerate() {
            let shown = &out.lp[lp];
            if shown.done {
                let completed =
                    Completed { accepted: requester.accepted, done: now, l2_hit: shown.l2_hit, l3_hit: shown.l3_hit };
                self.driven.completed[lp].push(completed);
            }
            if accesses {
                requester.request(&mut inputs.lp[lp], shown.req_ready, now);
            }
        }
        self.unit.step(&inputs);
        self.driven.cycles.push(UnitCycle { reset: false, inputs });
    }
}

impl Requester<'_> {
    fn request(&mut self, lp: &mut lwp_model::rdt::LpInputs, ready: bool, now: usize) {
        let Some((access, rest)) = self.rest.split_first() else { return };
        if self.gap > 0 {
            self.gap -= 1;
            return;
        }
        (lp.req_valid, lp.req_write, lp.req_code, lp.req_addr) = (true, access.write, access.code, access.addr);
        if ready {
            self.accepted = now;
            self.rest = rest;
            self.gap = rest.first().map_or(0, |next| next.gap);
        }
    }
}

impl Port {
    fn answer<const LP: usize>(&mut self, inputs: &mut Inputs<LP>, req: bool, write: bool) {
        inputs.mem.mem_local = self.draw.in_16(8);
        if let Some(first) = self.answers.front_mut() {
            *first -= 1;
            if *first == 0 {
                self.answers.pop_front();
                inputs.mem.mem_rvalid = true;
            }
        }
        if !req {
            return;
        }
        let most = usize::from(self.memory.grant) + 1;
        let wait = self.wait.unwrap_or_else(|| self.draw.below(most) as u8);
        inputs.mem.mem_gnt = wait == 0;
        self.wait = (wait > 0).then(|| wait - 1);
        if inputs.mem.mem_gnt && !write {
            self.answers.push_back(1 + self.draw.below(self.memory.answer.into()) as u8);
        }
    }
}
