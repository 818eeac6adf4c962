//! Files in which a program keeps counts or progress: read at its beginning, replaced at its end.

use sim_harness::report::{Output, folder_of};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Checks at the beginning of a run that the file can be replaced at its end, and makes its directory.
///
/// # Errors
///
/// If it is a directory, a device or a pipe, or cannot be written.
pub fn check(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
        return Err(io::Error::other("it is a device or a pipe, in which nothing can be kept; name a file"));
    }
    fs::create_dir_all(folder_of(path))?;
    Output::create(path).map(drop).map_err(|error| error.error)
}

/// Reads a file as text.
///
/// # Errors
///
/// If it cannot be read, or is a device, which may have no end.
pub fn read(path: &Path) -> io::Result<String> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_char_device() || kind.is_block_device() {
        return Err(io::Error::other("it is a device; name a file"));
    }
    fs::read_to_string(path)
}

/// Replaces the file, or the one that it leads to by symbolic links: a reader sees the old or the new content.
///
/// # Errors
///
/// If it cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder_of(path))?;
    Output::create(path).and_then(|output| output.write_whole(bytes)).map_err(|error| error.error)
}

/// Opens the file that programs lock before they change this one. Its content stays as it is.
///
/// # Errors
///
/// If it cannot be created.
pub fn lock_file(path: &Path) -> io::Result<File> {
    fs::create_dir_all(folder_of(path))?;
    OpenOptions::new().write(true).create(true).truncate(false).open(lock_of(path))
}

/// Returns the path of the file that is locked.
#[must_use]
pub fn lock_of(path: &Path) -> PathBuf {
    let lock = path.with_extension("lock");
    // Not the file itself.
    if lock == path { path.with_extension("lock.lock") } else { lock }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_file_is_replaced_behind_its_links_and_nothing_else_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        symlink("below/file", path("link")).unwrap();
        fs::create_dir(path("below")).unwrap();
        check(&path("link")).unwrap();
        assert!(!path("below/file").exists(), "a check leaves nothing");
        replace(&path("link"), b"new").unwrap();
        assert_eq!(read(&path("below/file")).unwrap(), "new");
        assert!(fs::symlink_metadata(path("link")).unwrap().is_symlink());
        assert!(check(&path("below")).is_err(), "a directory");
        assert!(check(&path("link/below")).is_err(), "below a file");
        check(&path("new/directory/file")).unwrap();
    }

    #[test]
    fn devices_are_neither_read_nor_replaced() {
        assert!(read(Path::new("/dev/zero")).is_err());
        let folder = tempfile::tempdir().unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
        assert!(check(&folder.path().join("socket")).unwrap_err().to_string().contains("nothing can be kept"));
    }

    #[test]
    fn a_file_is_not_its_own_lock() {
        assert_eq!(lock_of(Path::new("a/state.json")), Path::new("a/state.lock"));
        assert_eq!(lock_of(Path::new("a/state.lock")), Path::new("a/state.lock.lock"));
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        fs::write(lock_of(&state), "of somebody else").unwrap();
        drop(lock_file(&state).unwrap());
        assert_eq!(fs::read(lock_of(&state)).unwrap(), b"of somebody else");
    }
}
