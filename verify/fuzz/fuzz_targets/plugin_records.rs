//! See `fuzz_inputs::targets::plugin_records`.
#![no_main]

use fuzz_inputs::{limits, targets};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    limits::call(targets::find("plugin_records").expect("a target"), data);
});
