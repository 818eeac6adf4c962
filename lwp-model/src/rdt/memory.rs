//! Stage memory: the words of a cache.

use super::line::{Tag, Word};
use super::state::Cache;

/// The words of a cache, one for each set.
pub(super) type Words<L, const SETS: usize, const WAYS: usize> = [Word<L, WAYS>; SETS];

/// The port of a memory in one cycle: the registers and the words.
#[derive(Debug)]
pub(super) struct Port<'a, L, const SETS: usize, const WAYS: usize> {
    cache: &'a mut Cache<L, WAYS>,
    words: &'a mut Words<L, SETS, WAYS>,
}

impl<'a, L: Tag, const SETS: usize, const WAYS: usize> Port<'a, L, SETS, WAYS> {
    /// Begins a cycle, in which nothing is written yet.
    #[inline]
    pub(super) const fn new(cache: &'a mut Cache<L, WAYS>, words: &'a mut Words<L, SETS, WAYS>) -> Self {
        cache.written = false;
        Self { cache, words }
    }

    /// Returns what was read or written last.
    #[inline]
    pub(super) const fn word(&self) -> &Word<L, WAYS> {
        &self.cache.word
    }

    /// Reads a set.
    #[inline]
    pub(super) const fn read(&mut self, set: u16) {
        self.cache.index = set;
        self.cache.word = self.words[set as usize % SETS];
    }

    /// Writes the word, which `change` makes of the old one, to the set from which it came.
    #[inline]
    pub(super) fn write(&mut self, change: impl FnOnce(&mut Word<L, WAYS>)) {
        change(&mut self.cache.word);
        self.words[usize::from(self.cache.index) % SETS] = self.cache.word;
        self.cache.written = true;
    }

    /// Writes a set without lines.
    #[inline]
    pub(super) fn clear(&mut self, set: u16) {
        self.cache.index = (usize::from(set) % SETS) as u16;
        self.write(|word| *word = Word::empty());
    }
}
