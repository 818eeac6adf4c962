//! Commands that a program prints for its user: each works in the shell and the folder in which the program was called.

use std::env;
use std::path::{Path, PathBuf};

/// This program, as it was called: a path, or a name that the shell found.
#[must_use]
pub fn program() -> String {
    let called = env::args_os().next().map(PathBuf::from).or_else(|| env::current_exe().ok());
    called.map_or_else(|| "lwp-sim".to_owned(), |path| quoted(&path))
}

/// The command line of this run, which repeats it.
#[must_use]
pub fn repeat() -> String {
    env::args_os().map(|word| quoted(Path::new(&word))).collect::<Vec<_>>().join(" ")
}

/// Another program of this repository: the one that was built next to this program, or the command that builds and runs it.
#[must_use]
pub fn sibling(package: &str, name: &str) -> String {
    let own = program();
    if Path::new(&own).file_name().is_some_and(|own| own == name) {
        return own;
    }
    let called = env::args_os().next().map(PathBuf::from);
    let folder = called.as_deref().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    let built = folder.and_then(|folder| beside(folder, name));
    built.map_or_else(|| format!("cargo run --release -p {package} --bin {name} --"), |path| quoted(&path))
}

/// Test programs are one folder below the others.
fn beside(folder: &Path, name: &str) -> Option<PathBuf> {
    let folder = if folder.file_name().is_some_and(|last| last == "deps") { folder.parent()? } else { folder };
    let path = folder.join(name);
    path.is_file().then_some(path)
}

/// A path as a shell takes it for one word.
#[must_use]
pub fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// A path below the current folder is given from there, any other one whole, so that it works where it is printed.
#[must_use]
pub fn shown(path: &Path) -> PathBuf {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let below = env::current_dir().ok().and_then(|here| whole.strip_prefix(here).ok().map(Path::to_owned));
    below.filter(|below| !below.as_os_str().is_empty()).unwrap_or(whole)
}

/// What to do with the capsule of a failure.
#[must_use]
pub fn after_failure(capsule: &Path) -> String {
    let (program, path) = (program(), quoted(capsule));
    format!(
        "the failure as one file, to replay, to explain, to shrink and to look at:\n  {program} replay {path}\n  {program} report {path}\n  \
         {program} shrink {path}\n  {program} waves {path}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_one_word() {
        assert_eq!(quoted(Path::new("traces/a-b.xz")), "traces/a-b.xz");
        assert_eq!(quoted(Path::new("it's $HOME")), r"'it'\''s $HOME'");
    }

    #[test]
    fn a_program_is_found_next_to_this_one_or_built() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(beside(folder.path(), "other"), None);
        std::fs::write(folder.path().join("other"), "").unwrap();
        let deps = folder.path().join("deps");
        assert_eq!(beside(&deps, "other"), Some(folder.path().join("other")));
        assert_eq!(
            sibling("some-package", "no-such-program"),
            "cargo run --release -p some-package --bin no-such-program --"
        );
    }

    #[test]
    fn paths_are_shown_from_here() {
        let here = env::current_dir().unwrap();
        assert_eq!(shown(&here.join("Cargo.toml")), Path::new("Cargo.toml"));
        assert_eq!(shown(&here.join("../Cargo.toml")), here.parent().unwrap().join("Cargo.toml"));
    }
}
