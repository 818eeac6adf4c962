//! Straps as factors with levels, whose combinations can be generated, counted and covered.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Strap of a configuration `C`.
#[derive(Clone, Copy, Debug)]
pub struct Factor<C> {
    /// Name of the strap.
    pub name: &'static str,
    /// Number of values that are distinguished.
    pub levels: usize,
    /// Function that sets the strap to one of these values.
    pub set: fn(&mut C, usize),
    /// Function that returns the value of the strap.
    pub level: fn(&C) -> usize,
    /// Function that returns the name of a value.
    pub label: fn(usize) -> String,
}

/// Returns the factor of a strap of one bit.
macro_rules! flag {
    ($field:ident) => {
        $crate::straps::Factor {
            name: stringify!($field),
            levels: 2,
            set: |config, level| config.$field = level == 1,
            level: |config| usize::from(config.$field),
            label: |level| level.to_string(),
        }
    };
}
pub(crate) use flag;

/// Returns the factor of a strap that is a choice.
macro_rules! choice {
    ($field:ident, $type:ident) => {
        $crate::straps::Factor {
            name: stringify!($field),
            levels: $type::ALL.len(),
            set: |config, level| config.$field = $type::ALL[level],
            level: |config| config.$field as usize,
            label: |level| $type::ALL[level].name().to_owned(),
        }
    };
}
pub(crate) use choice;

/// Returns the factor of a strap that is a number. The values are ranges of numbers.
macro_rules! number {
    ($field:ident, $values:expr) => {
        $crate::straps::Factor {
            name: stringify!($field),
            levels: $values.len(),
            set: |config, level| config.$field = $values[level],
            level: |config| $values.iter().rposition(|value| config.$field >= *value).unwrap_or_default(),
            label: |level| {
                let least = $values[level];
                match $values.get(level + 1) {
                    None => format!("{least} or more"),
                    Some(next) if *next == least + 1 => least.to_string(),
                    Some(next) => format!("{least} to {}", next - 1),
                }
            },
        }
    };
}
pub(crate) use number;

/// Two straps and a value of each: indices of factors, and levels.
pub type Pair = ((usize, usize), (usize, usize));

/// Set of pairs of strap values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage(BTreeSet<Pair>);

impl Coverage {
    /// Adds every pair in `config`.
    pub fn add<C>(&mut self, factors: &[Factor<C>], config: &C) {
        self.0.extend(pairs(factors, config));
    }

    /// Adds pairs.
    pub fn extend(&mut self, pairs: &[Pair]) {
        self.0.extend(pairs);
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the pairs of `all` that are not in this set.
    pub fn missing<'a>(&'a self, all: &'a Self) -> impl Iterator<Item = &'a Pair> {
        all.0.difference(&self.0)
    }
}

/// Returns every pair of strap values of a configuration.
pub fn pairs<C>(factors: &[Factor<C>], config: &C) -> Vec<Pair> {
    let levels: Vec<usize> = factors.iter().map(|factor| (factor.level)(config)).collect();
    let with = |first: usize| {
        let levels = &levels;
        (first + 1..levels.len()).map(move |second| ((first, levels[first]), (second, levels[second])))
    };
    (0..levels.len()).flat_map(with).collect()
}

/// Returns a pair as text.
#[must_use]
pub fn name<C>(factors: &[Factor<C>], pair: &Pair) -> String {
    let ((first, a), (second, b)) = *pair;
    format!("{}={a} with {}={b}", factors[first].name, factors[second].name)
}

/// Returns the values of all straps, in order, each as `rate:invariant`.
#[must_use]
pub fn values<C>(factors: &[Factor<C>]) -> Vec<String> {
    let of = |factor: &Factor<C>| {
        let (name, label) = (factor.name, factor.label);
        (0..factor.levels).map(move |level| format!("{name}:{}", label(level))).collect::<Vec<_>>()
    };
    factors.iter().flat_map(of).collect()
}

/// Small deterministic generator of numbers: the sets must not change from run to run.
#[derive(Debug)]
pub struct Draw(u64);

impl Draw {
    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Number of attempts after which a pair is taken to be illegal. The rarest legal pair needs about 40 attempts.
const TRIES: usize = 4000;
/// Number of candidates, of which the one with the most new pairs is taken.
const CANDIDATES: usize = 24;

/// Returns legal straps that contain every legal pair, and those pairs. `legal` sets straps that are not factors at random, and returns
/// whether the straps are legal.
pub fn pairwise<C: Default>(factors: &[Factor<C>], legal: impl Fn(&mut C, &mut Draw) -> bool) -> (Vec<C>, Coverage) {
    let mut draw = Draw(2007);
    let (mut configs, mut covered) = (Vec::new(), Coverage::default());
    for pair in every_pair(factors) {
        if covered.0.contains(&pair) {
            continue;
        }
        let complete = |_| complete(factors, pair, &mut draw, &legal);
        let candidates: Vec<C> = (0..TRIES).filter_map(complete).take(CANDIDATES).collect();
        let new = |config: &C| pairs(factors, config).iter().filter(|pair| !covered.0.contains(pair)).count();
        if let Some(best) = candidates.into_iter().max_by_key(new) {
            covered.add(factors, &best);
            configs.push(best);
        }
    }
    (configs, covered)
}

/// Returns every pair of values of two straps, legal or not.
#[must_use]
pub fn every_pair<C>(factors: &[Factor<C>]) -> Vec<Pair> {
    let mut all = Vec::new();
    for first in 0..factors.len() {
        for second in first + 1..factors.len() {
            for a in 0..factors[first].levels {
                all.extend((0..factors[second].levels).map(|b| ((first, a), (second, b))));
            }
        }
    }
    all
}

/// Returns random straps with this pair, if they are legal.
fn complete<C: Default>(
    factors: &[Factor<C>],
    pair: Pair,
    draw: &mut Draw,
    legal: impl Fn(&mut C, &mut Draw) -> bool,
) -> Option<C> {
    let mut config = C::default();
    for factor in factors {
        (factor.set)(&mut config, draw.below(factor.levels));
    }
    for (index, level) in [pair.0, pair.1] {
        (factors[index].set)(&mut config, level);
    }
    legal(&mut config, draw).then_some(config)
}
