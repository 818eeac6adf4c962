//! Source files of a bench, some of them perhaps spoilt on purpose.

use crate::{Failure, root};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a list in the folder `rtl`, one path a line, relative to that folder.
///
/// # Errors
/// The list cannot be read.
pub fn file_list(name: &str) -> Result<Vec<PathBuf>, Failure> {
    let rtl = root().join("rtl");
    let path = rtl.join(name);
    let text = fs::read_to_string(&path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    Ok(text.lines().filter(|line| !line.trim().is_empty()).map(|line| rtl.join(line.trim())).collect())
}

/// Files in the order of compilation.
#[derive(Debug, Clone, Default)]
pub struct Sources(Vec<PathBuf>);

impl Sources {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Sources::default()
    }

    /// The files of lists in the folder `rtl` behind those that are there.
    ///
    /// # Errors
    /// A list cannot be read.
    pub fn lists(mut self, names: &[&str]) -> Result<Self, Failure> {
        for name in names {
            self.0.extend(file_list(name)?);
        }
        Ok(self)
    }

    /// Files of the repository behind those that are there.
    #[must_use]
    pub fn files(mut self, names: &[impl AsRef<str>]) -> Self {
        self.0.extend(names.iter().map(|name| root().join(name.as_ref())));
        self
    }

    /// The flat top of a build, and the same with its outputs as one vector; both are written to `folder`.
    ///
    /// # Errors
    /// There is no such build, or the files cannot be written.
    pub fn flat(mut self, build: &str, folder: &Path) -> Result<Self, Failure> {
        let files = flat_image::write(build, &folder.join("flat")).map_err(|error| Failure::new(error.to_string()))?;
        self.0.extend(files.flat);
        Ok(self)
    }

    /// The same with one file replaced by a copy in `folder`, in which `text` has become `other`.
    ///
    /// # Errors
    /// There is no such file, or it has the text never or more than once: the file has changed, and so must who breaks it.
    pub fn broken(mut self, file: &str, text: &str, other: &str, folder: &Path) -> Result<Self, Failure> {
        let place = self.0.iter_mut().find(|path| path.ends_with(file));
        let place = place.ok_or_else(|| Failure::new(format!("{file} is not among the sources")))?;
        let source =
            fs::read_to_string(&place).map_err(|error| Failure::new(format!("{}: {error}", place.display())))?;
        if source.matches(text).count() != 1 {
            return Err(Failure::new(format!("{file} has not exactly one `{text}`")));
        }
        let copy = folder.join(place.file_name().unwrap_or_default());
        fs::write(&copy, source.replace(text, other))
            .map_err(|error| Failure::new(format!("{}: {error}", copy.display())))?;
        *place = copy;
        Ok(self)
    }

    /// Copies all to `folder`; returns their names.
    pub(crate) fn copied(&self, folder: &Path) -> Result<Vec<String>, Failure> {
        let copy = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default();
            fs::copy(path, folder.join(name)).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
            Ok(name.to_string_lossy().into_owned())
        };
        self.0.iter().map(copy).collect()
    }

    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.0
    }
}
