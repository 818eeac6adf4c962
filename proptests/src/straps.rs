//! Straps as factors with levels, whose combinations can be generated, counted and covered.

use lwp_model::Unit;
use lwp_model::flat::{Field, Values};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Words of the largest row of straps.
const WORDS: usize = 8;

/// Strap of a configuration `C`.
#[derive(Clone, Debug)]
pub struct Factor<C> {
    /// Name of the strap.
    pub name: &'static str,
    /// Number of values that are distinguished.
    pub levels: usize,
    field: Field,
    values: Levels,
    get: fn(&C, &Field) -> u64,
    set: fn(&mut C, Change<'_>),
}

/// A change to a row of straps.
type Change<'a> = &'a mut dyn FnMut(&mut [u32]);

/// Values of a strap that are distinguished.
#[derive(Clone, Debug)]
enum Levels {
    /// 0 and 1.
    Flag,
    /// Each choice, by name.
    Named(&'static [&'static str]),
    /// Ranges of numbers, each from one of these to the next.
    From(Vec<u64>),
}

/// Returns the straps of a unit as factors, in the order of its row. The ranges of a number begin at those that `numbers` has for it,
/// or at 0 and 1. The straps in `without` are no factors.
///
/// # Panics
///
/// If a name is not that of a strap.
#[must_use]
pub fn factors<U: Unit>(numbers: &[(&str, &[u64])], without: &[&str]) -> Vec<Factor<U::Config>> {
    let mut values = Vec::new();
    U::strap_values(&mut |value| values.push(value));
    assert_eq!(values.len(), U::STRAP_FIELDS.len(), "a value for each strap");
    assert!(U::STRAP_WORDS <= WORDS, "words of straps");
    let known = |name: &&str| U::STRAP_FIELDS.iter().any(|field| field.name == *name);
    let named: Vec<&str> = numbers.iter().map(|(name, _)| *name).chain(without.iter().copied()).collect();
    assert!(named.iter().all(known), "straps of this unit: {named:?}");
    let factor = |(field, values): (&Field, &Values)| {
        let from = numbers.iter().find(|(name, _)| *name == field.name).map_or(&[0, 1][..], |(_, from)| from);
        let levels = match values {
            Values::Flag => Levels::Flag,
            Values::Named(names) => Levels::Named(names),
            Values::Number => Levels::From(from.to_vec()),
        };
        Factor::new::<U>(*field, levels)
    };
    let straps = U::STRAP_FIELDS.iter().zip(&values);
    straps.filter(|(field, _)| !without.contains(&field.name)).map(factor).collect()
}

/// Sets every strap to a value.
pub fn set_all<C>(factors: &[Factor<C>], config: &mut C, levels: impl IntoIterator<Item = usize>) {
    let Some(first) = factors.first() else { return };
    let mut levels = levels.into_iter();
    (first.set)(config, &mut |row| {
        for (factor, level) in factors.iter().zip(&mut levels) {
            factor.field.set(row, factor.values.least(level));
        }
    });
}

impl<C> Factor<C> {
    fn new<U: Unit<Config = C>>(field: Field, values: Levels) -> Self {
        let levels = match &values {
            Levels::Flag => 2,
            Levels::Named(names) => names.len(),
            Levels::From(from) => from.len(),
        };
        Self { name: field.name, levels, field, values, get: get::<U>, set: set::<U> }
    }

    /// Returns a bit of the strap in place of the strap.
    #[must_use]
    pub fn bit(self, name: &'static str, bit: u32) -> Self {
        let at = self.field.lsb + bit;
        let field = Field { name, word: self.field.word + (at / 32) as usize, lsb: at % 32, width: 1, ..self.field };
        Self { name, levels: 2, field, values: Levels::Flag, ..self }
    }

    /// Sets the strap to one of the values.
    pub fn set(&self, config: &mut C, level: usize) {
        (self.set)(config, &mut |row| self.field.set(row, self.values.least(level)));
    }

    /// Returns the value of the strap.
    pub fn level(&self, config: &C) -> usize {
        let value = (self.get)(config, &self.field);
        match &self.values {
            Levels::From(from) => from.iter().rposition(|least| value >= *least).unwrap_or_default(),
            _ => value as usize,
        }
    }

    /// Returns the name of a value.
    #[must_use]
    pub fn label(&self, level: usize) -> String {
        match &self.values {
            Levels::Flag => level.to_string(),
            Levels::Named(names) => names[level].to_owned(),
            Levels::From(from) => match (from[level], from.get(level + 1)) {
                (least, None) => format!("{least} or more"),
                (least, Some(next)) if *next == least + 1 => least.to_string(),
                (least, Some(next)) => format!("{least} to {}", next - 1),
            },
        }
    }
}

impl Levels {
    /// Returns the least number of a level.
    fn least(&self, level: usize) -> u64 {
        match self {
            Self::From(from) => from[level],
            _ => level as u64,
        }
    }
}

fn get<U: Unit>(config: &U::Config, field: &Field) -> u64 {
    let mut row = [0; WORDS];
    U::pack_straps(config, &mut row[..U::STRAP_WORDS]);
    field.of(&row)
}

/// Changes the row of straps, which may be illegal then.
fn set<U: Unit>(config: &mut U::Config, change: Change<'_>) {
    let mut row = [0; WORDS];
    let row = &mut row[..U::STRAP_WORDS];
    U::pack_straps(config, row);
    change(row);
    *config = U::read_straps(row).expect("a level is a choice");
}

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
    let levels: Vec<usize> = factors.iter().map(|factor| factor.level(config)).collect();
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
        (0..factor.levels).map(|level| format!("{}:{}", factor.name, factor.label(level))).collect::<Vec<_>>()
    };
    factors.iter().flat_map(of).collect()
}

/// Small deterministic generator of numbers: the sets must not change from run to run.
#[derive(Debug)]
pub struct Draw(u64);

impl Draw {
    /// Returns a generator with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    /// Puts items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Number of attempts after which a pair is taken to be illegal. The rarest legal pair needs about 40 attempts.
const TRIES: usize = 4000;
/// Number of candidates, of which the one with the most new pairs is taken.
const CANDIDATES: usize = 24;

/// Returns legal straps that contain every legal pair, and those pairs. `legal` sets straps that are not factors at random, and returns
/// whether the straps are legal.
pub fn pairwise<C: Default>(factors: &[Factor<C>], legal: impl Fn(&mut C, &mut Draw) -> bool) -> (Vec<C>, Coverage) {
    let mut draw = Draw::new(2007);
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
    let mut levels: Vec<usize> = factors.iter().map(|factor| draw.below(factor.levels)).collect();
    for (index, level) in [pair.0, pair.1] {
        levels[index] = level;
    }
    set_all(factors, &mut config, levels);
    legal(&mut config, draw).then_some(config)
}
