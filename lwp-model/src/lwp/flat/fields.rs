//! Names of the bits in an outputs-and-probe row, for reports.

use super::expected::ExpectedRow;
use crate::flat::Field;

/// Every output and every register, in the order of the row.
pub const FIELDS: &[Field] = ExpectedRow::FIELDS;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::OUT_WORDS;

    #[test]
    fn no_two_fields_share_a_bit_and_all_fit() {
        let mut owner = [[None; 32]; OUT_WORDS];
        for field in FIELDS {
            for bit in 0..field.width {
                let (word, lsb) = (field.word + (field.lsb + bit) as usize / 32, (field.lsb + bit) as usize % 32);
                assert_eq!(owner[word][lsb].replace(field.name), None, "{}", field.name);
            }
        }
    }
}
