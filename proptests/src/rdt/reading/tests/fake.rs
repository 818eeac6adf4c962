//! A unit with the caches and registers of the checker, and cycles of its own. It shows that the checker accepts more than one timing,
//! and, with a bug, what it notices.

use super::super::Coverage;
use super::super::bandwidth::Bandwidth;
use super::super::pace::price;
use super::super::plain::{Ask, In, L2, L3, MOST, Op, Out, Straps, Told, Transfer};
use super::super::registers::{Data, Registers, ones};
use super::super::world::{Access, Choices, Effects, World, written_back};
use super::random::{Random, SMALL, Shows, run, straps};

/// Something that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bug {
    None,
    /// A hit takes the line over.
    HitCharges,
    /// Masks are not looked at.
    NoMasks,
    /// Code and data are exchanged.
    CodeForData,
    /// RMID and class of the moment at which an access is taken up.
    LateThread,
    /// Victims are chosen by the lowest way.
    NoAge,
    /// Written lines are not written back when a way loses power.
    LostLines,
    /// Masks hold while ways are missing.
    MasksWithoutPower,
    /// An access is charged one cycle's credit less.
    Cheap,
    /// Nothing is earned.
    Broke,
    /// The L3 cache does not empty the L2 cache.
    NotInclusive,
    /// All transfers are local.
    AllLocal,
    /// An SMI sets RMID and class to 0.
    SmiClears,
    /// Reset leaves the lines.
    ResetKeeps,
    /// Error does not hide Unavailable.
    UnavailableFirst,
    /// Lines are written back for the RMID of the access.
    BackForAccess,
}

const BUGS: [Bug; 15] = [
    Bug::HitCharges,
    Bug::NoMasks,
    Bug::CodeForData,
    Bug::LateThread,
    Bug::NoAge,
    Bug::LostLines,
    Bug::MasksWithoutPower,
    Bug::Cheap,
    Bug::Broke,
    Bug::NotInclusive,
    Bug::AllLocal,
    Bug::SmiClears,
    Bug::ResetKeeps,
    Bug::UnavailableFirst,
    Bug::BackForAccess,
];

/// The unit.
#[derive(Clone, Debug)]
struct Fake {
    straps: Straps,
    bug: Bug,
    random: Random,
    registers: Registers,
    world: World,
    bandwidth: Bandwidth,
    accesses: [Option<Access>; MOST],
    credit: [u64; MOST],
    /// The access that was taken up, its transfers and its effects.
    taken: Option<(usize, Vec<Transfer>, Effects)>,
    /// Lines that leave.
    leaving: Vec<Transfer>,
    reading: bool,
    now: u64,
    out: Out,
}

impl Fake {
    fn new(straps: &Straps, bug: Bug, seed: u64) -> Self {
        let mut random = Random::new(seed + 99);
        let choices = Choices::all().nth(random.below(16) as usize).unwrap();
        let mut out = Out { on: [straps.levels[L3].ways, straps.levels[L2].ways], ..Out::default() };
        out.lp[..straps.processors].fill(Told { ready: true, ..Told::default() });
        Self {
            straps: *straps,
            bug,
            random,
            registers: Registers::new(straps),
            world: World::new(straps, choices),
            bandwidth: Bandwidth::default(),
            accesses: [None; MOST],
            credit: [0; MOST],
            taken: None,
            leaving: Vec::new(),
            reading: false,
            now: 0,
            out,
        }
    }

    fn answer(&mut self, input: &In) -> (bool, u8, u64) {
        let Some(ask) = input.ask else { return (false, 0, 0) };
        let answer = self.registers.request(&self.straps, &ask, self.now, input.unavailable);
        let mut data = match answer.data {
            Data::Value(value) => value,
            Data::Occupancy(rmid) => self.world.occupancy(rmid) >> self.straps.scale,
            Data::Bandwidth(rmid, local) => self.bandwidth.value(&self.straps, rmid, local),
        };
        if self.bug == Bug::UnavailableFirst && data == 1 << 63 && input.unavailable {
            data = 1 << 62;
        }
        (true, answer.result, data)
    }

