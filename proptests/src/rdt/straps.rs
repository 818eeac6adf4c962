//! The straps as factors, and legal straps at random.

use super::Large;
use super::random::{Chance, bits};
use crate::straps::{self, Coverage, Draw, Factor, Pair, every_pair, pairs, set_all};
use lwp_model::rdt::{Config, Sizes, Vendor};
use lwp_model::{Choice, Unit};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Sizes of the build whose straps meet in pairs: the largest.
const LARGEST: Sizes = <Large as super::Build<4>>::SIZES;

/// Every strap.
pub static FACTORS: LazyLock<Vec<Factor<Config>>> = LazyLock::new(|| {
    let numbers: &[(&str, &[u64])] = &[
        ("line", &[4, 5, 6, 7, 8]),
        ("l3_sets", &[0, 1, 3, 6]),
        ("l3_ways", &[1, 2, 4, 16]),
        ("l2_sets", &[0, 1, 2, 4]),
        ("l2_ways", &[0, 1, 2, 8]),
        ("events", &[0, 1, 2, 3, 4, 5, 6, 7]),
        ("max_rmid", &[0, 1, 3, 15]),
        ("l3_max_rmid", &[0, 1, 3, 15]),
        ("width", &[24, 25, 40, 62]),
        ("scale", &[0, 1, 8, 15]),
        ("start", &[0, 1, 1 << 24, (1 << 62) - 64]),
        ("settle", &[0, 1, 255]),
        ("l3_cos", &[0, 1, 2, 7]),
        ("l2_cos", &[0, 1, 2, 7]),
        ("mba_cos", &[0, 1, 2, 7]),
        ("mba_max", &[0, 1, 90, 100]),
        ("mba_period", &[0, 1, 8, 255]),
    ];
    straps::factors::<Large>(numbers, &[])
});

/// Attempts to complete a pair, and candidates of which the one with the most new pairs is taken.
const TRIES: usize = 200;
const CANDIDATES: usize = 16;

/// Straps in which every two values that hardware may have meet, and these pairs.
pub(super) static PAIRWISE: LazyLock<(Vec<Config>, Coverage)> = LazyLock::new(|| {
    let mut draw = Draw::new(2007);
    let (mut configs, mut covered) = (Vec::new(), BTreeSet::<Pair>::new());
    for pair in every_pair(&FACTORS) {
        if covered.contains(&pair) {
            continue;
        }
        let completed = (0..TRIES).filter_map(|_| complete(pair, &mut draw));
        let candidates: Vec<(Config, Vec<Pair>)> = completed.take(CANDIDATES).collect();
        let new = |(_, pairs): &(Config, Vec<Pair>)| pairs.iter().filter(|pair| !covered.contains(pair)).count();
        if let Some((config, pairs)) = candidates.into_iter().max_by_key(new) {
            covered.extend(pairs);
            configs.push(config);
        }
    }
    let mut coverage = Coverage::default();
    coverage.extend(&covered.into_iter().collect::<Vec<Pair>>());
    (configs, coverage)
});

/// Legal straps with this pair, if mending leaves it as it is.
fn complete(pair: Pair, draw: &mut Draw) -> Option<(Config, Vec<Pair>)> {
    let mut config = Config::default();
    let mut levels: Vec<usize> = FACTORS.iter().map(|factor| draw.below(factor.levels)).collect();
    for (index, level) in [pair.0, pair.1] {
        levels[index] = level;
    }
    set_all(&FACTORS, &mut config, levels);
    mend(&mut config, LARGEST, draw);
    let pairs = pairs(&FACTORS, &config);
    (pairs.contains(&pair) && Large::validate(&config).is_ok()).then_some((config, pairs))
}

/// Generates legal straps of a build: the default, those of a set in which every two values meet, or any.
pub fn straps(sizes: Sizes) -> BoxedStrategy<Config> {
    let drawn = any::<u64>().no_shrink().prop_map(move |seed| drawn(sizes, &mut Draw::new(seed)));
    let paired = select(PAIRWISE.0.as_slice()).prop_map(move |straps| fitted(straps, sizes));
    prop_oneof![2 => Just(Config::default()), 3 => paired, 10 => drawn].boxed()
}

