//! Rows as the changes from each cycle to the next.

use std::io::{self, Read};

/// Encodes rows of words.
///
/// A row is two numbers and its changes: how often the row before it repeats, how many words change, and for each its distance from the
/// one before it and its new value. All are in base 128, lowest first; the top bit of a byte says that another follows. The row before
/// the first is all zeros. A last number says how often the last row repeats.
#[derive(Clone, Debug)]
pub struct Deltas {
    previous: Vec<u32>,
    repeats: u64,
    cycles: u64,
}

impl Deltas {
    /// Returns an encoder of rows of `words` words.
    #[must_use]
    pub fn new(words: usize) -> Self {
        Self { previous: vec![0; words], repeats: 0, cycles: 0 }
    }

    /// Appends a row. The bytes of the row before may follow with it.
    ///
    /// # Panics
    /// If the row has another length than the encoder's.
    #[inline]
    pub fn push(&mut self, row: &[u32], bytes: &mut Vec<u8>) {
        assert_eq!(row.len(), self.previous.len(), "words of a row");
        self.cycles += 1;
        if row == self.previous {
            self.repeats += 1;
            return;
        }
        put(bytes, std::mem::take(&mut self.repeats));
        let changes = row.iter().zip(&self.previous).filter(|(new, old)| new != old).count();
        put(bytes, changes as u64);
        let mut next = 0;
        for (word, (&new, old)) in row.iter().zip(&mut self.previous).enumerate() {
            if new != *old {
                put(bytes, (word - next) as u64);
                put(bytes, new.into());
                (next, *old) = (word + 1, new);
            }
        }
    }

    /// Appends the last number.
    pub fn finish(&self, bytes: &mut Vec<u8>) {
        put(bytes, self.repeats);
    }

    /// Returns the number of rows so far.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Returns the last row; zeros before the first.
    #[must_use]
    pub fn last(&self) -> &[u32] {
        &self.previous
    }
}

/// Appends a number in base 128.
#[inline]
pub fn put(into: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        into.push(value as u8 | 0x80);
        value >>= 7;
    }
    into.push(value as u8);
}

/// Decodes the rows of [`Deltas`], one at a time.
#[derive(Debug)]
pub struct DeltaReader<R> {
    bytes: R,
    row: Vec<u32>,
    repeats: u64,
    /// A row was begun whose changes are still to be read.
    owed: bool,
}

impl<R: Read> DeltaReader<R> {
    /// Returns a reader of rows of `words` words.
    pub fn new(bytes: R, words: usize) -> Self {
        Self { bytes, row: vec![0; words], repeats: 0, owed: false }
    }

    /// Returns the next row. After the last one it is an error, or the last one again: the caller knows their number.
    ///
    /// # Errors
    /// If the bytes end early or make no sense.
    pub fn next_row(&mut self) -> io::Result<&[u32]> {
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
        Ok(&self.row)
    }

    /// Skips rows that equal the last one, at most `most`, and returns how many they are.
    pub fn skip_repeats(&mut self, most: u64) -> u64 {
        let idle = self.repeats.min(most);
        self.repeats -= idle;
        idle
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

fn nonsense() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a row makes no sense")
}