    fn fill(&self, access: &Access) -> [u64; 2] {
        [L3, L2].map(|level| {
            let ways = self.straps.levels[level].ways;
            let code = access.code != (self.bug == Bug::CodeForData && !access.write);
            let mask = self.registers.limits.ways(&self.straps, level, access.class, code);
            match self.out.on[level] {
                on if on < ways && self.bug == Bug::MasksWithoutPower && mask & ones(on) != 0 => mask & ones(on),
                on if on < ways => ones(on),
                _ if self.bug == Bug::NoMasks => ones(ways),
                _ => mask,
            }
        })
    }

    /// Takes up an access that has credit.
    fn take(&mut self) {
        let first = self.random.below(self.straps.processors as u64) as usize;
        for at in 0..self.straps.processors {
            let lp = (first + at) % self.straps.processors;
            let Some(mut access) = self.accesses[lp] else { continue };
            let due = self.due(lp);
            if self.world.caches[L2].find(access.number).is_none() && self.credit[lp] < due {
                continue;
            }
            if self.bug == Bug::LateThread {
                (access.rmid, access.class) = self.registers.thread(lp);
            }
            let fill = self.fill(&access);
            if self.bug == Bug::NoAge {
                for level in [L3, L2] {
                    for way in (0..self.straps.levels[level].ways).rev() {
                        let line = self.world.caches[level].in_way(access.number, way);
                        line.map(|line| self.world.caches[level].touch(line.number));
                    }
                }
            }
            let before = self.world.clone();
            let l2_hit = self.world.caches[L2].find(access.number).is_some();
            let effects = self.world.access(&self.straps, &access, fill, l2_hit);
            let mut transfers = effects.transfers.clone();
            self.spoil(&access, &before, &effects, &mut transfers);
            if self.random.one_of(2) {
                transfers.reverse();
            }
            if !effects.l2_hit {
                self.credit[lp] = self.credit[lp].saturating_sub(due);
            }
            self.taken = Some((lp, transfers, effects));
            return;
        }
    }

    fn spoil(&mut self, access: &Access, before: &World, effects: &Effects, transfers: &mut [Transfer]) {
        match self.bug {
            Bug::HitCharges => {
                if let Some(line) = self.world.caches[L3].touch(access.number) {
                    line.rmid = access.rmid;
                }
            }
            Bug::NotInclusive if effects.left.is_some() => {
                for line in before.caches[L2].lines() {
                    let ways = &self.world.caches[L2];
                    if ways.find(line.number).is_none() && ways.in_way(line.number, line.way).is_none() {
                        self.world.caches[L2].push(*line);
                    }
                }
            }
            Bug::BackForAccess if effects.filled.is_some() => {
                transfers.iter_mut().for_each(|transfer| transfer.rmid = access.rmid);
            }
            _ => (),
        }
    }

    /// What an access of a logical processor has to have earned.
    fn due(&self, lp: usize) -> u64 {
        let [rate, cost] = self.price(lp);
        if self.bug == Bug::Cheap { cost - cost / 5 - rate.min(cost / 5) } else { cost }
    }

    fn price(&self, lp: usize) -> [u64; 2] {
        let delay = |lp: usize| self.registers.limits.delay(self.registers.thread(lp).1);
        let Some(delays) = self.straps.delays else { return [0, 0] };
        let most = (0..self.straps.processors).map(delay).max().unwrap_or(0);
        price(&delays, if delays.core { most } else { delay(lp) }).unwrap_or([0, 0])
    }

    fn earn(&mut self) {
        for lp in 0..self.straps.processors {
            let [rate, cost] = self.price(lp);
            let rate = if self.bug == Bug::Broke { rate / 5 } else { rate };
            self.credit[lp] = (self.credit[lp] + rate).min(cost);
        }
    }

