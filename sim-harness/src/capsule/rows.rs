//! Rows of inputs as bytes: the changes from each cycle to the next, compressed.

use capsule_file::{DeltaReader, Deltas};
use std::io::{self, BufReader, Write};
use zstd::stream::{read::Decoder, write::Encoder};

/// Level of compression. Capsules are written once, so that it is high.
const LEVEL: i32 = 9;
/// Memory that decompression may ask for, as a power of two: twice what that level asks for.
const WINDOW_LOG: u32 = 23;

/// Encodes rows as bytes.
pub struct RowWriter {
    encoder: Encoder<'static, Vec<u8>>,
    deltas: Deltas,
    bytes: Vec<u8>,
}

impl RowWriter {
    /// Returns a writer for rows of `words` words.
    ///
    /// # Panics
    /// Never: the level of compression exists.
    #[must_use]
    pub fn new(words: usize) -> Self {
        let encoder = Encoder::new(Vec::new(), LEVEL).expect("the level exists");
        Self { encoder, deltas: Deltas::new(words), bytes: Vec::new() }
    }

    /// Appends a cycle.
    ///
    /// # Panics
    /// If the row has another length than the writer's.
    pub fn push(&mut self, row: &[u32]) {
        self.bytes.clear();
        self.deltas.push(row, &mut self.bytes);
        self.encoder.write_all(&self.bytes).expect("a vector takes everything");
    }

    /// Returns the number of cycles so far.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.deltas.cycles()
    }

    /// Returns the bytes.
    ///
    /// # Panics
    /// Never: a vector takes everything.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.clear();
        self.deltas.finish(&mut self.bytes);
        self.encoder.write_all(&self.bytes).expect("a vector takes everything");
        self.encoder.finish().expect("a vector takes everything")
    }
}

impl std::fmt::Debug for RowWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowWriter").field("cycles", &self.cycles()).finish_non_exhaustive()
    }
}

/// Decodes the rows, one at a time.
pub struct RowReader<'a> {
    rows: DeltaReader<BufReader<Decoder<'a, BufReader<&'a [u8]>>>>,
    left: u64,
}

impl<'a> RowReader<'a> {
    /// Returns a reader of `cycles` rows of `words` words each, from bytes that a [`RowWriter`] made.
    ///
    /// # Errors
    /// If the bytes are not compressed rows.
    pub fn new(bytes: &'a [u8], words: usize, cycles: u64) -> io::Result<Self> {
        let mut decoder = Decoder::new(bytes)?;
        decoder.window_log_max(WINDOW_LOG)?;
        let bytes = BufReader::with_capacity(1 << 16, decoder);
        Ok(Self { rows: DeltaReader::new(bytes, words), left: cycles })
    }

    /// Returns the number of rows that have not been read.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Returns the next row; `None` after the last one.
    ///
    /// # Errors
    /// If the bytes end early or make no sense.
    pub fn next_row(&mut self) -> io::Result<Option<&[u32]>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.rows.next_row().map(Some)
    }

    /// Reads and checks the remaining rows. A million idle cycles take as long as one.
    ///
    /// # Errors
    /// As [`next_row`](Self::next_row).
    pub(super) fn read_through(mut self) -> io::Result<()> {
        while self.left > 0 {
            self.next_row()?;
            self.left -= self.rows.skip_repeats(self.left);
        }
        Ok(())
    }
}