/// Legal straps of a build at random.
fn drawn(sizes: Sizes, draw: &mut Draw) -> Config {
    let mut straps = Config {
        line: number(draw, &[4, 6, 8], 4..=8),
        l3_sets: number(draw, &[0, 1], 0..=log2(sizes.l3_sets)),
        l3_ways: number(draw, &[1, 2, 4], 1..=sizes.l3_ways as u8),
        l2: draw.in_16(12),
        l2_sets: number(draw, &[0, 1], 0..=log2(sizes.l2_sets)),
        l2_ways: number(draw, &[1, 2], 1..=sizes.l2_ways as u8),
        vendor: choice(draw),
        sparse: draw.in_16(4),
        events: number(draw, &[7, 7, 7], 0..=7),
        max_rmid: number(draw, &[sizes.rmids as u8 - 1], 0..=sizes.rmids as u8 - 1),
        l3_max_rmid: number(draw, &[sizes.rmids as u8 - 1], 0..=sizes.rmids as u8 - 1),
        width: number(draw, &[24, 24, 62], 24..=62),
        scale: number(draw, &[0, 0, 1], 0..=15),
        start: 0,
        write_backs: draw.in_16(12),
        select: choice(draw),
        settle: number(draw, &[0, 0, 1, 5], 0..=255),
        l3_cat: draw.in_16(14),
        l3_cdp: draw.in_16(10),
        l3_cos: number(draw, &[1, 3], 0..=sizes.classes as u8 - 1),
        l2_cat: draw.in_16(14),
        l2_cdp: draw.in_16(10),
        l2_cos: number(draw, &[1, 3], 0..=sizes.classes as u8 - 1),
        mba: draw.in_16(12),
        mba_cos: number(draw, &[1, 3], 0..=sizes.classes as u8 - 1),
        mba_max: [1, 90, 99, 100, 4095, draw.below(1 << 12)][draw.below(6)] as u16,
        mba_linear: draw.in_16(8),
        mba_scope: choice(draw),
        mba_period: number(draw, &[1, 2, 4, 8], 0..=255),
    };
    if draw.below(32) == 0 {
        // Neither monitoring nor allocation.
        (straps.events, straps.l3_cat, straps.l2_cat, straps.mba) = (0, false, false, false);
        (straps.l3_cdp, straps.l2_cdp, straps.l3_cos, straps.l2_cos, straps.mba_cos) = (false, false, 0, 0, 0);
    }
    mend(&mut straps, sizes, draw);
    straps.start = start(&straps, draw);
    straps
}

/// A value of the bandwidth counters: 0, near a carry beyond what software sees, near 2^62, any.
fn start(straps: &Config, draw: &mut Draw) -> u64 {
    let below = 1 + draw.below(40) as u64;
    match draw.below(4) {
        0 => 0,
        1 => (1 << (straps.width + straps.scale)) - below,
        2 => (1 << 62) - below,
        _ => bits(draw) & ((1 << 62) - 1),
    }
}

fn choice<T: Choice>(draw: &mut Draw) -> T {
    T::ALL[draw.below(T::ALL.len())]
}

/// One of these numbers, or one of the range; at most its end.
fn number(draw: &mut Draw, often: &[u8], range: core::ops::RangeInclusive<u8>) -> u8 {
    let (least, most) = (*range.start(), *range.end());
    let number = if draw.in_16(9) {
        often[draw.below(often.len())]
    } else {
        least + draw.below(usize::from(most - least) + 1) as u8
    };
    number.min(most)
}

fn log2(sets: usize) -> u8 {
    sets.ilog2() as u8
}

/// Straps for a build with no more than it has.
#[must_use]
pub fn fitted(straps: Config, sizes: Sizes) -> Config {
    let class = sizes.classes as u8 - 1;
    let rmid = sizes.rmids as u8 - 1;
    Config {
        l3_sets: straps.l3_sets.min(log2(sizes.l3_sets)),
        l3_ways: straps.l3_ways.min(sizes.l3_ways as u8),
        l2_sets: straps.l2_sets.min(log2(sizes.l2_sets)),
        l2_ways: straps.l2_ways.min(sizes.l2_ways as u8),
        max_rmid: straps.max_rmid.min(rmid),
        l3_max_rmid: straps.l3_max_rmid.min(rmid),
        l3_cos: straps.l3_cos.min(class),
        l2_cos: straps.l2_cos.min(class),
        mba_cos: straps.mba_cos.min(class),
        ..straps
    }
}

/// Changes what is illegal, one of the straps that contradict each other at random.
fn mend(straps: &mut Config, sizes: Sizes, draw: &mut Draw) {
    *straps = fitted(*straps, sizes);
    let mut coin = || draw.in_16(8);
    let of_l2 = straps.l2_sets > 0 || straps.l2_ways > 0 || straps.l2_cat || straps.l2_cdp || straps.l2_cos > 0;
    if !straps.l2 && of_l2 {
        if coin() {
            straps.l2 = true;
        } else {
            (straps.l2_sets, straps.l2_ways, straps.l2_cos) = (0, 0, 0);
            (straps.l2_cat, straps.l2_cdp) = (false, false);
        }
    }
    straps.l3_ways = straps.l3_ways.max(1);
    if straps.l2 && straps.l2_ways == 0 {
        straps.l2_ways = 1;
    }
    if straps.sparse && straps.vendor == Vendor::Amd {
        if coin() { straps.sparse = false } else { straps.vendor = Vendor::Intel }
    }
    if straps.l3_max_rmid > straps.max_rmid {
        if coin() { straps.l3_max_rmid = straps.max_rmid } else { straps.max_rmid = straps.l3_max_rmid }
    }
    if straps.max_rmid > 0 && straps.events == 0 {
        if coin() { straps.events = 7 } else { (straps.max_rmid, straps.l3_max_rmid) = (0, 0) }
    }
    if straps.width + straps.scale > 62 {
        if coin() { straps.scale = 62 - straps.width } else { straps.width = 62 - straps.scale }
    }
    if straps.width == 24 && straps.vendor == Vendor::Amd && straps.events != 0 {
        if coin() { straps.width = 25 } else { straps.vendor = Vendor::Intel }
    }
    classes(&mut straps.l3_cat, &mut straps.l3_cdp, &mut straps.l3_cos, coin());
    classes(&mut straps.l2_cat, &mut straps.l2_cdp, &mut straps.l2_cos, !straps.l2 || coin());
    bandwidth(straps, coin(), coin());
}

