//! Reading a recording.

use crate::{END, MAGIC, NAME_WORDS, RUN, RecordingError, delta};
use lwp_model::lwp::flat::{OUT_WORDS, STRAP_WORDS};
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Words of an inputs row. Not the model's own function, which may be what is wrong.
fn in_words(lanes: u32) -> usize {
    12 + 11 * lanes as usize
}

/// A recording that is being read.
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
    /// Retire lanes, event slots, latency bits.
    pub sizes: (u32, u32, u32),
    /// The straps, as words.
    pub straps: [u32; STRAP_WORDS],
    /// How many cycles follow.
    pub cycles: u32,
}

/// The rows of one cycle.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// What went in.
    pub input: Vec<u32>,
    /// What the RTL showed.
    pub output: Vec<u32>,
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
        let mut name = [0; 4 * NAME_WORDS];
        self.from.read_exact(&mut name).map_err(|error| self.failed(error))?;
        let name = String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned();
        let seed = u64::from(self.word()?) | u64::from(self.word()?) << 32;
        let sizes = (self.word()?, self.word()?, self.word()?);
        if !matches!(sizes.0, 1 | 2 | 4 | 8) {
            return Err(self.unknown(format!("a unit of {} lanes", sizes.0)));
        }
        let straps = [self.word()?, self.word()?, self.word()?];
        let cycles = self.word()?;
        self.runs += 1;
        self.cycles += u64::from(cycles);
        Ok(Some(Run { name, seed, sizes, straps, cycles }))
    }

    /// The cycle before the first one of a run.
    #[must_use]
    pub fn power_up(run: &Run) -> Cycle {
        Cycle { input: vec![0; in_words(run.sizes.0)], output: vec![0; OUT_WORDS] }
    }

    /// Turns a cycle into the next one of the run.
    ///
    /// # Errors
    /// If the recording is cut.
    pub fn advance(&mut self, cycle: &mut Cycle) -> Result<(), RecordingError> {
        delta::read(&mut self.from, &mut cycle.input)
            .and_then(|()| delta::read(&mut self.from, &mut cycle.output))
            .map_err(|error| self.failed(error))
    }

    fn end(&mut self) -> Result<Option<Run>, RecordingError> {
        let runs = self.word()?;
        let cycles = u64::from(self.word()?) | u64::from(self.word()?) << 32;
        // A recording of nothing shows nothing.
        let whole = runs == self.runs && cycles == self.cycles && cycles > 0;
        if whole { Ok(None) } else { Err(RecordingError::Miscounted(self.path.clone())) }
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

    pub(crate) fn unknown(&self, what: String) -> RecordingError {
        RecordingError::Unknown(self.path.clone(), what)
    }
}
