//! Sets of straps in which every two values of two straps meet, if they legally can.

use super::factors::FACTORS;
use lwp_model::lwp::Config;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Two straps and a value of each: indices into [`FACTORS`], and levels.
pub type Pair = ((usize, usize), (usize, usize));

/// Which pairs of strap values have been seen together.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Coverage(BTreeSet<Pair>);

impl Coverage {
    /// Notes every pair in `config`.
    pub fn add(&mut self, config: &Config) {
        self.0.extend(pairs(config));
    }

    /// How many pairs were seen.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pairs of `all` that were not seen, in words.
    #[must_use]
    pub fn missing(&self, all: &Self) -> Vec<String> {
        all.0.difference(&self.0).map(name).collect()
    }
}

/// A pair in words.
fn name(pair: &Pair) -> String {
    let ((first, a), (second, b)) = *pair;
    format!("{}={a} with {}={b}", FACTORS[first].name, FACTORS[second].name)
}

fn pairs(config: &Config) -> impl Iterator<Item = Pair> {
    let levels: Vec<usize> = FACTORS.iter().map(|factor| (factor.level)(config)).collect();
    (0..levels.len()).flat_map(move |first| {
        let levels = levels.clone();
        (first + 1..levels.len()).map(move |second| ((first, levels[first]), (second, levels[second])))
    })
}

/// A small deterministic source of numbers; the sets must not change from run to run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// How often a pair is tried before it counts as one that cannot be. The rarest legal pair needs about 40 tries.
const TRIES: usize = 4000;
/// Out of how many candidates the one with the most new pairs is taken.
const CANDIDATES: usize = 24;

/// Legal straps in which every pair that can meet does, and those pairs.
#[must_use]
pub fn pairwise() -> (Vec<Config>, Coverage) {
    let mut draw = Draw(2007);
    let (mut configs, mut covered) = (Vec::new(), Coverage::default());
    for pair in every_pair() {
        if covered.0.contains(&pair) {
            continue;
        }
        let candidates: Vec<Config> = (0..TRIES).filter_map(|_| complete(pair, &mut draw)).take(CANDIDATES).collect();
        let new = |config: &Config| pairs(config).filter(|pair| !covered.0.contains(pair)).count();
        if let Some(best) = candidates.into_iter().max_by_key(new) {
            covered.add(&best);
            configs.push(best);
        }
    }
    (configs, covered)
}

fn every_pair() -> impl Iterator<Item = Pair> {
    let count = FACTORS.len();
    (0..count).flat_map(move |first| (first + 1..count).map(move |second| (first, second))).flat_map(
        |(first, second)| {
            let levels = move |a| (0..FACTORS[second].levels).map(move |b| ((first, a), (second, b)));
            (0..FACTORS[first].levels).flat_map(levels)
        },
    )
}

/// Random straps with this pair, if they are legal.
fn complete(pair: Pair, draw: &mut Draw) -> Option<Config> {
    let mut config = Config::default();
    for factor in FACTORS {
        (factor.set)(&mut config, draw.below(factor.levels));
    }
    for (index, level) in [pair.0, pair.1] {
        (FACTORS[index].set)(&mut config, level);
    }
    config.core_id = draw.below(256) as u8;
    config.lfsr_seed = 1 + draw.below(u32::MAX as usize) as u32;
    config.validate().is_ok().then_some(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_book_forbids_does_not_meet() {
        let (configs, covered) = pairwise();
        assert!(configs.iter().all(|config| config.validate().is_ok()));
        let mut all = Coverage::default();
        all.0.extend(every_pair());
        let mut missing = covered.missing(&all);
        missing.sort();
        assert_eq!(
            missing,
            [
                "gather_policy=0 with one_per_instr=0",
                "latency_filter=0 with level_filter=0",
                "latency_step=0 with latency_phase=1",
                "one_per_instr=0 with fault_policy=1",
                "store_timing=0 with fault_policy=1",
                "tail_reread=0 with tail_nth=1",
                "tail_reread=0 with tail_nth=2",
            ]
        );
        assert!(configs.len() < 60, "{} sets of straps", configs.len());
    }
}
