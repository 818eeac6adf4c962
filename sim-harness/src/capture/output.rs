//! The file that a capture writes. It appears under its name when it is complete.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::CaptureError;
use crate::report::{folder_of, temporary};

/// The number of bytes that are written at once.
const BUFFER: usize = 1 << 20;

/// A file in progress.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    file: Option<NamedTempFile>,
    /// The destination of the bytes: the temporary file, or directly a device or pipe.
    handle: File,
}

impl Output {
    /// Creates a file that will be published as `path`.
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

    /// Returns a buffered writer to the destination.
    pub(super) fn file(&self) -> Result<BufWriter<File>, CaptureError> {
        let file = self.handle.try_clone().map_err(|error| CaptureError::write(&self.path, error))?;
        Ok(BufWriter::with_capacity(BUFFER, file))
    }

    /// Gives the file its name and replaces an existing file of that name.
    pub(super) fn publish(self) -> Result<(), CaptureError> {
        let Some(file) = self.file else { return Ok(()) };
        file.persist(&self.path).map_err(|error| CaptureError::write(&self.path, error.error))?;
        Ok(())
    }
}
