//! The set of states, exact and small: words that recur together are kept once.
//!
//! A state's key is the register part of its row in the flat image, without what the world leaves out. It is cut into groups of words;
//! each group is looked up in a table of its own, and the state is the list of the numbers found there.

use crate::world::World;
use hashbrown::{HashMap, HashTable, hash_map::Entry};
use lwp_model::Unit;
use std::hash::BuildHasher;

const GROUP: usize = 7;

type Words = [u32; GROUP];

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
#[derive(Debug)]
pub struct States {
    /// The bits of each word of a row that are part of a state; the words before the first are functions of the registers.
    masks: Vec<u32>,
    first: usize,
    /// One for each group.
    tables: Vec<Table>,
    /// The key of each state, one after another.
    keys: Vec<u32>,
    /// The key that is looked up.
    key: Vec<u32>,
    numbers: HashTable<u32>,
    hasher: hashbrown::DefaultHashBuilder,
}

impl States {
    /// No states of this world yet.
    ///
    /// # Panics
    /// If the world leaves out a register that its unit does not have.
    #[must_use]
    pub fn of<W: World>() -> Self {
        let fields = <W::Unit as Unit>::OUTPUT_FIELDS;
        let mut masks = vec![0; <W::Unit as Unit>::OUTPUT_WORDS];
        let kept = fields.iter().filter(|field| field.name.starts_with("state.") && !W::LEFT_OUT.contains(&field.name));
        for field in kept {
            masks.iter_mut().enumerate().for_each(|(word, mask)| *mask |= field.mask_in(word));
        }
        let known = |name: &&str| fields.iter().any(|field| field.name == *name);
        assert!(W::LEFT_OUT.iter().all(known), "{:?} are registers", W::LEFT_OUT);
        let first = masks.iter().position(|&mask| mask != 0).expect("a unit has registers");
        let groups = (masks.len() - first).div_ceil(GROUP);
        Self {
            masks,
            first,
            tables: std::iter::repeat_with(Table::default).take(groups).collect(),
            keys: Vec::new(),
            key: vec![0; groups],
            numbers: HashTable::new(),
            hasher: hashbrown::DefaultHashBuilder::default(),
        }
    }

    /// The state whose row this is; true if it is new.
    ///
    /// # Panics
    /// If there are more than 2^32 states.
    pub fn number(&mut self, row: &[u32]) -> (u32, bool) {
        let Self { masks, first, tables, keys, key, numbers, hasher } = self;
        for ((part, table), words) in key.iter_mut().zip(tables).zip(groups(masks, *first, row)) {
            *part = table.number(words);
        }
        let size = key.len();
        let of = |keys: &[u32], number: u32| -> std::ops::Range<usize> {
            debug_assert!((number as usize) < keys.len() / size);
            number as usize * size..(number as usize + 1) * size
        };
        let hash = hasher.hash_one(&key[..]);
        if let Some(&known) = numbers.find(hash, |&number| keys[of(keys, number)] == key[..]) {
            return (known, false);
        }
        let number = u32::try_from(keys.len() / size).expect("fewer than 2^32 states");
        keys.extend_from_slice(key);
        numbers.insert_unique(hash, number, |&number| hasher.hash_one(&keys[of(keys, number)]));
        (number, true)
    }

    /// Whether this is the row of state `number`.
    #[must_use]
    pub fn is(&self, number: u32, row: &[u32]) -> bool {
        let size = self.tables.len();
        let key = &self.keys[number as usize * size..][..size];
        let known = key.iter().zip(&self.tables).map(|(&at, table)| table.words[at as usize]);
        groups(&self.masks, self.first, row).eq(known)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len() / self.tables.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// The part of a row that makes a state, in groups; what the last one lacks is 0.
fn groups(masks: &[u32], first: usize, row: &[u32]) -> impl Iterator<Item = Words> {
    row[first..].chunks(GROUP).zip(masks[first..].chunks(GROUP)).map(|(registers, masks)| {
        let mut words = [0; GROUP];
        for ((word, register), mask) in words.iter_mut().zip(registers).zip(masks) {
            *word = register & mask;
        }
        words
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{debug, lwp, tsc};

    /// Every bit of every field tells states apart, but those of outputs and of what is left out.
    fn every_register_tells_states_apart<W: World>() {
        let mut states = States::of::<W>();
        let reset = vec![0; <W::Unit as Unit>::OUTPUT_WORDS];
        assert_eq!(states.number(&reset), (0, true));
        let mut new = 0;
        for field in <W::Unit as Unit>::OUTPUT_FIELDS {
            for bit in 0..field.width {
                let mut other = reset.clone();
                let place = field.lsb + bit;
                other[field.word + place as usize / 32] ^= 1 << (place % 32);
                let register = field.name.starts_with("state.") && !W::LEFT_OUT.contains(&field.name);
                assert_eq!(states.number(&other).1, register, "{} bit {bit}", field.name);
                assert_eq!(states.is(0, &other), !register, "{} bit {bit}", field.name);
                new += usize::from(register);
            }
        }
        assert_eq!(states.number(&reset), (0, false));
        assert_eq!(states.len(), new + 1);
    }

    #[test]
    fn every_register_of_every_unit_tells_states_apart() {
        every_register_tells_states_apart::<lwp::World>();
        every_register_tells_states_apart::<tsc::World>();
        every_register_tells_states_apart::<debug::World>();
    }
}