    /// Moves on by a step of the caches.
    fn work(&mut self, input: &In) -> Out {
        let mut out = Out { on: self.out.on, walking: self.out.walking, ..Out::default() };
        let idle = !self.random.one_of(5);
        if self.out.mem_req && !input.gnt || self.reading || !idle {
            (out.mem_req, out.mem) = (self.out.mem_req && !input.gnt, Transfer::default());
            if out.mem_req {
                out.mem = self.out.mem;
            }
        } else if let Some((lp, transfers, effects)) = &mut self.taken {
            if transfers.is_empty() {
                let Effects { l2_hit, l3_hit, .. } = *effects;
                out.lp[*lp] = Told { ready: false, done: true, l2_hit, l3_hit };
                self.accesses[*lp] = None;
                self.taken = None;
            } else {
                (out.mem_req, out.mem) = (true, transfers.remove(0));
            }
        } else if let Some(transfer) = self.leaving.pop() {
            (out.mem_req, out.mem) = (true, transfer);
        } else if self.out.walking {
            out.walking = false;
        } else {
            self.switch(input, &mut out);
            if !out.walking {
                self.take();
            }
        }
        out
    }

    fn switch(&mut self, input: &In, out: &mut Out) {
        let asked = [L3, L2].map(|level| input.power[level].min(self.straps.levels[level].ways));
        out.walking = asked[L3] < out.on[L3] || asked[L2] < out.on[L2];
        out.on = asked;
        for line in self.world.caches[L2].ways_from(asked[L2]) {
            self.world.drop_l2(&line);
        }
        for line in self.world.caches[L3].ways_from(asked[L3]) {
            self.world.caches[L2].remove(line.number);
            self.world.caches[L3].remove(line.number);
            if line.dirty && self.bug != Bug::LostLines {
                self.leaving.push(written_back(&self.straps, &line));
            }
        }
    }
}

impl Shows for Fake {
    fn out(&self) -> Out {
        self.out
    }

    fn step(&mut self, input: &In) {
        self.now += 1;
        let threads: Vec<(u64, u64)> = (0..self.straps.processors).map(|lp| self.registers.thread(lp)).collect();
        self.earn();
        let (reg_done, reg_result, reg_rdata) = self.answer(input);
        if self.out.mem_req && input.gnt {
            self.bandwidth.count(&self.straps, &self.out.mem, input.local || self.bug == Bug::AllLocal);
            self.reading = !self.out.mem.write;
        } else if input.rvalid {
            self.reading = false;
        }
        let mut out = self.work(input);
        for (lp, (rmid, class)) in threads.into_iter().enumerate() {
            if input.lp[lp].valid && self.out.lp[lp].ready {
                let wanted = input.lp[lp];
                let number = wanted.addr >> self.straps.line;
                let code = wanted.code && !wanted.write;
                self.accesses[lp] = Some(Access { write: wanted.write, code, number, rmid, class, accepted: self.now });
            }
            out.lp[lp].ready = self.accesses[lp].is_none();
        }
        if self.bug == Bug::SmiClears && input.smi {
            let ask = Ask { op: Op::Write(0), lp: 0, number: 0xC8F, level: 0 };
            self.registers.request(&self.straps, &ask, self.now, false);
        }
        self.out = Out { reg_done, reg_result, reg_rdata, ..out };
    }

    fn reset(&mut self) {
        let seed = self.random.below(1 << 40);
        let mut new = Self::new(&self.straps, self.bug, seed);
        new.world = World::new(&self.straps, self.world.choices);
        if self.bug == Bug::ResetKeeps {
            new.world.caches = self.world.caches.clone();
        }
        *self = new;
    }
}

fn play(bug: Bug, seed: u64, cycles: u64) -> Result<Coverage, String> {
    let straps = straps(&mut Random::new(seed), &SMALL);
    run(&mut Fake::new(&straps, bug, seed), seed, &straps, cycles)
}

#[test]
fn another_timing_is_accepted() {
    let mut total = Coverage::default();
    for seed in 0..100 {
        total += play(Bug::None, seed, 3000).unwrap();
    }
    println!("{total:#?}");
    for (what, count) in total.list() {
        assert!(count > 0 || ["unjudged", "lost", "early"].contains(&what), "no {what}");
    }
    assert_eq!((total.unjudged, total.lost), (0, 0));
}

#[test]
fn bugs_are_noticed() {
    for bug in BUGS {
        let noticed = (0..60).filter(|seed| play(bug, *seed, 3000).is_err()).count();
        println!("{bug:?}: noticed in {noticed} of 60 runs");
        assert!(noticed >= 1, "{bug:?} is noticed in {noticed} runs");
    }
}
