//! Files that are being written: they have no name of their own yet, and a program that is killed leaves them behind.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::{Builder, NamedTempFile, TempDir};

/// Beginnings of the names of files that are being written.
const UNFINISHED: [&[u8]; 2] = [b".lwp-sim-", b".lwp-capture-"];

/// Between its creation and its lock a file belongs to nobody.
const YOUNG: Duration = Duration::from_secs(1);

/// A new file in `folder` whose name begins with `prefix`, locked as long as it is open. Files of that beginning which nobody holds
/// any more, because their program was killed, are removed.
///
/// # Errors
/// If the file cannot be created.
pub fn temporary(folder: &Path, prefix: &str, suffix: &str) -> io::Result<NamedTempFile> {
    sweep(folder, prefix);
    let mut builder = Builder::new();
    // What the umask leaves of it, as for any new file.
    builder.prefix(prefix).suffix(suffix).permissions(Permissions::from_mode(0o666));
    let file = builder.tempfile_in(folder)?;
    // A file system without locks: then nobody can tell, and `sweep` removes nothing.
    let _ = file.as_file().lock();
    Ok(file)
}

/// A directory for files that live as long as the program. It is removed when this value is dropped.
#[derive(Debug)]
pub struct TemporaryFolder {
    directory: TempDir,
    /// Holds the lock.
    _lock: Option<File>,
}

impl TemporaryFolder {
    /// Returns a new directory in `folder` whose name begins with `prefix`, locked as long as this value lives. A directory of that
    /// beginning that nobody holds any more, and that contains no other files than `files` and unfinished ones, is removed.
    ///
    /// # Errors
    /// If the directory cannot be created.
    pub fn create(folder: &Path, prefix: &str, files: &[&str]) -> io::Result<Self> {
        sweep_folders(folder, prefix, files);
        let directory = Builder::new().prefix(prefix).tempdir_in(folder)?;
        // Without locks nobody can tell whether it is abandoned, and it stays.
        let lock = File::open(directory.path()).ok().filter(|lock| lock.lock().is_ok());
        Ok(Self { directory, _lock: lock })
    }

    /// Returns the path of the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// The folder that a file is in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Removes what a killed program left. What cannot be removed stays: it is no failure of this run.
fn sweep(folder: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(prefix);
        if ours && is_abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes the directories that a killed program left. Only `files` are removed in them: a directory with anything else stays.
fn sweep_folders(folder: &Path, prefix: &str, files: &[&str]) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let named = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    for path in named.map(|entry| entry.path()) {
        let is_folder = fs::symlink_metadata(&path).is_ok_and(|about| about.is_dir());
        let Some(contents) = is_folder.then(|| fs::read_dir(&path).ok()).flatten() else { continue };
        let contents: Vec<PathBuf> = contents.flatten().map(|entry| entry.path()).collect();
        let is_ours = |name: &OsStr| {
            files.iter().any(|file| name == *file)
                || UNFINISHED.iter().any(|prefix| name.as_encoded_bytes().starts_with(prefix))
        };
        let ours = |path: &PathBuf| path.file_name().is_some_and(is_ours);
        if contents.iter().all(ours) && is_unlocked(&path) {
            contents.iter().for_each(|file| drop(fs::remove_file(file)));
            let _ = fs::remove_dir(&path);
        }
    }
}

/// A regular file, not quite new, that nobody has locked.
fn is_abandoned(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_file()) && is_unlocked(path)
}

/// Whether it is not quite new, and nobody has locked it.
fn is_unlocked(path: &Path) -> bool {
    let Ok(about) = fs::symlink_metadata(path) else { return false };
    let old = about
        .created()
        .or_else(|_| about.modified())
        .is_ok_and(|born| SystemTime::now().duration_since(born).is_ok_and(|age| age >= YOUNG));
    if !old {
        return false;
    }
    match File::open(path).map(|file| file.try_lock()) {
        Ok(Ok(())) => true,
        Ok(Err(TryLockError::WouldBlock | TryLockError::Error(_))) | Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_program_left_goes_and_what_is_being_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join(".lwp-sim-dead"), "half a file").unwrap();
        fs::write(path.join("other"), "of somebody else").unwrap();
        let held = temporary(path, ".lwp-sim-", "").unwrap();
        std::thread::sleep(YOUNG + Duration::from_millis(100));
        let again = temporary(path, ".lwp-sim-", ".fst").unwrap();
        let mut names: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        let mut expected = vec![path.join("other"), held.path().to_owned(), again.path().to_owned()];
        names.sort();
        expected.sort();
        assert_eq!(names, expected);
    }

    #[test]
    fn a_killed_programs_folder_goes_and_one_with_other_files_stays() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path();
        for (folder, file) in [
            ("lwp-sim-dead", "ring"),
            ("lwp-sim-killed", ".lwp-capture-x"),
            ("lwp-sim-results", "table.csv"),
            ("other", "ring"),
        ] {
            fs::create_dir(path.join(folder)).unwrap();
            fs::write(path.join(folder).join(file), "").unwrap();
        }
        let held = TemporaryFolder::create(path, "lwp-sim-", &["ring"]).unwrap();
        fs::write(held.path().join("ring"), "").unwrap();
        std::thread::sleep(YOUNG + Duration::from_millis(100));
        let again = TemporaryFolder::create(path, "lwp-sim-", &["ring"]).unwrap();
        let mut names: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        let mut expected = [path.join("lwp-sim-results"), path.join("other")].to_vec();
        expected.extend([held.path().to_owned(), again.path().to_owned()]);
        names.sort();
        expected.sort();
        assert_eq!(names, expected);
        assert!(held.path().join("ring").is_file() && path.join("lwp-sim-results/table.csv").is_file());
    }
}
