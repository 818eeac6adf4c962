//! Rows of 32-bit words, in which a unit's ports and registers travel between programs and languages.

/// Where a unit's flat image keeps one of its outputs or registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the unit's contract.
    pub name: &'static str,
    /// The word that holds its lowest bit.
    pub word: usize,
    /// Its lowest bit in that word.
    pub lsb: u32,
    /// 1 to 64 bits, which may reach into the words that follow.
    pub width: u32,
}

impl Field {
    /// The field's value in a row.
    ///
    /// # Panics
    /// If the row ends before the field does.
    #[must_use]
    pub fn of(&self, row: &[u32]) -> u64 {
        let words = (self.lsb + self.width).div_ceil(32) as usize;
        let wide = row[self.word..][..words].iter().rev().fold(0_u128, |wide, &word| wide << 32 | u128::from(word));
        (wide >> self.lsb) as u64 & self.mask()
    }

    const fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// The field's bits of word `word`.
    #[must_use]
    pub const fn mask_in(&self, word: usize) -> u32 {
        if word < self.word || word > self.word + 2 {
            return 0;
        }
        let wide = (self.mask() as u128) << self.lsb;
        (wide >> (32 * (word - self.word))) as u32
    }
}
