//! Stage set: a word of a cache: look-up, victim, age.

use super::line::{Tag, Word};

#[allow(private_bounds, reason = "the functions are as private as the trait")]
impl<L: Tag, const WAYS: usize> Word<L, WAYS> {
    /// Returns the word of a set without lines: the age of a way is its number.
    #[inline]
    pub(super) fn empty() -> Self {
        let mut word = Self::default();
        for (way, tag) in word.line.iter_mut().enumerate() {
            tag.set_age(way as u8);
        }
        word
    }

    /// Returns the way that holds a line.
    #[inline]
    pub(super) fn find(&self, line: u64) -> Option<usize> {
        self.line.iter().position(|tag| tag.valid() && tag.line() == line)
    }

    /// Returns the way of a fill among the allowed ways: the lowest that is not valid, or the one that was not used for longest.
    #[inline]
    pub(super) fn victim(&self, allowed: u16) -> usize {
        let (mut oldest, mut most) = (0, None);
        for (way, tag) in self.line.iter().enumerate() {
            if allowed >> way & 1 == 0 {
                continue;
            }
            if !tag.valid() {
                return way;
            }
            if most.is_none_or(|most| tag.age() > most) {
                (oldest, most) = (way, Some(tag.age()));
            }
        }
        oldest
    }

    /// Returns the lowest way from `on` on that is valid.
    #[inline]
    pub(super) fn without_power(&self, on: u8) -> Option<usize> {
        let on = usize::from(on);
        self.line.iter().skip(on).position(Tag::valid).map(|way| way + on)
    }

    /// Makes a way the one that was used last.
    #[inline]
    pub(super) fn touch(&mut self, way: usize) {
        let age = self.line[way].age();
        for tag in &mut self.line {
            if tag.age() < age {
                tag.set_age(tag.age() + 1);
            }
        }
        self.line[way].set_age(0);
    }

    /// Empties a way: all but the age is 0.
    #[inline]
    pub(super) fn evict(&mut self, way: usize) {
        let age = self.line[way].age();
        self.line[way] = L::default();
        self.line[way].set_age(age);
    }
}
