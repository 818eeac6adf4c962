//! Checksum of rows.

use crc32fast::Hasher;

/// CRC-32 of rows, each word lowest byte first.
#[derive(Clone, Debug, Default)]
pub struct RowsCrc {
    crc: Hasher,
    bytes: Vec<u8>,
}

impl RowsCrc {
    /// Appends a row.
    pub fn take(&mut self, row: &[u32]) {
        self.bytes.clear();
        self.bytes.extend(row.iter().flat_map(|word| word.to_le_bytes()));
        self.crc.update(&self.bytes);
    }

    /// Returns the checksum of the rows so far.
    #[must_use]
    pub fn sum(&self) -> u32 {
        self.crc.clone().finalize()
    }
}
