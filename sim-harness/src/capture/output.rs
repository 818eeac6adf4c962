//! The file that a capture goes to: it appears under its name when it is whole.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::CaptureError;
use crate::report::{folder_of, temporary};

/// Bytes that are written at once.
const BUFFER: usize = 1 << 20;

/// A file being written.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    file: Option<NamedTempFile>,
    /// Where the bytes go: the temporary file, or a device or pipe directly.
    handle: File,
}

impl Output {
    /// Begins a file that will be `path`.
    pub(super) fn create(path: &Path) -> Result<Self, CaptureError> {
        Self::try_create(path).map_err(|error| CaptureError::write(path, error))
    }

    fn try_create(path: &Path) -> io::Result<Self> {
        // The file behind a symbolic link is replaced, not the link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        match path.metadata() {
            Ok(about) if about.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            // A device or pipe must not be replaced by a file.
            Ok(about) if !about.is_file() => {
                let handle = File::options().write(true).open(&path)?;
                return Ok(Self { path, file: None, handle });
            }
            _ => {}
        }
        let file = temporary(folder_of(&path), ".lwp-capture-", "")?;
        let handle = file.as_file().try_clone()?;
        Ok(Self { path, file: Some(file), handle })
    }

    /// What to write to.
    pub(super) fn file(&self) -> Result<BufWriter<File>, CaptureError> {
        let file = self.handle.try_clone().map_err(|error| CaptureError::write(&self.path, error))?;
        Ok(BufWriter::with_capacity(BUFFER, file))
    }

    /// Gives the file its name, in place of one that may exist.
    pub(super) fn publish(self) -> Result<(), CaptureError> {
        let Some(file) = self.file else { return Ok(()) };
        file.persist(&self.path).map_err(|error| CaptureError::write(&self.path, error.error))?;
        Ok(())
    }
}
