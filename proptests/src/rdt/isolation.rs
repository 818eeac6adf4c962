//! Classes that share no way and no line do not see each other: what one hits does not depend on what the others do.

use super::drive::{Access, Completed, Driven, Memory, drive};
use super::random::Chance;
use super::requests::{L2_MASK, L2_QOS_CFG, L3_MASK, L3_QOS_CFG, PQR_ASSOC};
use super::straps::straps;
use super::traffic::{Lines, lines};
use crate::straps::Draw;
use lwp_model::Unit;
use lwp_model::rdt::{Config, Inputs, Outputs, Sizes};
use proptest::collection::vec;
use proptest::prelude::*;

/// Accesses of a logical processor at most.
const ACCESSES: usize = 120;

/// A logical processor and its rivals: once they do one thing, once another.
#[derive(Clone, Debug)]
pub struct Rivals<const LP: usize> {
    /// The straps.
    pub straps: Config,
    /// Registers that are written first: logical processor, number, value.
    pub writes: Vec<(u8, u32, u64)>,
    /// Accesses of each logical processor, in one run and in the other. Those of the first are the same in both.
    pub accesses: [[Vec<Access>; LP]; 2],
    /// How long memory takes.
    pub memory: Memory,
}

/// Generates rivals. If `apart`, the first logical processor has a class whose ways the class of the others may not fill; else all have one
/// class, which may fill all ways. No two of them use a line in common.
pub fn rivals<const LP: usize>(sizes: Sizes, apart: bool) -> BoxedStrategy<Rivals<LP>> {
    let own = vec(access(), 20..=ACCESSES);
    let others = || vec(vec(access(), 0..=ACCESSES), LP - 1);
    let memory = (0..4_u8, 1..4_u8, any::<u64>().no_shrink());
    let seed = any::<u64>().no_shrink();
    (straps(sizes), lines(), own, (others(), others()), memory, seed)
        .prop_map(move |(straps, lines, own, others, (grant, answer, memory), seed)| {
            let mut draw = Draw::new(seed);
            let straps = divided(straps, sizes, &mut draw);
            let writes = if apart { masks(&straps, LP as u8, &mut draw) } else { Vec::new() };
            let own = with_lines(&own, &lines, &straps, 0, &mut draw);
            let run = |others: Vec<Vec<Access>>, draw: &mut Draw| {
                let others: Vec<_> = others.iter().map(|list| with_lines(list, &lines, &straps, 1, draw)).collect();
                core::array::from_fn(|lp| if lp == 0 { own.clone() } else { others[lp - 1].clone() })
            };
            let accesses = [run(others.0, &mut draw), run(others.1, &mut draw)];
            Rivals { straps, writes, accesses, memory: Memory { grant, answer, seed: memory } }
        })
        .boxed()
}

/// Generates an access without its address.
fn access() -> BoxedStrategy<Access> {
    let gap = prop_oneof![3 => Just(0_u8), 1 => 1..=20_u8];
    (gap, any::<bool>(), prop::bool::weighted(0.3))
        .prop_map(|(gap, write, code)| Access { gap, write, code, addr: 0 })
        .boxed()
}

fn with_lines(list: &[Access], lines: &Lines, straps: &Config, part: u64, draw: &mut Draw) -> Vec<Access> {
    list.iter().map(|access| Access { addr: lines.address(draw, straps, part), ..*access }).collect()
}

/// Straps with caches that two classes can divide.
fn divided(straps: Config, sizes: Sizes, draw: &mut Draw) -> Config {
    let highest = sizes.classes as u8 - 1;
    let mut straps = Config {
        l3_ways: straps.l3_ways.max(2),
        l3_cat: true,
        l3_cdp: highest >= 3 && draw.in_16(8),
        l3_cos: highest,
        ..straps
    };
    if straps.l2 {
        straps.l2_ways = straps.l2_ways.max(2);
        (straps.l2_cat, straps.l2_cdp, straps.l2_cos) = (true, highest >= 3 && draw.in_16(8), highest);
    }
    straps
}

/// Writes that give the first logical processor a class of its own, and divide the ways of each cache.
fn masks(straps: &Config, lps: u8, draw: &mut Draw) -> Vec<(u8, u32, u64)> {
    let [l3, l2] = [straps.l3_cdp, straps.l2 && straps.l2_cdp].map(|can| can && draw.in_16(8));
    let own = draw.below(2) as u32;
    let mut writes = Vec::new();
    if straps.l3_cdp {
        writes.push((0, L3_QOS_CFG, l3.into()));
    }
    divide(&mut writes, (L3_MASK, straps.l3_ways), own, l3, draw);
    if straps.l2 {
        if straps.l2_cdp {
            writes.push((0, L2_QOS_CFG, l2.into()));
        }
        divide(&mut writes, (L2_MASK, straps.l2_ways), own, l2, draw);
    }
    writes.extend((0..lps).map(|lp| (lp, PQR_ASSOC, u64::from(if lp == 0 { own } else { 1 - own }) << 32)));
    writes
}

/// Masks of a cache: one class gets ways below a limit, the other gets ways from there on.
fn divide(writes: &mut Vec<(u8, u32, u64)>, (first, ways): (u32, u8), own: u32, cdp: bool, draw: &mut Draw) {
    let limit = 1 + draw.below(usize::from(ways) - 1) as u8;
    for (class, from, to) in [(own, 0, limit), (1 - own, limit, ways)] {
        let registers = if cdp { 2 * class..=2 * class + 1 } else { class..=class };
        for register in registers {
            let start = draw.below(usize::from(to - from)) as u8;
            let length = 1 + draw.below(usize::from(to - from - start)) as u8;
            writes.push((0, first + register, ((1 << length) - 1) << (from + start)));
        }
    }
}

impl<const LP: usize> Rivals<LP> {
    /// Plays both runs. In the second one memory takes as long at other times.
    #[must_use]
    pub fn play<U>(&self) -> [Driven<LP>; 2]
    where
        U: Unit<Config = Config, Inputs = Inputs<LP>, Outputs = Outputs<LP>>,
    {
        let other = Memory { seed: !self.memory.seed, ..self.memory };
        let run = |accesses, memory| drive::<U, LP>(&self.straps, &self.writes, accesses, 1, memory);
        [run(&self.accesses[0], &self.memory), run(&self.accesses[1], &other)]
    }
}

/// Returns what the first logical processor has hit.
#[must_use]
pub fn hits<const LP: usize>(driven: &Driven<LP>) -> Vec<(bool, bool)> {
    driven.completed[0].iter().map(|Completed { l2_hit, l3_hit, .. }| (*l2_hit, *l3_hit)).collect()
}
