//! Rows of inputs as bytes: the changes from each cycle to the next, compressed.
//!
//! Before compression a row is two numbers and its changes: how often the row before it repeats, how many words change, and
//! for each its distance from the one before it and its new value. All are in base 128, lowest first; the top bit of a byte says that
//! another follows. The row before the first is all zeros. A last number says how often the last row repeats.

use std::io::{self, BufReader, Read, Write};
use zstd::stream::{read::Decoder, write::Encoder};

/// Level of compression. Capsules are written once, so that it is high.
const LEVEL: i32 = 9;
/// Memory that decompression may ask for, as a power of two: twice what that level asks for.
const WINDOW_LOG: u32 = 23;

/// Encodes rows as bytes.
pub struct RowWriter {
    encoder: Encoder<'static, Vec<u8>>,
    previous: Vec<u32>,
    repeats: u64,
    cycles: u64,
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
        Self { encoder, previous: vec![0; words], repeats: 0, cycles: 0, bytes: Vec::new() }
    }

    /// Appends a cycle.
    ///
    /// # Panics
    /// If the row has another length than the writer's.
    pub fn push(&mut self, row: &[u32]) {
        assert_eq!(row.len(), self.previous.len(), "words of a row");
        self.cycles += 1;
        if row == self.previous {
            self.repeats += 1;
            return;
        }
        self.bytes.clear();
        put(&mut self.bytes, std::mem::take(&mut self.repeats));
        let changes = row.iter().zip(&self.previous).filter(|(new, old)| new != old).count();
        put(&mut self.bytes, changes as u64);
        let mut next = 0;
        for (word, (&new, old)) in row.iter().zip(&mut self.previous).enumerate() {
            if new != *old {
                put(&mut self.bytes, (word - next) as u64);
                put(&mut self.bytes, new.into());
                (next, *old) = (word + 1, new);
            }
        }
        self.encoder.write_all(&self.bytes).expect("a vector takes everything");
    }

    /// Returns the number of cycles so far.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Returns the bytes.
    ///
    /// # Panics
    /// Never: a vector takes everything.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.clear();
        put(&mut self.bytes, self.repeats);
        self.encoder.write_all(&self.bytes).expect("a vector takes everything");
        self.encoder.finish().expect("a vector takes everything")
    }
}

impl std::fmt::Debug for RowWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowWriter").field("cycles", &self.cycles).finish_non_exhaustive()
    }
}

fn put(into: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        into.push(value as u8 | 0x80);
        value >>= 7;
    }
    into.push(value as u8);
}

/// Decodes the rows, one at a time.
pub struct RowReader<'a> {
    bytes: BufReader<Decoder<'a, BufReader<&'a [u8]>>>,
    row: Vec<u32>,
    repeats: u64,
    /// A row was begun whose changes are still to be read.
    owed: bool,
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
        Ok(Self { bytes, row: vec![0; words], repeats: 0, owed: false, left: cycles })
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
        if !self.owed {
            self.repeats = self.number()?;
            self.owed = true;
        }
        if self.repeats > 0 {
            self.repeats -= 1;
        } else {
            self.change()?;
            self.owed = false;
        }
        Ok(Some(&self.row))
    }

    /// Reads and checks the remaining rows. A million idle cycles take as long as one.
    ///
    /// # Errors
    /// As [`next_row`](Self::next_row).
    pub(super) fn read_through(mut self) -> io::Result<()> {
        while self.left > 0 {
            self.next_row()?;
            let idle = self.repeats.min(self.left);
            self.repeats -= idle;
            self.left -= idle;
        }
        Ok(())
    }

    fn change(&mut self) -> io::Result<()> {
        let changes = self.number()?;
        if changes > self.row.len() as u64 {
            return Err(nonsense());
        }
        let mut next = 0_usize;
        for _ in 0..changes {
            let word = usize::try_from(self.number()?).ok().and_then(|gap| next.checked_add(gap));
            let new = u32::try_from(self.number()?).map_err(|_| nonsense())?;
            *word.and_then(|word| self.row.get_mut(word)).ok_or_else(nonsense)? = new;
            next = word.unwrap_or(0) + 1;
        }
        Ok(())
    }

    fn number(&mut self) -> io::Result<u64> {
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let mut byte = [0];
            self.bytes.read_exact(&mut byte)?;
            // Of the tenth byte there is room for one bit.
            if shift > 63 || shift == 63 && byte[0] > 1 {
                return Err(nonsense());
            }
            value |= u64::from(byte[0] & 0x7f) << shift;
            if byte[0] < 0x80 {
                return Ok(value);
            }
            shift += 7;
        }
    }
}

impl std::fmt::Debug for RowReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowReader").field("left", &self.left).finish_non_exhaustive()
    }
}

fn nonsense() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a row makes no sense")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(rows: &[[u32; 3]]) -> usize {
        let mut writer = RowWriter::new(3);
        rows.iter().for_each(|row| writer.push(row));
        assert_eq!(writer.cycles(), rows.len() as u64);
        let bytes = writer.finish();
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
