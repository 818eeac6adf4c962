//! What the plugin in QEMU leaves in shared memory, which the traced program could change: the lines of its mappings, and
//! records of instructions and accesses. Each word of the input is a record's word.

use super::reading;
use crate::file::with_file;
use sim_harness::capture::{assemble, parse_mappings};

/// Words that make sense become a capture file that can be read.
///
/// # Panics
/// If anything else happens.
pub fn one_input(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        assert!(parse_mappings(text).is_sorted_by_key(|mapping| mapping.start));
    }
    let Ok(file) = assemble(data) else { return };
    let read = with_file(&file, |path| reading::read(path, u64::MAX));
    assert!(read.error.is_none(), "a capture that was just written: {:?}", read.error);
    assert!(read.count <= data.len() as u64 / 4);
}
