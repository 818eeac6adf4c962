//! See `fuzz_inputs::targets::retire_log`.
#![no_main]

use fuzz_inputs::{limits, targets};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    limits::call(targets::find("retire_log").expect("a target"), data);
});
