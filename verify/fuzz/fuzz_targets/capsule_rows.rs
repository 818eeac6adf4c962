//! See `fuzz_inputs::targets::capsule_rows`.
#![no_main]

use fuzz_inputs::{limits, targets};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    limits::call(targets::find("capsule_rows").expect("a target"), data);
});
