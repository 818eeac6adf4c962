//! Differences between rows, by field.

pub use lwp_model::flat::Field;
use std::fmt;

/// Difference in one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Field that differs, or a whole word named `(unnamed bits)` if the difference is outside all fields.
    pub field: Field,
    /// Value that the producer expects.
    pub expected: u64,
    /// Value that the RTL shows.
    pub actual: u64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.field.width.div_ceil(4) as usize;
        let (name, word) = (self.field.name, self.field.word);
        write!(
            f,
            "{name} (word {word}): expected {:#0w$x}, RTL has {:#0w$x}",
            self.expected,
            self.actual,
            w = digits + 2
        )
    }
}

/// Returns all differences between two rows: fields in the order of the table, then words with differences outside all fields.
///
/// # Panics
/// If the rows differ in length or a field reaches past their end.
#[must_use]
pub fn differences(fields: &[Field], expected: &[u32], actual: &[u32]) -> Vec<Difference> {
    assert_eq!(expected.len(), actual.len(), "words of a row");
    let difference = |field: Field| Difference { field, expected: field.of(expected), actual: field.of(actual) };
    let named = fields.iter().map(|field| difference(*field)).filter(|found| found.expected != found.actual);
    let unnamed = (0..expected.len()).filter(|&word| {
        let covered = fields.iter().fold(0, |mask, field| mask | field.mask_in(word));
        (expected[word] ^ actual[word]) & !covered != 0
    });
    let unnamed = unnamed.map(|word| difference(Field { name: "(unnamed bits)", value: "", word, lsb: 0, width: 32 }));
    named.chain(unnamed).collect()
}

#[cfg(test)]
mod tests {
    use super::{Field, differences};

    const FIELDS: &[Field] = &[
        Field { name: "low", value: "", word: 0, lsb: 0, width: 4 },
        Field { name: "wide", value: "", word: 0, lsb: 28, width: 64 },
        Field { name: "quad", value: "", word: 3, lsb: 0, width: 64 },
        Field { name: "top", value: "", word: 5, lsb: 31, width: 1 },
    ];

    #[test]
    fn a_field_may_lie_across_three_words() {
        let row = [0xa000_0005, 0x7654_3210, 0x0fed_cba9, 0x89ab_cdef, 0x0123_4567, 0x8000_0000];
        let values: Vec<u64> = FIELDS.iter().map(|field| field.of(&row)).collect();
        assert_eq!(
            values,
            [
                5,
                0x9765_4321_0a00_0000 >> 24 & 0xf | 0x9_7654_3210_u64 << 4 | 0xa | 0xfed_cba9 << 36,
                0x0123_4567_89ab_cdef,
                1
            ]
        );
    }

    /// Every bit of the row, flipped alone, is seen in exactly one difference.
    #[test]
    fn every_bit_belongs_to_one_difference() {
        let row = [0_u32; 6];
        for bit in 0..6 * 32 {
            let mut other = row;
            other[bit / 32] ^= 1 << (bit % 32);
            let found = differences(FIELDS, &row, &other);
            assert_eq!(found.len(), 1, "bit {bit}");
            let at = found[0].field.word * 32 + found[0].field.lsb as usize;
            assert_eq!(found[0].actual, 1 << (bit - at), "bit {bit}");
        }
    }

    #[test]
    fn differences_come_in_the_order_of_the_table() {
        let found = differences(FIELDS, &[0; 6], &[0x10, 1, 0, 0, 2, 0x8000_0000]);
        let text: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            text,
            [
                "wide (word 0): expected 0x0000000000000000, RTL has 0x0000000000000010",
                "quad (word 3): expected 0x0000000000000000, RTL has 0x0000000200000000",
                "top (word 5): expected 0x0, RTL has 0x1",
                "(unnamed bits) (word 0): expected 0x00000000, RTL has 0x00000010",
            ]
        );
    }
}
