//! See `fuzz_inputs::targets::capture`.
#![no_main]

use fuzz_inputs::{limits, targets};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    limits::call(targets::find("capture").expect("a target"), data);
});
