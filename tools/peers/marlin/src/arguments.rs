//! The command line and the file of rows.

use std::error::Error;
use std::path::{Path, PathBuf};

pub(crate) const USAGE: &str =
    "usage: peer-marlin FOLDER [ROWS CYCLES [--flip-input CYCLE] [--flip-expected CYCLE WORD]]";

/// Bits of word 0 of the inputs: the privilege level.
pub(crate) const CPL: u32 = 0b1100;

pub(crate) struct Arguments {
    pub(crate) rows: PathBuf,
    pub(crate) cycles: usize,
    pub(crate) flip: Flip,
}

/// What is spoilt on purpose, to see that it is noticed.
#[derive(Default)]
pub(crate) struct Flip {
    /// In this cycle the RTL alone sees another privilege level.
    pub(crate) input: Option<usize>,
    /// In this cycle bit 0 of this word of the model's row is another.
    pub(crate) expected: Option<(usize, usize)>,
}

impl Arguments {
    pub(crate) fn parse(mut given: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut next = || given.next().ok_or(USAGE);
        let (rows, cycles) = (next()?.into(), next()?.parse()?);
        let mut flip = Flip::default();
        while let Ok(option) = next() {
            match option.as_str() {
                "--flip-input" => flip.input = Some(next()?.parse()?),
                "--flip-expected" => flip.expected = Some((next()?.parse()?, next()?.parse::<usize>()? % 79)),
                _ => return Err(format!("unknown option {option}").into()),
            }
        }
        Ok(Arguments { rows, cycles, flip })
    }
}

pub(crate) fn read_words(path: &Path) -> Result<Vec<u32>, Box<dyn Error>> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (words, rest) = bytes.as_chunks::<4>();
    if words.len() < 3 || !rest.is_empty() {
        return Err(format!("{} is not a file of rows", path.display()).into());
    }
    Ok(words.iter().copied().map(u32::from_le_bytes).collect())
}
