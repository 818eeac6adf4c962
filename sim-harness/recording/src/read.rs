//! Reading a recording.

use crate::{END, MAGIC, MOST_HEAD, MOST_ROW, NAME_WORDS, RUN, RecordingError, UNIT_WORDS, delta};
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// A recording that is being read.
///
/// It knows the words of a row from the file alone: the functions of the model may be what is wrong.
#[derive(Debug)]
pub struct Reader {
    from: BufReader<File>,
    path: PathBuf,
    runs: u32,
    cycles: u64,
}

/// What a run is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The property whose case it is.
    pub name: String,
    /// The case's seed.
    pub seed: u64,
    /// Name of the unit.
    pub unit: String,
    /// The parameters of the build, in its order.
    pub sizes: Vec<u32>,
    /// The straps, as words.
    pub straps: Vec<u32>,
    /// Words of an inputs row.
    pub input_words: usize,
    /// Words of an outputs row.
    pub output_words: usize,
    /// How many cycles follow.
    pub cycles: u32,
}

/// The rows of one cycle.
#[derive(Clone, Debug)]
pub struct RowPair {
    /// What went in.
    pub input: Vec<u32>,
    /// What the RTL showed.
    pub output: Vec<u32>,
}

impl Run {
    /// The cycle before the first one of the run.
    #[must_use]
    pub fn power_up(&self) -> RowPair {
        RowPair { input: vec![0; self.input_words], output: vec![0; self.output_words] }
    }
}

impl Reader {
    /// Opens a recording.
    ///
    /// # Errors
    /// If there is none.
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        let file = File::open(path).map_err(|error| RecordingError::File(path.to_owned(), error))?;
        let mut reader =
            Self { from: BufReader::with_capacity(1 << 18, file), path: path.to_owned(), runs: 0, cycles: 0 };
        if reader.word()? != MAGIC {
            return Err(RecordingError::Foreign(path.to_owned()));
        }
        Ok(reader)
    }

    /// The next run, whose cycles are to be read all before the run after it; `None` after the last one.
    ///
    /// # Errors
    /// If the recording is cut, or not whole at its end.
    pub fn run(&mut self) -> Result<Option<Run>, RecordingError> {
        match self.word()? {
            RUN => {}
            END => return self.end(),
            _ => return Err(self.cut()),
        }
        let name = self.text::<{ 4 * NAME_WORDS }>()?;
        let seed = u64::from(self.word()?) | u64::from(self.word()?) << 32;
        let unit = self.text::<{ 4 * UNIT_WORDS }>()?;
        let (sizes, straps) = (self.words(MOST_HEAD)?, self.words(MOST_HEAD)?);
        let (input_words, output_words) = (self.row_words()?, self.row_words()?);
        let cycles = self.word()?;
        self.runs += 1;
        self.cycles += u64::from(cycles);
        Ok(Some(Run { name, seed, unit, sizes, straps, input_words, output_words, cycles }))
    }

    /// Turns a cycle into the next one of the run.
    ///
    /// # Errors
    /// If the recording is cut.
    pub fn advance(&mut self, cycle: &mut RowPair) -> Result<(), RecordingError> {
        delta::read(&mut self.from, &mut cycle.input)
            .and_then(|()| delta::read(&mut self.from, &mut cycle.output))
            .map_err(|error| self.failed(error))
    }

    /// The error of a run that the program does not know.
    #[must_use]
    pub fn unknown(&self, what: String) -> RecordingError {
        RecordingError::Unknown(self.path.clone(), what)
    }

    fn end(&mut self) -> Result<Option<Run>, RecordingError> {
        let runs = self.word()?;
        let cycles = u64::from(self.word()?) | u64::from(self.word()?) << 32;
        // A recording of nothing shows nothing.
        let whole = runs == self.runs && cycles == self.cycles && cycles > 0;
        if whole { Ok(None) } else { Err(RecordingError::Miscounted(self.path.clone())) }
    }

    fn text<const BYTES: usize>(&mut self) -> Result<String, RecordingError> {
        let mut text = [0; BYTES];
        self.from.read_exact(&mut text).map_err(|error| self.failed(error))?;
        Ok(String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned())
    }

    /// A number of words, and so many words.
    fn words(&mut self, most: u32) -> Result<Vec<u32>, RecordingError> {
        let count = self.word()?;
        if count > most {
            return Err(self.cut());
        }
        (0..count).map(|_| self.word()).collect()
    }

    fn row_words(&mut self) -> Result<usize, RecordingError> {
        let words = self.word()?;
        if (1..=MOST_ROW).contains(&words) { Ok(words as usize) } else { Err(self.cut()) }
    }

    fn word(&mut self) -> Result<u32, RecordingError> {
        delta::word(&mut self.from).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: std::io::Error) -> RecordingError {
        match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::InvalidData => self.cut(),
            _ => RecordingError::File(self.path.clone(), error),
        }
    }

    fn cut(&self) -> RecordingError {
        RecordingError::Cut(self.path.clone())
    }
}
