//! The files of the repository, and the targets that cargo builds from them.

use crate::problem::Error;
use cargo_metadata::camino::Utf8Path;
use cargo_metadata::{Metadata, MetadataCommand, Package, TargetKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A checkout.
#[derive(Debug)]
pub struct Repository {
    root: PathBuf,
    /// Relative to the root, with slashes; what git ignores is not among them.
    pub(crate) files: BTreeSet<String>,
    pub(crate) targets: Vec<Target>,
    /// Folders of packages, each with the features that are on by default.
    defaults: Vec<(String, Vec<String>)>,
}

/// Something that cargo compiles.
#[derive(Debug)]
pub(crate) struct Target {
    /// Its first file.
    pub file: String,
    /// What cargo-nextest calls the program of its tests; `None` if they are not run.
    pub binary: Option<String>,
    /// Whether all it holds are tests.
    pub integration: bool,
}

impl Repository {
    /// The repository whose workspace is at `root`.
    ///
    /// # Errors
    /// If its files cannot be listed, or cargo does not understand its workspace.
    pub fn open(root: &Path) -> Result<Repository, Error> {
        let root = root.canonicalize().map_err(|source| Error::File { path: root.to_owned(), source })?;
        let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).no_deps().exec()?;
        let (targets, defaults) = (targets(&root, &metadata), defaults(&root, &metadata));
        Ok(Repository { files: files(&root)?, targets, defaults, root })
    }

    /// The repository around the current folder.
    ///
    /// # Errors
    /// As [`open`](Repository::open).
    pub fn here() -> Result<Repository, Error> {
        let metadata = MetadataCommand::new().no_deps().exec()?;
        Repository::open(metadata.workspace_root.as_std_path())
    }

    /// The files that end in `.extension`.
    pub(crate) fn with_extension<'a>(&'a self, extension: &'a str) -> impl Iterator<Item = &'a String> {
        self.files.iter().filter(move |file| Path::new(file).extension().is_some_and(|own| own == extension))
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.root.join(file)
    }

    pub(crate) fn read(&self, file: &str) -> Result<String, Error> {
        let path = self.path(file);
        std::fs::read_to_string(&path).map_err(|source| Error::File { path, source })
    }

    /// A Rust file as a build with the default features has it: the attributes that ask for one of them are blank.
    pub(crate) fn read_rust(&self, file: &str) -> Result<String, Error> {
        let mut text = self.read(file)?;
        for (_, features) in self.defaults.iter().filter(|(folder, _)| file.starts_with(folder)) {
            for feature in features {
                let attribute = format!("#[cfg(feature = \"{feature}\")]");
                text = text.replace(&attribute, &" ".repeat(attribute.len()));
            }
        }
        Ok(text)
    }
}

/// The features of each package that are on by default.
fn defaults(root: &Path, metadata: &Metadata) -> Vec<(String, Vec<String>)> {
    let of_package = |package: &&Package| {
        let folder = relative(root, package.manifest_path.parent()?.as_std_path())?;
        let folder = if folder.is_empty() { folder } else { folder + "/" };
        Some((folder, package.features.get("default")?.clone()))
    };
    metadata.workspace_packages().iter().filter_map(of_package).collect()
}

fn files(root: &Path) -> Result<BTreeSet<String>, Error> {
    // Folders that cargo builds into carry a mark.
    let sources = |entry: &ignore::DirEntry| !entry.path().join("CACHEDIR.TAG").exists();
    let mut files = BTreeSet::new();
    for entry in ignore::WalkBuilder::new(root).require_git(false).filter_entry(sources).build() {
        let entry = entry?;
        if entry.file_type().is_some_and(|kind| kind.is_file())
            && let Some(file) = relative(root, entry.path())
        {
            files.insert(file);
        }
    }
    Ok(files)
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<_>> = path.strip_prefix(root).ok()?.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

fn targets(root: &Path, metadata: &Metadata) -> Vec<Target> {
    let mut targets = Vec::new();
    for package in metadata.workspace_packages() {
        for target in &package.targets {
            let Some(file) = relative(root, Utf8Path::as_std_path(&target.src_path)) else { continue };
            let of_kind = |kind: &TargetKind| target.kind.contains(kind);
            let (name, test) = (&package.name, &target.name);
            let binary = if of_kind(&TargetKind::Test) {
                format!("{name}::{test}")
            } else if of_kind(&TargetKind::Bin) {
                format!("{name}::bin/{test}")
            } else if of_kind(&TargetKind::Example) {
                format!("{name}::example/{test}")
            } else if of_kind(&TargetKind::Bench) {
                format!("{name}::bench/{test}")
            } else {
                name.to_string()
            };
            let defaults = package.features.get("default");
            let is_on = |feature: &String| feature == "default" || defaults.is_some_and(|on| on.contains(feature));
            let runs = target.test && target.required_features.iter().all(is_on) && !of_kind(&TargetKind::CustomBuild);
            let binary = runs.then_some(binary);
            targets.push(Target { file, binary, integration: of_kind(&TargetKind::Test) });
        }
    }
    targets
}