impl std::fmt::Debug for RowReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowReader").field("left", &self.left).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capsule_file::{put, stored};

    fn there_and_back(rows: &[[u32; 3]]) -> usize {
        let mut writer = RowWriter::new(3);
        rows.iter().for_each(|row| writer.push(row));
        assert_eq!(writer.cycles(), rows.len() as u64);
        let bytes = writer.finish();
        // Who cannot compress stores.
        let (mut deltas, mut plain) = (Deltas::new(3), Vec::new());
        rows.iter().for_each(|row| deltas.push(row, &mut plain));
        deltas.finish(&mut plain);
        assert_eq!(zstd::decode_all(&bytes[..]).unwrap(), plain);
        assert_eq!(zstd::decode_all(&stored(&plain)[..]).unwrap(), plain);
        let mut reader = RowReader::new(&bytes, 3, rows.len() as u64).unwrap();
        for row in rows {
            assert_eq!(reader.next_row().unwrap(), Some(&row[..]));
        }
        assert_eq!(reader.next_row().unwrap(), None);
        RowReader::new(&bytes, 3, rows.len() as u64).unwrap().read_through().unwrap();
        assert!(RowReader::new(&bytes, 3, rows.len() as u64 + 1).unwrap().read_through().is_err(), "one too many");
        bytes.len()
    }

    #[test]
    fn rows_come_back() {
        there_and_back(&[]);
        there_and_back(&[[0; 3]]);
        there_and_back(&[[0; 3], [1, 0, u32::MAX], [1, 0, u32::MAX], [0, 7, u32::MAX], [0; 3], [0; 3]]);
    }

    #[test]
    fn idle_cycles_cost_nothing() {
        let mut rows = vec![[0; 3]; 1_000_000];
        rows[999_990] = [1, 2, 3];
        assert!(there_and_back(&rows) < 64);
    }

    /// Numbers that would keep a reader busy for years.
    #[test]
    fn huge_numbers_take_no_time() {
        let read = |numbers: &[u64], cycles: u64| {
            let mut plain = Vec::new();
            numbers.iter().for_each(|&number| put(&mut plain, number));
            RowReader::new(&zstd::encode_all(&plain[..], LEVEL).unwrap(), 3, cycles).unwrap().read_through()
        };
        assert!(read(&[1 << 62], 1 << 62).is_ok(), "idle for a hundred thousand years");
        assert!(read(&[1 << 40, 1, 0, 7, 5], (1 << 40) + 6).is_ok());
        assert!(read(&[1 << 40, 1, 0, 7, 5], (1 << 40) + 7).is_err());
        assert!(read(&[0, u64::MAX], 1).is_err(), "more changes than words");
        assert!(read(&[0, 1, u64::MAX, 1], 1).is_err(), "a word far outside");
    }

    fn read_plain(plain: &[u8], cycles: u64) -> io::Result<()> {
        RowReader::new(&zstd::encode_all(plain, LEVEL).unwrap(), 3, cycles).unwrap().read_through()
    }

    #[test]
    fn numbers_of_more_than_64_bits_are_refused() {
        let of_top = |top: u8| [[0xff; 9].as_slice(), &[top]].concat();
        assert!(read_plain(&of_top(1), 5).is_ok(), "2^64 - 1 repeats");
        for top in [2, 3, 0x7f, 0x80, 0x81] {
            assert!(read_plain(&of_top(top), 5).is_err(), "{top:#x}");
        }
        assert!(read_plain(&[0xff; 12], 5).is_err());
    }

    #[test]
    fn a_window_that_no_writer_asks_for_is_refused() {
        let mut encoder = Encoder::new(Vec::new(), LEVEL).unwrap();
        encoder.window_log(27).unwrap();
        encoder.write_all(&[5]).unwrap();
        let bytes = encoder.finish().unwrap();
        assert!(RowReader::new(&bytes, 3, 5).unwrap().read_through().is_err());
    }

    #[test]
    fn too_few_rows_and_nonsense_are_errors() {
        let mut writer = RowWriter::new(3);
        writer.push(&[1, 2, 3]);
        let bytes = writer.finish();
        let mut reader = RowReader::new(&bytes, 3, 5).unwrap();
        assert!(reader.next_row().is_ok() && reader.next_row().is_err(), "one row, not five");
        let mut narrow = RowReader::new(&bytes, 2, 1).unwrap();
        assert!(narrow.next_row().is_err(), "a third word of two");
        let garbage = RowReader::new(b"garbage", 3, 1).and_then(|mut reader| reader.next_row().map(drop));
        assert!(garbage.is_err());
    }
}
