//! Writing a recording.

use crate::{END, MAGIC, NAME_WORDS, RUN, delta};
use lwp_model::lwp::flat::{OUT_WORDS, STRAP_WORDS, in_words};
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

    /// A run of a unit with these lanes, slots and latency bits: `inputs` and `outputs` are its rows, cycle after cycle. Name
    /// (at most 32 bytes) and seed say where it comes from.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If the rows are not of the same number of cycles.
    pub fn run(
        &mut self,
        (name, seed): (&str, u64),
        (lanes, slots, latency): (u32, u32, u32),
        straps: &[u32; STRAP_WORDS],
        inputs: &[u32],
        outputs: &[u32],
    ) -> io::Result<()> {
        let in_words = in_words(lanes as usize);
        let cycles = inputs.len() / in_words;
        assert_eq!(outputs.len(), cycles * OUT_WORDS, "rows of {cycles} cycles");
        let mut padded = [0; 4 * NAME_WORDS];
        padded[..name.len()].copy_from_slice(name.as_bytes());
        self.words(&[RUN])?;
        self.to.write_all(&padded)?;
        self.words(&[seed as u32, (seed >> 32) as u32, lanes, slots, latency])?;
        self.words(straps)?;
        self.words(&[cycles as u32])?;
        let (mut last_input, mut last_output) = (vec![0; in_words], [0; OUT_WORDS]);
        for (input, output) in inputs.chunks(in_words).zip(outputs.chunks(OUT_WORDS)) {
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

    fn words(&mut self, words: &[u32]) -> io::Result<()> {
        words.iter().try_for_each(|word| self.to.write_all(&word.to_le_bytes()))
    }
}
