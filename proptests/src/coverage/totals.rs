//! Counts of all runs together, and their file.

use super::layout::Layout;
use crate::state_file;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Counts of several runs. Merging adds, so the order of merging makes no difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The bins.
    pub layout: &'static Layout,
    /// Runs counted.
    pub runs: u64,
    /// Cycles counted.
    pub cycles: u64,
    /// How often each bin was met, in the order of the layout.
    pub counts: Vec<u64>,
}

/// Content of the file, as the book describes it.
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

/// Reason why a file cannot be read or merged.
#[derive(Debug)]
pub enum MergeError {
    /// The system refuses.
    Io(io::Error),
    /// It is not a coverage file, or a damaged one.
    Damaged(String),
    /// It counts other bins than this program.
    OtherVersion {
        /// Version of the file.
        found: String,
        /// The bins of this program.
        layout: &'static Layout,
    },
}

impl std::fmt::Display for MergeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Damaged(why) => write!(f, "not a coverage file, or a damaged one: {why}"),
            Self::OtherVersion { found, layout } => write!(
                f,
                "it counts the bins of version {found}, this program those of version {} of the unit {}; they cannot be merged: \
                 remove the file, or name another one",
                layout.version(),
                layout.unit
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

impl Totals {
    /// Returns counts that are all zero.
    #[must_use]
    pub fn new(layout: &'static Layout) -> Self {
        Self { layout, runs: 0, cycles: 0, counts: vec![0; layout.total()] }
    }

    /// Adds the counts of other runs. Sums saturate.
    pub fn merge(&mut self, other: &Self) {
        self.runs = self.runs.saturating_add(other.runs);
        self.cycles = self.cycles.saturating_add(other.cycles);
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count = count.saturating_add(*more);
        }
    }

    /// Returns the number of bins that were met.
    #[must_use]
    pub fn hit(&self) -> usize {
        self.counts.iter().filter(|count| **count != 0).count()
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn to_json(&self) -> String {
        let layout = self.layout;
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
    pub fn from_json(layout: &'static Layout, text: &str) -> Result<Self, MergeError> {
        let stored: Stored = serde_json::from_str(text).map_err(|error| MergeError::Damaged(error.to_string()))?;
        if stored.format != FORMAT {
            return Err(MergeError::Damaged(format!("its format is {}, not {FORMAT}", stored.format)));
        }
        if stored.version != layout.version() {
            return Err(MergeError::OtherVersion { found: stored.version, layout });
        }
        let mut counts = Vec::with_capacity(layout.total());
        for cross in &layout.crosses {
            let found = stored.crosses.get(cross.id).filter(|found| found.len() == cross.bins());
            counts.extend(
                found.ok_or_else(|| MergeError::Damaged(format!("{} has not {} bins", cross.id, cross.bins())))?,
            );
        }
        Ok(Self { layout, runs: stored.runs, cycles: stored.cycles, counts })
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or as [`from_json`](Self::from_json).
    pub fn read(layout: &'static Layout, path: &Path) -> Result<Self, MergeError> {
        Self::from_json(layout, &state_file::read(path)?)
    }

    /// Writes a file atomically: a reader sees the old or the new content.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        state_file::replace(path, self.to_json().as_bytes())
    }

    /// Adds these counts to a file, which need not be there; returns what it holds then. Several programs may do so at a time.
    ///
    /// # Errors
    ///
    /// If the file is there and cannot be read, or cannot be written.
    pub fn add_to(&self, path: &Path) -> Result<Self, MergeError> {
        let lock = state_file::lock_file(path)?;
        lock.lock()?;
        let mut all = match Self::read(self.layout, path) {
            Err(MergeError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Self::new(self.layout),
            other => other?,
        };
        all.merge(self);
        all.write(path)?;
        Ok(all)
    }

    /// Replaces a file by these counts, whatever it held; returns them.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn replace(&self, path: &Path) -> Result<Self, MergeError> {
        let lock = state_file::lock_file(path)?;
        lock.lock()?;
        self.write(path)?;
        Ok(self.clone())
    }

    /// Returns sixteen digits that change with any count.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update(self.to_json());
        hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Keeps counts for a command that repeats a case which they steered; the name of the file is made from its content.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn save_to_steer(&self, folder: &Path) -> io::Result<PathBuf> {
        let path = folder.join(format!("steer-{}.json", self.digest()));
        self.write(&path)?;
        Ok(path)
    }

    /// Reads counts to steer by. A file that [`save_to_steer`](Self::save_to_steer) wrote carries its digest as its name, and has to
    /// have it.
    ///
    /// # Errors
    ///
    /// If it cannot be read, counts other bins, or is not what its name says.
    pub fn read_to_steer(layout: &'static Layout, path: &Path) -> Result<Self, String> {
        let path = &below_workspace(path);
        let totals = Self::read(layout, path).map_err(|why| format!("{}: {why}", path.display()))?;
        let named = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.strip_prefix("steer-"));
        match named {
            Some(digest) if digest != totals.digest() => {
                Err(format!("{}: it has changed, its digest is {}", path.display(), totals.digest()))
            }
            _ => Ok(totals),
        }
    }
}

/// Tests run in the folder of their package; a path from the root of the workspace is meant all the same.
fn below_workspace(path: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if path.is_relative() && !path.exists() { root.join(path) } else { path.to_owned() }
}
