//! Output files that exist only when they are complete.

use super::temporary::{folder_of, temporary};
use miette::Diagnostic;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use thiserror::Error;

/// A file that is written from beginning to end and appears under its name only once it is complete. Standard output
/// (`-` or `/dev/stdout`), devices and pipes are written directly.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A new file beside the one that it will replace.
    Replacing(BufWriter<NamedTempFile>, PathBuf),
    Direct(BufWriter<File>),
    Stdout(BufWriter<Stdout>),
}

/// Reason why an output cannot be written.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot write `{}`: {error}", path.display())]
#[diagnostic(
    code(output::failed),
    help("check that the folder exists, that it may be written, and that the disk is not full")
)]
pub struct OutputError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub error: io::Error,
}

impl OutputError {
    /// Returns the error of standard output.
    #[must_use]
    pub fn of_stdout(error: io::Error) -> Self {
        Self { path: "/dev/stdout".into(), error }
    }
}

/// Forgives a pipe that was closed: whoever closed it has seen enough.
///
/// # Errors
/// Any other error.
pub fn unless_closed(done: Result<(), OutputError>) -> Result<(), OutputError> {
    match done {
        Err(error) if error.error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// Prints for people: to standard output, or `aside` to standard error if standard output is taken.
///
/// # Errors
/// If it cannot be written, but for a pipe that was closed.
pub fn print(text: &str, aside: bool) -> Result<(), OutputError> {
    let done = if aside {
        io::stderr().write_all(text.as_bytes())
    } else {
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
    };
    unless_closed(done.map_err(OutputError::of_stdout))
}

/// Prints a line to standard output for a program of its own: nothing if the pipe was closed, since whoever closed it has seen enough.
/// [`say!`](crate::say) formats it.
pub fn say(line: fmt::Arguments<'_>) {
    if let Err(error) = print(&format!("{line}\n"), false) {
        eprintln!("{error}");
        std::process::exit(3);
    }
}

/// Prints a line as `println!` does, and does not panic if the pipe was closed. What else goes wrong with standard output ends the program with
/// exit code 3.
#[macro_export]
macro_rules! say {
    ($($argument:tt)*) => {
        $crate::report::say(::core::format_args!($($argument)*))
    };
}

impl Output {
    /// Whether this path names standard output.
    #[must_use]
    pub fn is_stdout(path: &Path) -> bool {
        path == Path::new("-") || path == Path::new("/dev/stdout")
    }

    /// Begins a file. An existing file with the name stays until [`commit`](Self::commit).
    ///
    /// # Errors
    /// If the file, or the one beside it, cannot be created.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let kind = Self::open(path).map_err(|error| OutputError { path: path.to_owned(), error })?;
        Ok(Self { path: path.to_owned(), kind })
    }

    fn open(path: &Path) -> io::Result<Kind> {
        if Self::is_stdout(path) {
            return Ok(Kind::Stdout(BufWriter::new(io::stdout())));
        }
        // A link stays a link: the file that it leads to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let is_special = |metadata: fs::Metadata| !metadata.is_file() && !metadata.is_dir();
        let device = path.starts_with("/dev") || path.starts_with("/proc");
        if device || fs::metadata(&target).is_ok_and(is_special) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(Kind::Direct(BufWriter::new(file)));
        }
        if target.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let file = temporary(folder_of(&target), ".lwp-sim-", "")?;
        Ok(Kind::Replacing(BufWriter::with_capacity(1 << 16, file), target))
    }

    /// Completes the file and puts it under its name.
    ///
    /// # Errors
    /// If what is still to be written cannot be, or the file cannot be renamed.
    pub fn commit(self) -> Result<(), OutputError> {
        let Self { path, kind } = self;
        let done = match kind {
            Kind::Replacing(writer, target) => {
                let file = writer.into_inner().map_err(io::IntoInnerError::into_error);
                file.and_then(|file| file.persist(target).map(drop).map_err(|error| error.error))
            }
            Kind::Direct(mut writer) => writer.flush(),
            Kind::Stdout(mut writer) => writer.flush(),
        };
        done.map_err(|error| OutputError { path, error })
    }

    /// What the system said, as an error about this file.
    #[must_use]
    pub fn error(&self, error: io::Error) -> OutputError {
        OutputError { path: self.path.clone(), error }
    }

    /// Writes all bytes, and completes the file.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn write_whole(mut self, bytes: &[u8]) -> Result<(), OutputError> {
        match self.write_all(bytes) {
            Ok(()) => self.commit(),
            Err(error) => Err(self.error(error)),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.kind {
            Kind::Replacing(writer, _) => writer.write(bytes),
            Kind::Direct(writer) => writer.write(bytes),
            Kind::Stdout(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            Kind::Replacing(writer, _) => writer.flush(),
            Kind::Direct(writer) => writer.flush(),
            Kind::Stdout(writer) => writer.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        fs::write(&path, "old").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        output.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn what_is_given_up_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        drop(Output::create(&folder.path().join("out")).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        Output::create(&link).unwrap().write_whole(b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn a_full_disk_and_a_missing_folder_are_errors_that_name_the_file() {
        let error = Output::create(Path::new("/dev/full")).unwrap().write_whole(b"x").unwrap_err();
        assert!(error.to_string().starts_with("cannot write `/dev/full`: No space left"), "{error}");
        let error = Output::create(Path::new("/proc/nonexistent/file")).unwrap_err();
        assert!(error.to_string().contains("/proc/nonexistent/file"), "{error}");
        assert!(Output::create(&std::env::temp_dir()).is_err(), "a folder");
    }
}
