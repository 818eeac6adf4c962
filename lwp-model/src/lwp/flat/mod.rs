//! The unit's ports and registers as rows of 32-bit words, after the table "The flat image" in the book.
//!
//! The RTL's side of the table is `sim-harness/rtl/lwp_flat.sv`; test benches in SystemVerilog have
//! `sim-harness/c-abi/dpi/lwp_model_pkg.sv`. Both are written by hand from the book.

mod digest;
mod expected;
pub mod fields;
mod inputs;
mod places;
mod shown;
mod straps;

pub use expected::{OUT_WORDS, pack_expected, unpack_shown};
pub use inputs::{in_words, input_fields, pack_inputs, unpack_inputs};
pub use shown::Shown;
pub use straps::{STRAP_FIELDS, STRAP_WORDS, StrapsError, pack_straps, unpack_straps};
