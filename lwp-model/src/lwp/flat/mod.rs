//! The unit's ports and registers as rows of 32-bit words, after the table "The flat image" in the book.
//!
//! The RTL's side of the table is `sim-harness/rtl/lwp_flat.sv`; test benches in SystemVerilog have
//! `sim-harness/c-abi/dpi/lwp_model_pkg.sv`. All are written by hand from the book.

mod expected;
pub mod fields;
mod inputs;
mod port_fields;
mod read_inputs;
mod read_straps;
mod shown;
mod straps;

pub use expected::{OUT_WORDS, pack_expected};
pub use inputs::{in_words, pack_inputs};
pub use port_fields::{STRAP_FIELDS, input_fields};
pub use read_inputs::unpack_inputs;
pub use read_straps::{StrapsError, unpack_straps};
pub use shown::Shown;
pub use straps::{STRAP_WORDS, pack_straps};

const fn bit(value: bool, index: u32) -> u32 {
    (value as u32) << index
}

/// A word of fields that share no bit.
#[inline]
fn joined<const N: usize>(fields: [u32; N]) -> u32 {
    fields.into_iter().fold(0, |word, field| word | field)
}

#[inline]
fn put(words: &mut [u32], at: usize, value: u64) {
    words[at] = value as u32;
    words[at + 1] = (value >> 32) as u32;
}

#[cfg(test)]
mod tests {
    use super::*;

    // Fields that do share a bit spoil no other one.
    #[test]
    fn joined_fields() {
        assert_eq!(joined([0b0011, 0b0110, 0b1000]), 0b1111);
    }
}
