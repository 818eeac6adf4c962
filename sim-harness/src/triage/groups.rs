//! Groups of capsules.

use super::examine::Failing;
use super::key::Key;
use crate::capsule::Capsule;
use serde::{Serialize, Serializer};
use std::path::{Path, PathBuf};

/// Version of the JSON. It grows with every change that a reader could trip over.
pub const SCHEMA: &str = "triage/1";

/// Result of one capsule.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The capsule fails.
    Fails(Box<Failing>),
    /// Nothing fails (any more).
    Passes,
    /// The capsule cannot be used.
    Refused {
        /// What is wrong with it.
        message: String,
        /// What to do about it.
        help: Option<String>,
    },
}

/// All capsules, grouped. Groups with more capsules come first.
#[derive(Clone, Debug, Serialize)]
pub struct Triage {
    /// Name and version of this form.
    pub schema: &'static str,
    /// Number of capsules that were examined.
    pub examined: usize,
    /// Groups of capsules that fail.
    pub groups: Vec<Group>,
    /// Capsules in which nothing fails (any more).
    #[serde(serialize_with = "texts")]
    pub passing: Vec<PathBuf>,
    /// Capsules that cannot be used.
    pub refused: Vec<Refused>,
    /// Number of shrunk capsules that were left out, as the capsule that was shrunk is there.
    pub left_out: usize,
    /// Number of capsules that were not examined, because the run was interrupted.
    pub not_examined: usize,
    /// Whether the two builds of the RTL do not fail alike, for one capsule at least.
    #[serde(skip)]
    pub builds_differ: bool,
}

/// Capsules of one bug, as far as the key tells.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Key of the group.
    #[serde(flatten)]
    pub key: Key,
    /// First line of the report of the smallest capsule.
    pub headline: String,
    /// Paths of the capsules.
    #[serde(serialize_with = "texts")]
    pub capsules: Vec<PathBuf>,
    /// Capsules of these that fail in another way than recorded.
    #[serde(serialize_with = "texts")]
    pub moved: Vec<PathBuf>,
    /// Path of the smallest capsule: of its shrunk form, if that was written.
    #[serde(serialize_with = "text")]
    pub smallest: PathBuf,
    /// Number of cycles of the smallest capsule.
    pub cycles: u64,
    /// Shrunk form of the smallest capsule that is not in a file yet.
    #[serde(skip)]
    pub unwritten: Option<Capsule>,
}

/// Capsule that cannot be used.
#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    /// Path of the file.
    #[serde(serialize_with = "text")]
    pub capsule: PathBuf,
    /// What is wrong with it.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// A path as text; what is not UTF-8 is replaced.
fn text<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&path.display())
}

fn texts<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
}

impl Default for Triage {
    fn default() -> Self {
        Self {
            schema: SCHEMA,
            examined: 0,
            groups: Vec::new(),
            passing: Vec::new(),
            refused: Vec::new(),
            left_out: 0,
            not_examined: 0,
            builds_differ: false,
        }
    }
}

impl Triage {
    /// Adds the result of the capsule in the file `path`.
    pub fn add(&mut self, path: &Path, outcome: Outcome) {
        self.examined += 1;
        match outcome {
            Outcome::Fails(failing) => self.add_failing(path, *failing),
            Outcome::Passes => self.passing.push(path.to_owned()),
            Outcome::Refused { message, help } => {
                self.refused.push(Refused { capsule: path.to_owned(), message, help });
            }
        }
        self.groups
            .sort_by(|one, other| other.capsules.len().cmp(&one.capsules.len()).then_with(|| one.key.cmp(&other.key)));
    }

    fn add_failing(&mut self, path: &Path, failing: Failing) {
        let Failing { key, headline, capsule, shrunk, moved } = failing;
        let cycles = capsule.header().cycles;
        let at = self.groups.iter().position(|group| group.key == key).unwrap_or_else(|| {
            self.groups.push(Group {
                key,
                headline: String::new(),
                capsules: Vec::new(),
                moved: Vec::new(),
                smallest: path.to_owned(),
                cycles: u64::MAX,
                unwritten: None,
            });
            self.groups.len() - 1
        });
        let group = &mut self.groups[at];
        group.capsules.push(path.to_owned());
        if moved {
            group.moved.push(path.to_owned());
        }
        if cycles < group.cycles {
            (group.cycles, group.headline, group.smallest) = (cycles, headline, path.to_owned());
            group.unwritten = shrunk.then_some(capsule);
        }
    }
}
