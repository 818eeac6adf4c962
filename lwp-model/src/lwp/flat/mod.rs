//! The unit's ports and registers as rows of 32-bit words, after the table "The flat image" in the book.
//!
//! The harness makes the RTL's side from these tables: straps and inputs of a lane are in the order of the structs `config_t`, `lane_t` and
//! `load_t`, and each register of the RTL is nested as the value that its line names. Test benches in SystemVerilog have
//! `sim-harness/c-abi/dpi/lwp_model_pkg.sv`, which is written by hand from the book.

mod digest;
mod expected;
pub mod fields;
mod inputs;
mod places;
mod shown;
mod straps;

pub use expected::{OUT_WORDS, pack_expected, unpack_shown};
pub(crate) use inputs::read_inputs;
pub use inputs::{in_words, input_fields, pack_inputs, unpack_inputs};
pub use shown::Shown;
pub use straps::{STRAP_FIELDS, STRAP_WORDS, StrapsError, pack_straps, unpack_straps};
pub(crate) use straps::{read_straps, strap_values};
