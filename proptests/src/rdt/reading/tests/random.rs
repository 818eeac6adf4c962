//! Straps and inputs at random, in plain numbers.

use super::super::Core;
use super::super::Coverage;
use super::super::plain::{Ask, Delays, In, L2, L3, Level, MOST, Op, Out, Straps, Wanted};
use super::bench::{ASSOC, CTR, EVTSEL, L2_MASK, L2_QOS_CFG, L3_MASK, L3_QOS_CFG, THROTTLE};

/// Numbers at random (xorshift).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        for (left, shift) in [(true, 13), (false, 7), (true, 17)] {
            self.0 ^= if left { self.0 << shift } else { self.0 >> shift };
        }
        (self.0 >> 11) % end
    }

    /// Returns whether it is one of `of`.
    pub(super) fn one_of(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    fn from<const N: usize>(&mut self, values: [u64; N]) -> u64 {
        values[self.below(N as u64) as usize]
    }
}

/// Sizes of a unit: logical processors, sets and ways of L3 and L2, RMIDs, classes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) processors: usize,
    pub(super) sets: [u64; 2],
    pub(super) ways: [u64; 2],
    pub(super) rmids: u64,
    pub(super) classes: u64,
}

/// The build `s8w4`.
pub(super) const SMALL: Sizes = Sizes { processors: 2, sets: [8, 4], ways: [4, 2], rmids: 4, classes: 4 };

fn level(random: &mut Random, sizes: &Sizes, at: usize) -> Level {
    let log = u64::from(sizes.sets[at].ilog2()) + 1;
    let masks = !random.one_of(6);
    let highest = if masks { random.below(sizes.classes) } else { 0 };
    Level {
        sets: 1 << random.below(log),
        ways: 1 + random.below(sizes.ways[at]) as u32,
        masks,
        cdp: highest > 0 && !random.one_of(4),
        highest,
    }
}

/// Legal straps.
pub(super) fn straps(random: &mut Random, sizes: &Sizes) -> Straps {
    let mut levels = [level(random, sizes, L3), level(random, sizes, L2)];
    if random.one_of(4) {
        levels[L2] = Level::default();
    }
    let amd = random.one_of(2);
    let period = if random.one_of(4) { 255 } else { 20 };
    let events = if random.one_of(8) { random.below(8) } else { 7 };
    let max_rmid = if events == 0 { 0 } else { random.below(sizes.rmids) };
    let linear = random.one_of(2);
    let delays = Delays {
        highest: random.below(sizes.classes),
        most: 1 + random.below(if linear { 99 } else { 300 }),
        linear,
        core: random.one_of(3),
        period: 1 + random.below(period),
    };
    // CPUID of AMD cannot say 24.
    let width = if amd { 25 } else { 24 } + random.below(29) as u32;
    let scale = if random.one_of(2) { 0 } else { random.below(4) as u32 };
    Straps {
        processors: sizes.processors,
        line: 4 + random.below(5) as u32,
        levels,
        amd,
        sparse: !amd && random.one_of(2),
        events,
        max_rmid,
        monitored: random.below(max_rmid + 1),
        width,
        scale,
        start: if random.one_of(2) { 0 } else { (1_u64 << (width + scale)).wrapping_sub(random.below(40)) },
        write_backs: random.one_of(2),
        package: random.one_of(2),
        settle: if random.one_of(2) { 0 } else { random.below(12) },
        delays: (!random.one_of(4)).then_some(delays),
    }
}

/// What surrounds a unit.
#[derive(Clone, Debug)]
pub(super) struct Around {
    pub(super) random: Random,
    straps: Straps,
    wanted: [Wanted; MOST],
    reading: bool,
    power: [u32; 2],
    /// How often memory answers, registers are asked and lines are wanted: one of so many cycles.
    rates: [u64; 5],
    /// Only the first logical processor wants lines.
    alone: bool,
}

impl Around {
    pub(super) fn new(seed: u64, straps: &Straps) -> Self {
        let power = [straps.levels[L3].ways, straps.levels[L2].ways];
        let mut around = Self {
            random: Random::new(seed),
            straps: *straps,
            wanted: [Wanted::default(); MOST],
            reading: false,
            power,
            rates: [1; 5],
            alone: false,
        };
        around.mood();
        around
    }

    fn mood(&mut self) {
        let r = &mut self.random;
        self.alone = r.one_of(4);
        self.rates = [
            r.from([1, 2, 5]),
            r.from([1, 3, 20]),
            r.from([2, 6, 60, 200]),
            r.from([1, 2, 20, 90]),
            r.from([150, 1 << 20]),
        ];
    }

