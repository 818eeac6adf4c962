//! See `fuzz_inputs::targets::ring`.
#![no_main]

use fuzz_inputs::{limits, targets};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    limits::call(targets::find("ring").expect("a target"), data);
});
