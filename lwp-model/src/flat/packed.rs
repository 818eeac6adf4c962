//! Fields of a row whose bits are one value: an array of words that holds them in their order, without gaps.
//!
//! The row has gaps where a field would reach into another word. Those of a packed value leave one gap at most, behind the fields that
//! still fit into the word in which the first one begins (the *head*). All words behind it are full. So the value travels by the word,
//! each time shifted by the same distance.

use super::cursor::Cursor;

/// Widths of the fields, and what follows from them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    widths: &'static [u32],
    /// Bits of all fields.
    bits: u32,
    /// Bits of the fields that fit into a word from this bit on.
    head: [u32; 32],
}

impl Widths {
    /// Of fields with these widths.
    ///
    /// # Panics
    /// If the words behind the head have gaps: at compile time, where it is called.
    pub(crate) const fn of(widths: &'static [u32]) -> Self {
        let (mut bits, mut head, mut lsb, mut index) = (0, [0; 32], 0, 0);
        while index < widths.len() {
            bits += widths[index];
            index += 1;
        }
        while lsb < 32 {
            let mut at = lsb;
            index = 0;
            while index < widths.len() && at + widths[index] <= 32 {
                at += widths[index];
                index += 1;
            }
            head[lsb as usize] = at - lsb;
            // A word that is full or holds the last field.
            let mut at = 0;
            while index < widths.len() {
                at += widths[index];
                assert!(at <= 32, "a gap behind the first word");
                at %= 32;
                index += 1;
            }
            lsb += 1;
        }
        Self { widths, bits, head }
    }

    pub(crate) const fn widths(&self) -> &'static [u32] {
        self.widths
    }

    /// Where the fields lie that begin at `at` or, if the first one does not fit there, in the next word.
    #[inline(always)]
    pub(crate) const fn place(&self, at: Cursor) -> PackedPlace {
        let ((word, lsb), _) = at.place(self.widths[0]);
        PackedPlace { word, lsb, head: self.head[lsb as usize], bits: self.bits }
    }
}

/// The place of a packed value in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedPlace {
    word: usize,
    lsb: u32,
    /// Bits in the first word, 1 to 32.
    head: u32,
    /// Bits in all words.
    bits: u32,
}

impl PackedPlace {
    /// The first word.
    #[inline(always)]
    pub(crate) const fn word(&self) -> usize {
        self.word
    }

    /// Words of the row in which it lies.
    #[inline(always)]
    pub(crate) const fn words(&self) -> usize {
        1 + (self.bits - self.head).div_ceil(32) as usize
    }

    /// Where the next field may begin.
    #[inline(always)]
    pub(crate) const fn next(&self) -> Cursor {
        let end = if self.bits == self.head { self.lsb + self.head } else { 32 + self.bits - self.head };
        Cursor { word: self.word + (end / 32) as usize, lsb: end % 32 }
    }

    /// The bits that a value has in word `at` of those of the row in which it lies.
    #[inline(always)]
    pub(crate) fn bits_in<const N: usize>(&self, value: &[u32; N], at: usize) -> u32 {
        let word = |index: usize| match value.get(index) {
            Some(word) if index + 1 == N => u64::from(word & self.last_mask(N)),
            Some(word) => u64::from(*word),
            None => 0,
        };
        if at == 0 {
            return ((word(0) & u64::MAX >> (64 - self.head)) << self.lsb) as u32;
        }
        ((word(at) << 32 | word(at - 1)) >> self.head) as u32
    }

    /// Reads the value from a row.
    #[inline(always)]
    pub(crate) fn read<const N: usize>(&self, row: &[u32], value: &mut [u32; N]) {
        let row = &row[self.word..][..self.words()];
        // The head at the top of its word: each word of the value is then the same number of bits of two words that follow each other.
        let mut low = row[0] << (32 - self.lsb - self.head);
        for (at, word) in value.iter_mut().enumerate() {
            let high = if at + 1 < row.len() { row[at + 1] } else { 0 };
            *word = ((u64::from(high) << 32 | u64::from(low)) >> (32 - self.head)) as u32;
            low = high;
        }
        value[N - 1] &= self.last_mask(N);
    }

    /// The bits of the last of a value's `count` words.
    #[inline(always)]
    const fn last_mask(&self, count: usize) -> u32 {
        u32::MAX >> (32 * count as u32 - self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: two fields of 20 bits do not share a word, so the second leaves a gap of 12 bits before the third.
    #[test]
    #[should_panic(expected = "a gap behind the first word")]
    fn a_gap_behind_the_first_word_is_refused() {
        let _ = Widths::of(&[20, 20, 20]);
    }

    // By hand: from bit 9 on only the field of 4 bits fits into the word. The one of 20 begins the next, in which the one of 32 has no room.
    #[test]
    #[should_panic(expected = "a gap behind the first word")]
    fn a_gap_between_fields_behind_the_head_is_refused() {
        let _ = Widths::of(&[4, 20, 32]);
    }

    // By hand: behind 8 bits of the word there is room for 8 more; the next field begins at bit 16. From bit 24 on one field of 8 fills the word.
    #[test]
    fn the_next_field_begins_behind_a_value_of_one_word() {
        const EIGHT: Widths = Widths::of(&[4, 4]);
        let next = |lsb| EIGHT.place(Cursor { word: 3, lsb }).next();
        assert_eq!((next(8).word, next(8).lsb), (3, 16));
        assert_eq!((next(24).word, next(24).lsb), (4, 0));
    }
}
