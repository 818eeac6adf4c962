//! See `fuzz_inputs::targets::c_abi`.
#![no_main]

use fuzz_inputs::{limits, targets};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    limits::call(targets::find("c_abi").expect("a target"), data);
});
