//! Skips the C++ compiler where nothing that it reads has changed: an edited comment in the RTL, another unit's file, and another
//! folder of this script. Cargo gives it one for each set of features and for clippy, whose wrapper is a part of the build's name.

use super::failure::Failure;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A digest of everything one static library is made of.
pub(crate) struct Stamp {
    file: PathBuf,
    digest: String,
}

impl Stamp {
    /// Digests the C++ in `folders`, and `settings`: flags, versions.
    pub(crate) fn of(library: &Path, folders: &[&Path], settings: &[String]) -> Result<Self, Failure> {
        // The folder of the script is not a part of what it makes: Verilator writes names below it alone.
        let out = library.parent().unwrap_or(library);
        let here = out.to_string_lossy();
        let mut hasher = DefaultHasher::new();
        for setting in settings {
            setting.replace(&*here, "").hash(&mut hasher);
        }
        for folder in folders {
            for file in cpp_files(folder, &["cpp", "h"])? {
                file.strip_prefix(out).unwrap_or(&file).hash(&mut hasher);
                fs::read(&file)
                    .map_err(|error| Failure::new(format!("{}: {error}", file.display())))?
                    .hash(&mut hasher);
            }
        }
        let file = library.with_extension("stamp");
        Ok(Stamp { file, digest: format!("{:016x}", hasher.finish()) })
    }

    /// Whether the library was built from the same, here or in another folder of this script, from which it is then copied.
    pub(crate) fn is_current(&self) -> Result<bool, Failure> {
        if self.is_of(&self.file) {
            return Ok(true);
        }
        let Some(other) = self.others().into_iter().find(|file| self.is_of(file)) else { return Ok(false) };
        let (from, to) = (other.with_extension("a"), self.file.with_extension("a"));
        fs::copy(&from, &to).map_err(|error| Failure::new(format!("{}: {error}", from.display())))?;
        self.write()?;
        Ok(true)
    }

    /// Whether the library beside a stamp has this digest.
    fn is_of(&self, file: &Path) -> bool {
        file.with_extension("a").is_file() && fs::read_to_string(file).is_ok_and(|text| text == self.digest)
    }

    /// The stamps of this library in the script's other folders: `sim-harness-*/out` beside its own.
    fn others(&self) -> Vec<PathBuf> {
        let Some(name) = self.file.file_name() else { return Vec::new() };
        let builds = self.file.ancestors().nth(3).map(fs::read_dir);
        let Some(Ok(builds)) = builds else { return Vec::new() };
        builds
            .filter_map(|build| Some(build.ok()?.path().join("out").join(name)))
            .filter(|file| *file != self.file)
            .collect()
    }

    /// To be called after the library was built.
    pub(crate) fn write(&self) -> Result<(), Failure> {
        fs::write(&self.file, &self.digest).map_err(|error| Failure::new(format!("{}: {error}", self.file.display())))
    }
}

/// The words of a command. As it is printed it has the environment too, if it has one of its own as those of `cc`: that is another one
/// in each run of cargo.
pub(crate) fn words(command: &Command) -> Vec<String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect()
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
