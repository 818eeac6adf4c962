//! The set of states, exact and small: words that recur together are kept once.
//!
//! A state's key is the register part of its row in the flat image. It is cut into groups of words; each group is looked up in a
//! table of its own, and the state is the list of the numbers found there.

use hashbrown::{HashMap, HashTable, hash_map::Entry};
use lwp_model::lwp::State;
use sim_harness::lwp::flat::OUT_WORDS;
use std::hash::BuildHasher;

/// Where the registers begin in a row; what is before are functions of them.
const REGISTERS: usize = 12;
/// The LFSR's word in a row: see the book.
const LFSR: usize = 30;
const GROUP: usize = 7;
const GROUPS: usize = (OUT_WORDS - REGISTERS).div_ceil(GROUP);

type Words = [u32; GROUP];
type Key = [u32; GROUPS];

/// One group's table.
#[derive(Debug, Default)]
struct Table {
    numbers: HashMap<Words, u32>,
    words: Vec<Words>,
}

impl Table {
    fn number(&mut self, words: Words) -> u32 {
        match self.numbers.entry(words) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                let number = self.words.len() as u32;
                self.words.push(words);
                *place.insert(number)
            }
        }
    }
}

/// States, numbered in the order in which they were found.
#[derive(Debug, Default)]
pub struct States {
    tables: [Table; GROUPS],
    keys: Vec<Key>,
    numbers: HashTable<u32>,
    hasher: hashbrown::DefaultHashBuilder,
}

impl States {
    /// The state whose row this is; true if it is new.
    ///
    /// # Panics
    /// If there are more than 2^32 states.
    pub fn number(&mut self, row: &[u32; OUT_WORDS]) -> (u32, bool) {
        let groups = groups(row);
        let key: Key = std::array::from_fn(|group| self.tables[group].number(groups[group]));
        let hash = self.hasher.hash_one(key);
        if let Some(&known) = self.numbers.find(hash, |&number| self.keys[number as usize] == key) {
            return (known, false);
        }
        let number = u32::try_from(self.keys.len()).expect("fewer than 2^32 states");
        self.keys.push(key);
        let (keys, hasher) = (&self.keys, &self.hasher);
        self.numbers.insert_unique(hash, number, |&number| hasher.hash_one(keys[number as usize]));
        (number, true)
    }

    /// Whether this is the row of state `number`.
    #[must_use]
    pub fn is(&self, number: u32, row: &[u32; OUT_WORDS]) -> bool {
        let key = &self.keys[number as usize];
        groups(row).iter().zip(key).zip(&self.tables).all(|((group, &at), table)| table.words[at as usize] == *group)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// The registers of a row without the LFSR, in groups; what the last one lacks is 0.
fn groups(row: &[u32; OUT_WORDS]) -> [Words; GROUPS] {
    let mut groups = [[0; GROUP]; GROUPS];
    for (words, registers) in groups.iter_mut().zip(row[REGISTERS..].chunks(GROUP)) {
        words[..registers.len()].copy_from_slice(registers);
    }
    groups[(LFSR - REGISTERS) / GROUP][(LFSR - REGISTERS) % GROUP] = 0;
    groups
}

/// The row of a state, for [`States::number`].
#[must_use]
pub fn row(state: &State, straps: &lwp_model::lwp::Config) -> [u32; OUT_WORDS] {
    let mut row = [0; OUT_WORDS];
    sim_harness::lwp::flat::pack_expected(state, straps, &mut row);
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_model::lwp::Config;

    #[test]
    fn every_register_but_the_lfsr_tells_states_apart() {
        let mut states = States::default();
        let reset = row(&State::default(), &Config::default());
        assert_eq!(states.number(&reset), (0, true));
        for word in REGISTERS..OUT_WORDS {
            let mut other = reset;
            other[word] ^= 1;
            assert_eq!(states.number(&other).1, word != LFSR, "word {word}");
            assert_eq!(states.is(0, &other), word == LFSR, "word {word}");
        }
        assert_eq!(states.number(&reset), (0, false));
        assert_eq!(states.len(), OUT_WORDS - REGISTERS);
    }
}
