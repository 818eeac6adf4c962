//! What can be wrong with a recording.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a recording cannot be replayed. Never says anything about the model.
#[derive(Debug)]
pub enum RecordingError {
    /// The file cannot be opened or read.
    File(PathBuf, io::Error),
    /// The file is none, or of another version.
    Foreign(PathBuf),
    /// It ends before its end mark, or holds something else where a run should begin.
    Cut(PathBuf),
    /// Its end mark counts other runs and cycles than there are.
    Miscounted(PathBuf),
    /// A run is of a build or has straps that this program does not know.
    Unknown(PathBuf, String),
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display())?,
            Self::Foreign(path) => write!(f, "{}: not a recording of this version", path.display())?,
            Self::Cut(path) => write!(f, "{}: the recording is cut or damaged", path.display())?,
            Self::Miscounted(path) => write!(f, "{}: the recording lacks runs or cycles", path.display())?,
            Self::Unknown(path, what) => write!(f, "{}: {what}", path.display())?,
        }
        f.write_str("; record anew with `cargo run --release -p proptests --bin record`")
    }
}

impl std::error::Error for RecordingError {}
