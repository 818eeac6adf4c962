//! What all runs together have met, and the file that keeps it.

use super::layout::Layout;
use super::sampler::Sampler;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Counts of several runs. Merging adds, so the order of merging makes no difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Runs counted.
    pub runs: u64,
    /// Cycles counted.
    pub cycles: u64,
    /// How often each bin was met, in the order of the layout.
    pub counts: Vec<u64>,
}

/// The file, as the book describes it.
#[derive(Serialize, Deserialize)]
struct Stored {
    format: u32,
    version: String,
    runs: u64,
    cycles: u64,
    crosses: BTreeMap<String, Vec<u64>>,
}

/// Version of the file format.
const FORMAT: u32 = 1;

/// Why a file cannot be read or merged.
#[derive(Debug)]
pub enum MergeError {
    /// The system says so.
    Io(io::Error),
    /// It is not a coverage file, or a damaged one.
    Damaged(String),
    /// It counts other bins than this program.
    OtherVersion(String),
}

impl std::fmt::Display for MergeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Damaged(why) => write!(f, "not a coverage file, or a damaged one: {why}"),
            Self::OtherVersion(found) => write!(
                f,
                "it counts the bins of version {found}, this program those of version {}; they cannot be merged: remove the file, \
                 or name another one",
                Layout::get().version()
            ),
        }
    }
}

impl std::error::Error for MergeError {}

impl From<io::Error> for MergeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Default for Totals {
    fn default() -> Self {
        Self { runs: 0, cycles: 0, counts: vec![0; Layout::get().total()] }
    }
}

impl From<&Sampler> for Totals {
    fn from(sampler: &Sampler) -> Self {
        Self { runs: sampler.runs(), cycles: sampler.cycles(), counts: sampler.counts().to_vec() }
    }
}

impl Totals {
    /// Adds what other runs have met; sums stop at the largest number.
    pub fn merge(&mut self, other: &Self) {
        self.runs = self.runs.saturating_add(other.runs);
        self.cycles = self.cycles.saturating_add(other.cycles);
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count = count.saturating_add(*more);
        }
    }

    /// How many bins were met.
    #[must_use]
    pub fn hit(&self) -> usize {
        self.counts.iter().filter(|count| **count != 0).count()
    }

    /// The text of the file.
    #[must_use]
    pub fn to_json(&self) -> String {
        let layout = Layout::get();
        let crosses = layout
            .crosses
            .iter()
            .map(|cross| (cross.id.to_owned(), self.counts[cross.offset..cross.offset + cross.bins()].to_vec()));
        let (runs, cycles) = (self.runs, self.cycles);
        let stored =
            Stored { format: FORMAT, version: layout.version().to_owned(), runs, cycles, crosses: crosses.collect() };
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// If it is not such a text, or counts other bins.
    pub fn from_json(text: &str) -> Result<Self, MergeError> {
        let stored: Stored = serde_json::from_str(text).map_err(|error| MergeError::Damaged(error.to_string()))?;
        let layout = Layout::get();
        if stored.format != FORMAT {
            return Err(MergeError::Damaged(format!("its format is {}, not {FORMAT}", stored.format)));
        }
        if stored.version != layout.version() {
            return Err(MergeError::OtherVersion(stored.version));
        }
        let mut counts = Vec::with_capacity(layout.total());
        for cross in &layout.crosses {
            let found = stored.crosses.get(cross.id).filter(|found| found.len() == cross.bins());
            counts.extend(
                found.ok_or_else(|| MergeError::Damaged(format!("{} has not {} bins", cross.id, cross.bins())))?,
            );
        }
        Ok(Self { runs: stored.runs, cycles: stored.cycles, counts })
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or as [`from_json`](Self::from_json).
    pub fn read(path: &Path) -> Result<Self, MergeError> {
        Self::from_json(&fs::read_to_string(path)?)
    }

    /// Writes a file so that a reader sees the old one or the new one, whole.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        // Readable by all, as other files are.
        let permissions = fs::Permissions::from_mode(0o644);
        let mut fresh = tempfile::Builder::new().permissions(permissions).tempfile_in(folder)?;
        fresh.write_all(self.to_json().as_bytes())?;
        fresh.persist(path).map(|_| ()).map_err(|error| error.error)
    }

    /// Adds these counts to a file, which need not be there; returns what it holds then. Several programs may do so at a time.
    ///
    /// # Errors
    ///
    /// If the file is there and cannot be read, or cannot be written.
    pub fn add_to(&self, path: &Path) -> Result<Self, MergeError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let lock = File::create(path.with_extension("lock"))?;
        lock.lock()?;
        let mut all = match Self::read(path) {
            Err(MergeError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Self::default(),
            other => other?,
        };
        all.merge(self);
        all.write(path)?;
        Ok(all)
    }
}
