//! Writing a recording.

use crate::{END, MAGIC, MOST_HEAD, MOST_ROW, NAME_WORDS, RUN, Rows, UNIT_WORDS, delta};
use lwp_model::Unit;
use std::io::{self, Write};

/// Writes runs, one after the other.
#[derive(Debug)]
pub struct Writer<T: Write> {
    to: T,
    runs: u32,
    cycles: u64,
}

impl<T: Write> Writer<T> {
    /// Begins a recording.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut to: T) -> io::Result<Self> {
        to.write_all(&MAGIC.to_le_bytes())?;
        Ok(Self { to, runs: 0, cycles: 0 })
    }

    /// Writes a run of a unit whose build has these parameters. Name (at most 32 bytes) and seed say where it comes from.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If the rows are not of the same number of cycles, or a name, the sizes or a row are longer than the file allows.
    pub fn run<U: Unit>(
        &mut self,
        (name, seed): (&str, u64),
        sizes: &[u32],
        straps: &U::Config,
        rows: &Rows,
    ) -> io::Result<()> {
        let cycles = rows.inputs.len() / U::INPUT_WORDS;
        assert_eq!(rows.outputs.len(), cycles * U::OUTPUT_WORDS, "rows of {cycles} cycles");
        assert!(U::INPUT_WORDS.max(U::OUTPUT_WORDS) <= MOST_ROW as usize, "words of a row");
        assert!(U::STRAP_WORDS.max(sizes.len()) <= MOST_HEAD as usize, "words of straps and sizes");
        let mut straps_row = vec![0; U::STRAP_WORDS];
        U::pack_straps(straps, &mut straps_row);
        self.words(&[RUN])?;
        self.text::<{ 4 * NAME_WORDS }>(name)?;
        self.words(&[seed as u32, (seed >> 32) as u32])?;
        self.text::<{ 4 * UNIT_WORDS }>(U::NAME)?;
        self.counted(sizes)?;
        self.counted(&straps_row)?;
        self.words(&[U::INPUT_WORDS as u32, U::OUTPUT_WORDS as u32, cycles as u32])?;
        let (mut last_input, mut last_output) = (vec![0; U::INPUT_WORDS], vec![0; U::OUTPUT_WORDS]);
        for (input, output) in rows.inputs.chunks(U::INPUT_WORDS).zip(rows.outputs.chunks(U::OUTPUT_WORDS)) {
            delta::write(&mut self.to, &mut last_input, input)?;
            delta::write(&mut self.to, &mut last_output, output)?;
        }
        self.runs += 1;
        self.cycles += cycles as u64;
        Ok(())
    }

    /// Cycles so far.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Ends the recording; without this it counts as cut.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<(u32, u64)> {
        self.words(&[END, self.runs, self.cycles as u32, (self.cycles >> 32) as u32])?;
        self.to.flush()?;
        Ok((self.runs, self.cycles))
    }

    /// Text, padded with zeros.
    fn text<const BYTES: usize>(&mut self, text: &str) -> io::Result<()> {
        let mut padded = [0; BYTES];
        padded[..text.len()].copy_from_slice(text.as_bytes());
        self.to.write_all(&padded)
    }

    /// How many words, and the words.
    fn counted(&mut self, words: &[u32]) -> io::Result<()> {
        self.words(&[words.len() as u32])?;
        self.words(words)
    }

    fn words(&mut self, words: &[u32]) -> io::Result<()> {
        words.iter().try_for_each(|word| self.to.write_all(&word.to_le_bytes()))
    }
}
