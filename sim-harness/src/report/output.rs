//! Output files that exist only when they are complete.

use super::temporary::{folder_of, temporary};
use miette::Diagnostic;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Stdout, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use thiserror::Error;

/// A file that is written from beginning to end and appears under its name only once it is complete. Standard output
/// (`-` or `/dev/stdout`), devices and pipes are written directly. What is written to a pipe that was closed is discarded: whoever closed it
/// has seen enough.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    kind: Kind,
}

/// Links that lead to each other are followed as often as Linux does.
const MOST_LINKS: usize = 40;

#[derive(Debug)]
enum Kind {
    /// A new file beside the one that it will replace.
    Replacing(BufWriter<NamedTempFile>, PathBuf),
    Direct(BufWriter<File>),
    Stdout(BufWriter<Stdout>),
    /// A pipe that was closed.
    Closed,
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
        let target = behind_links(path);
        let is_special = |metadata: fs::Metadata| !metadata.is_file() && !metadata.is_dir();
        if is_of_system(path) || is_of_system(&target) || fs::metadata(path).is_ok_and(is_special) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(Kind::Direct(BufWriter::new(file)));
        }
        if target.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let file = temporary(folder_of(&target), ".lwp-sim-", "")?;
        Ok(Kind::Replacing(BufWriter::with_capacity(1 << 16, file), target))
    }

    /// The file that is written until [`commit`](Self::commit) gives it its name; `None` if the bytes go to their destination directly.
    #[must_use]
    pub fn temporary(&self) -> Option<&Path> {
        match &self.kind {
            Kind::Replacing(writer, _) => Some(writer.get_ref().path()),
            _ => None,
        }
    }

    /// Returns another handle of the destination, for a writer with a buffer of its own. It is flushed before [`commit`](Self::commit).
    ///
    /// # Errors
    /// If the system has no handles left.
    pub fn handle(&self) -> io::Result<File> {
        let handle = match &self.kind {
            Kind::Replacing(writer, _) => writer.get_ref().as_file().as_fd().try_clone_to_owned(),
            Kind::Direct(writer) => writer.get_ref().as_fd().try_clone_to_owned(),
            Kind::Stdout(writer) => writer.get_ref().as_fd().try_clone_to_owned(),
            Kind::Closed => Err(io::ErrorKind::BrokenPipe.into()),
        };
        handle.map(File::from)
    }

    /// Completes the file and puts it under its name.
    ///
    /// # Errors
    /// If what is still to be written cannot be, or the file cannot be renamed.
    pub fn commit(mut self) -> Result<(), OutputError> {
        if let Err(error) = self.flush() {
            return Err(self.error(error));
        }
        let Self { path, kind } = self;
        let done = match kind {
            Kind::Replacing(writer, target) => {
                let file = writer.into_inner().map_err(io::IntoInnerError::into_error);
                file.and_then(|file| file.persist(target).map(drop).map_err(|error| error.error))
            }
            Kind::Direct(_) | Kind::Stdout(_) | Kind::Closed => Ok(()),
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

/// Whether the system keeps what is there: a missing file is not created. `/dev/shm` is a disk like others.
fn is_of_system(path: &Path) -> bool {
    path.starts_with("/proc") || (path.starts_with("/dev") && !path.starts_with("/dev/shm"))
}

/// The file that a path leads to by symbolic links, even if that does not exist.
fn behind_links(path: &Path) -> PathBuf {
    if let Ok(target) = fs::canonicalize(path) {
        return target;
    }
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(link) => target = folder_of(&target).join(link),
            Err(_) => break,
        }
    }
    target
}

impl Output {
    /// Writes. A pipe that was closed takes everything from then on.
    fn attempt<T>(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<T>, closed: T) -> io::Result<T> {
        let direct: &mut dyn Write = match &mut self.kind {
            Kind::Replacing(writer, _) => return write(writer),
            Kind::Direct(writer) => writer,
            Kind::Stdout(writer) => writer,
            Kind::Closed => return Ok(closed),
        };
        match write(direct) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.kind = Kind::Closed;
                Ok(closed)
            }
            done => done,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|writer| writer.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(|writer| writer.flush(), ())
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
    fn a_link_to_a_file_that_does_not_exist_yet_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::os::unix::fs::symlink("file", &link).unwrap();
        Output::create(&link).unwrap().write_whole(b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn shared_memory_has_files_and_dev_has_none() {
        if Path::new("/dev/shm").is_dir() {
            let folder = tempfile::tempdir_in("/dev/shm").unwrap();
            let path = folder.path().join("new");
            Output::create(&path).unwrap().write_whole(b"new").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
        }
        assert!(Output::create(Path::new("/dev/lwp-sim-no-such-device")).is_err());
        assert!(!Path::new("/dev/lwp-sim-no-such-device").exists());
    }

    #[test]
    fn a_pipe_that_is_closed_takes_everything() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let reader = {
            let path = path.clone();
            std::thread::spawn(move || drop(File::open(path).unwrap()))
        };
        let mut output = Output::create(&path).unwrap();
        reader.join().unwrap();
        for _ in 0..10 {
            output.write_all(&[0; 10_000]).unwrap();
        }
        output.commit().unwrap();
        assert!(std::os::unix::fs::FileTypeExt::is_fifo(&fs::metadata(&path).unwrap().file_type()));
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
