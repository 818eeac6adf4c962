//! Progress of a long run, in a file from which the run can continue.

use crate::state_file;
use crate::straps::Coverage;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// State of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// The program that ran, as its SHA-256: model, RTL and cases are part of it.
    #[serde(default)]
    pub program: String,
    /// Seed of the run.
    pub seed: u64,
    /// Names of the builds, in the order in which they take turns.
    pub builds: Vec<String>,
    /// Number of blocks of cases up to which all are done.
    pub first_open: u64,
    /// Further blocks that are done.
    pub done: BTreeSet<u64>,
    /// Number of cases in which model and RTL agreed.
    pub cases: u64,
    /// Number of cycles in which model and RTL agreed.
    pub cycles: u64,
    /// Pairs of strap values that occurred.
    pub pairs: Coverage,
}

impl Progress {
    /// Returns the next block that no thread has taken, given the blocks in progress.
    #[must_use]
    pub fn next_block(&self, taken: &BTreeSet<u64>) -> u64 {
        (self.first_open..).find(|block| !self.done.contains(block) && !taken.contains(block)).unwrap_or(u64::MAX)
    }

    /// Marks a block as done.
    pub fn finish(&mut self, block: u64) {
        self.done.insert(block);
        while self.done.remove(&self.first_open) {
            self.first_open += 1;
        }
    }

    /// Reads a state, if the file exists.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not such a state.
    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        match state_file::read(path) {
            Ok(text) => Ok(Some(serde_json::from_str(&text)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes the state atomically: a reader sees the old or the new content.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        state_file::replace(path, &serde_json::to_vec(self)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn blocks_are_taken_once_and_remembered() {
        let mut progress = Progress::default();
        let taken = BTreeSet::from([0, 1]);
        assert_eq!(progress.next_block(&taken), 2);
        progress.finish(1);
        assert_eq!((progress.first_open, progress.next_block(&BTreeSet::from([0]))), (0, 2));
        progress.finish(0);
        assert_eq!((progress.first_open, progress.done.len()), (2, 0));
    }

    #[test]
    fn what_is_written_is_read() {
        let path = std::env::temp_dir().join(format!("soak-{}", std::process::id())).join("state.json");
        assert!(Progress::read(&path).unwrap().is_none());
        let mut progress = Progress { seed: 7, cycles: 9, ..Progress::default() };
        progress.pairs.extend(&[((0, 1), (2, 3))]);
        progress.write(&path).unwrap();
        let back = Progress::read(&path).unwrap().unwrap();
        assert_eq!((back.seed, back.cycles, back.pairs.len()), (7, 9, progress.pairs.len()));
        fs::write(&path, "not a state").unwrap();
        assert!(Progress::read(&path).is_err());
        let _ = fs::remove_dir_all(path.parent().unwrap());
    }
}
