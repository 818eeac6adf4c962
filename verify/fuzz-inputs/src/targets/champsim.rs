//! ChampSim records that have flags and addresses, so that every one is read.

use super::reading;
use super::trace::again;
use crate::file::with_file;
use sim_harness::traces::champsim::RECORD_BYTES;

/// Reads it; records are never less than instructions.
///
/// # Panics
/// If a promise is broken.
pub fn one_input(data: &[u8]) {
    let mut data = data.to_vec();
    for record in data.chunks_mut(RECORD_BYTES).filter(|record| record.len() > 9) {
        record[8] &= 1;
        record[9] &= record[8];
        // A user's address that is not 0.
        (record[0], record[5], record[6], record[7]) = (record[0] | 1, record[5] & 0x7f, 0, 0);
    }
    let read = with_file(&data, |path| reading::read(path, u64::MAX));
    assert!(read.count <= (data.len() / RECORD_BYTES) as u64);
    let whole = data.len().is_multiple_of(RECORD_BYTES);
    assert!(data.len() < 10 || read.error.is_some() != whole, "{} bytes: {:?}", data.len(), read.error);
    again(&read);
}