    fn address(&mut self) -> u64 {
        let Straps { line, levels, .. } = self.straps;
        let set = self.random.below(2);
        let tags = u64::from(levels[L3].ways) + 2;
        let number = set + levels[L3].sets * self.random.below(tags);
        let far = if self.random.one_of(9) { 1 << 51 } else { 0 };
        far | number << line | self.random.below(1 << line)
    }

    fn value(&mut self, number: u32) -> u64 {
        let Straps { levels, max_rmid, delays, .. } = self.straps;
        let r = &mut self.random;
        if r.one_of(12) {
            return r.below(u64::MAX) >> r.below(64);
        }
        match number {
            L3_QOS_CFG | L2_QOS_CFG => r.below(2),
            EVTSEL => r.below(max_rmid + 1) << 32 | if r.one_of(9) { r.below(6) } else { 1 + r.below(3) },
            ASSOC => r.below(4) << 32 | r.below(max_rmid + 1 + u64::from(r.clone().one_of(5))),
            THROTTLE.. => {
                let most = delays.map_or(1, |delays| delays.most);
                r.from([0, r.clone().below(most + 1), r.clone().below(most + 1), most, most + 1])
            }
            _ => {
                let ways = levels[usize::from(number >= L2_MASK)].ways.max(1);
                if r.one_of(4) {
                    return r.below(1 << ways);
                }
                let low = r.below(ways.into());
                let long = if r.one_of(6) { 0 } else { 1 + r.below(u64::from(ways) - low) };
                ((1 << long) - 1) << low
            }
        }
    }

    fn ask(&mut self) -> Ask {
        let processors = self.straps.processors as u64;
        let n = self.random.below(5) as u32;
        let number =
            [CTR, CTR, CTR, EVTSEL, EVTSEL, ASSOC, L3_QOS_CFG, L2_QOS_CFG, L3_MASK + n, L2_MASK + n, THROTTLE + n];
        let number = number[self.random.below(11) as usize];
        let write = if number == CTR { self.random.one_of(40) } else { !self.random.one_of(4) };
        let op = match write {
            _ if self.random.one_of(100) => Op::Other,
            true => Op::Write(self.value(number)),
            false => Op::Read,
        };
        let number = if self.random.one_of(50) { number ^ 1 << self.random.below(12) } else { number };
        let level = if self.random.one_of(20) { self.random.below(4) as u8 } else { 0 };
        Ask { op, lp: self.random.below(processors) as usize, number, level }
    }

    /// Returns the inputs of a cycle with these outputs.
    pub(super) fn input(&mut self, out: &Out) -> In {
        if self.random.one_of(300) {
            self.mood();
        }
        let [gnt, arrives, asks, wants, powers] = self.rates;
        for lp in 0..self.straps.processors {
            let may = lp == 0 || !self.alone;
            if may && !self.wanted[lp].valid && self.random.one_of(wants) {
                let write = self.random.one_of(3);
                self.wanted[lp] = Wanted { valid: true, write, code: self.random.one_of(3), addr: self.address() };
            } else if self.random.one_of(100) {
                self.wanted[lp].valid = false;
            }
        }
        for level in 0..2 {
            if self.random.one_of(powers) {
                self.power[level] = self.random.below(8) as u32 * 3 % (self.straps.levels[level].ways + 2);
            }
        }
        let input = In {
            lp: self.wanted,
            gnt: self.random.one_of(gnt),
            local: self.random.one_of(2),
            rvalid: if self.reading { self.random.one_of(arrives) } else { self.random.one_of(10) },
            power: self.power,
            unavailable: self.random.one_of(20),
            smi: self.random.one_of(50),
            ask: self.random.one_of(asks).then(|| self.ask()),
        };
        for lp in 0..self.straps.processors {
            self.wanted[lp].valid &= !out.lp[lp].ready;
        }
        if out.mem_req && input.gnt {
            self.reading = !out.mem.write;
        } else if input.rvalid {
            self.reading = false;
        }
        input
    }
}

/// A unit.
pub(super) trait Shows {
    fn out(&self) -> Out;
    fn step(&mut self, input: &In);
    fn reset(&mut self);
}

/// Runs a unit for so many cycles and checks it.
pub(super) fn run(unit: &mut impl Shows, seed: u64, straps: &Straps, cycles: u64) -> Result<Coverage, String> {
    let mut core = Core::new(straps);
    let mut around = Around::new(seed, straps);
    for cycle in 0..cycles {
        if around.random.one_of(4000) {
            around = Around::new(seed + cycle, straps);
            unit.reset();
            core.reset();
        }
        let out = unit.out();
        let input = around.input(&out);
        core.cycle(&input, &out)
            .map_err(|text| format!("seed {seed}, cycle {cycle} ({} since reset): {text}", core.now))?;
        unit.step(&input);
    }
    Ok(core.coverage)
}
