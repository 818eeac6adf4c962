//! See `fuzz_inputs::targets::session_run`.
#![no_main]

use fuzz_inputs::{limits, targets};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    limits::call(targets::find("session_run").expect("a target"), data);
});
