//! Rows of 32-bit words, in which a unit's ports and registers travel between programs and languages.
//!
//! A row is transport, not specification. A unit declares it once, a line for each field, with `flat_table!`: the list of
//! [`Field`]s, packing and unpacking follow. The layout follows from names and widths in their order:
//!
//! - The fields follow each other from bit 0 of word 0.
//! - A field of at most 32 bits does not reach into another word: where it would, it begins the next word.
//! - A wider field begins a word.
//! - What no field has is 0.
//!
//! `lwp` is older than the rule: each line of its tables says its place.

mod cursor;
mod layout;
mod packed;
mod place;
mod straps_error;
mod table;

pub(crate) use cursor::{Reader, Visitor, Writer, base};
pub(crate) use layout::{Layout, NoValue};
pub(crate) use packed::Widths;
pub(crate) use place::place_registers;
pub use place::{Place, Values};
pub use straps_error::StrapsError;
pub(crate) use table::flat_table;

/// Where a unit's flat image keeps one of its outputs or registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the unit's contract.
    pub name: &'static str,
    /// The value that its line of the table packs, in Rust's words: `state.cand.valid`. In a block with `each` it begins with the name
    /// of the item. Empty if no table declares the field.
    pub value: &'static str,
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

    /// Sets the field's value in a row. Bits beyond its width are cut off.
    ///
    /// # Panics
    /// If the row ends before the field does.
    pub fn set(&self, row: &mut [u32], value: u64) {
        let wide = u128::from(value & self.mask()) << self.lsb;
        for (at, word) in row[self.word..self.end()].iter_mut().enumerate() {
            let mask = self.mask_in(self.word + at);
            *word = *word & !mask | (wide >> (32 * at)) as u32 & mask;
        }
    }

    /// The first word behind the field.
    const fn end(&self) -> usize {
        self.word + (self.lsb + self.width).div_ceil(32) as usize
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

/// Words of a row with these fields.
#[must_use]
pub const fn words(fields: &[Field]) -> usize {
    let (mut words, mut index) = (0, 0);
    while index < fields.len() {
        let end = fields[index].end();
        if end > words {
            words = end;
        }
        index += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From one bit of one word up to all of three words.
    const FIELDS: [Field; 6] = [
        Field { name: "first", value: "", word: 0, lsb: 0, width: 4 },
        Field { name: "top", value: "", word: 1, lsb: 31, width: 1 },
        Field { name: "word", value: "", word: 2, lsb: 0, width: 32 },
        Field { name: "two", value: "", word: 2, lsb: 0, width: 64 },
        Field { name: "some", value: "", word: 1, lsb: 20, width: 30 },
        Field { name: "three", value: "", word: 1, lsb: 28, width: 64 },
    ];

    // Bit by bit.
    #[test]
    fn a_field_is_its_bits() {
        let row: [u32; 8] = core::array::from_fn(|word| (word as u32 + 1).wrapping_mul(0x9E37_79B9));
        for field in FIELDS {
            let (mut value, mut masks) = (0, [0; 8]);
            for bit in 0..field.width {
                let (word, lsb) = (field.word + (field.lsb + bit) as usize / 32, (field.lsb + bit) % 32);
                value += u64::from(row[word] >> lsb & 1) << bit;
                masks[word] += 1 << lsb;
            }
            assert_eq!(field.of(&row), value, "{}", field.name);
            assert_eq!(core::array::from_fn(|word| field.mask_in(word)), masks, "{}", field.name);
            let (mut ones, mut cleared, mut same) = ([0; 8], [u32::MAX; 8], row);
            field.set(&mut ones, u64::MAX);
            field.set(&mut cleared, 0);
            field.set(&mut same, value);
            assert_eq!((ones, cleared, same), (masks, masks.map(|mask| !mask), row), "{}", field.name);
        }
    }
}
