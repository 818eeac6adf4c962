//! Skips the C++ compiler where nothing that it reads has changed: an edited comment in the RTL, another unit's file.

use crate::failure::Failure;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// A digest of everything one static library is made of.
pub(crate) struct Stamp {
    file: PathBuf,
    digest: String,
}

impl Stamp {
    /// Digests the C++ in `folders`, and `settings`: flags, versions.
    pub(crate) fn of(library: &Path, folders: &[&Path], settings: &[String]) -> Result<Self, Failure> {
        let mut hasher = DefaultHasher::new();
        settings.hash(&mut hasher);
        for folder in folders {
            for file in cpp_files(folder, &["cpp", "h"])? {
                file.hash(&mut hasher);
                fs::read(&file)
                    .map_err(|error| Failure::new(format!("{}: {error}", file.display())))?
                    .hash(&mut hasher);
            }
        }
        let file = library.with_extension("stamp");
        Ok(Stamp { file, digest: format!("{:016x}", hasher.finish()) })
    }

    /// Whether the library was built from the same.
    pub(crate) fn is_current(&self) -> bool {
        let library = self.file.with_extension("a");
        library.is_file() && fs::read_to_string(&self.file).is_ok_and(|text| text == self.digest)
    }

    /// To be called after the library was built.
    pub(crate) fn write(&self) -> Result<(), Failure> {
        crate::registry::write(&self.file, &self.digest)
    }
}

/// The files of a folder with one of these extensions, sorted.
pub(crate) fn cpp_files(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|found| extensions.iter().any(|wanted| found == *wanted)))
        .collect();
    files.sort();
    Ok(files)
}