/// The masks of a cache; `less` is whether what contradicts goes, or what it needs comes.
fn classes(cat: &mut bool, cdp: &mut bool, cos: &mut u8, less: bool) {
    if !*cat && (*cdp || *cos > 0) {
        if less { (*cdp, *cos) = (false, 0) } else { *cat = true }
    }
    if *cdp && *cos == 0 {
        if less { *cdp = false } else { *cos = 1 }
    }
}

/// The delays; `less` is whether what contradicts goes, or what it needs comes.
fn bandwidth(straps: &mut Config, less: bool, linear: bool) {
    let none = straps.mba_max == 0 || straps.mba_period == 0;
    if straps.mba && none || !straps.mba && straps.mba_cos > 0 {
        (straps.mba, straps.mba_cos) = if less { (false, 0) } else { (true, straps.mba_cos) };
    }
    if straps.mba {
        (straps.mba_max, straps.mba_period) = (straps.mba_max.max(1), straps.mba_period.max(1));
        if straps.mba_linear && straps.mba_max > 99 {
            if linear { straps.mba_max = 90 } else { straps.mba_linear = false }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::Small;
    use crate::runner::draw;
    use crate::straps::name;

    #[test]
    fn drawn_straps_are_legal() {
        for seed in 0..3000 {
            let small = draw(seed, &straps(<Small as super::super::Build<2>>::SIZES));
            assert_eq!(Small::validate(&small), Ok(()), "{small:?}");
            let large = draw(seed, &straps(LARGEST));
            assert_eq!(Large::validate(&large), Ok(()), "{large:?}");
        }
    }

    /// Two straps, and the values of each that hardware may not have together.
    type Illegal = (&'static str, &'static [usize], &'static str, &'static [usize]);

    const ANY: &[usize] = &[1, 2, 3];
    const ILLEGAL: &[Illegal] = &[
        // Without an L2 cache it has no size and no classes; with one it has a way.
        ("l2", &[0], "l2_sets", ANY),
        ("l2", &[0], "l2_ways", ANY),
        ("l2", &[0], "l2_cat", &[1]),
        ("l2", &[0], "l2_cdp", &[1]),
        ("l2", &[0], "l2_cos", ANY),
        ("l2", &[1], "l2_ways", &[0]),
        ("l2_sets", ANY, "l2_ways", &[0]),
        ("l2_ways", &[0], "l2_cat", &[1]),
        ("l2_ways", &[0], "l2_cdp", &[1]),
        ("l2_ways", &[0], "l2_cos", ANY),
        // Masks of AMD are never restricted.
        ("vendor", &[1], "sparse", &[1]),
        // RMIDs are monitored, and no more than there are.
        ("events", &[0], "max_rmid", ANY),
        ("events", &[0], "l3_max_rmid", ANY),
        ("max_rmid", &[0], "l3_max_rmid", ANY),
        ("max_rmid", &[1], "l3_max_rmid", &[2, 3]),
        ("max_rmid", &[2], "l3_max_rmid", &[3]),
        // A counter has 62 bits.
        ("width", &[3], "scale", ANY),
        // Classes have masks; a pair of masks needs two.
        ("l3_cat", &[0], "l3_cdp", &[1]),
        ("l3_cat", &[0], "l3_cos", ANY),
        ("l3_cdp", &[1], "l3_cos", &[0]),
        ("l2_cat", &[0], "l2_cdp", &[1]),
        ("l2_cat", &[0], "l2_cos", ANY),
        ("l2_cdp", &[1], "l2_cos", &[0]),
        // Classes have delays, which are not 0.
        ("mba", &[0], "mba_cos", ANY),
        ("mba", &[1], "mba_max", &[0]),
        ("mba", &[1], "mba_period", &[0]),
        ("mba_cos", ANY, "mba_max", &[0]),
        ("mba_cos", ANY, "mba_period", &[0]),
    ];

    #[test]
    fn only_what_no_hardware_may_have_does_not_meet() {
        let mut all = Coverage::default();
        all.extend(&every_pair(&FACTORS));
        let missing: BTreeSet<String> = PAIRWISE.1.missing(&all).map(|pair| name(&FACTORS, pair)).collect();
        let illegal = ILLEGAL.iter().flat_map(|(first, some, second, others)| {
            some.iter().flat_map(move |a| others.iter().map(move |b| format!("{first}={a} with {second}={b}")))
        });
        assert_eq!(missing, illegal.collect());
    }
}
