//! Files that a program reads, and files that it replaces.

use super::output::Output;
use super::temporary::folder_of;
use miette::Diagnostic;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Reason why an output is refused: it would replace another file of the same run.
#[derive(Debug, Error, Diagnostic, PartialEq, Eq)]
pub enum Clash {
    /// An output is a file that is read.
    #[error("the output `{}` is the input `{}`, which it would replace", output.display(), input.display())]
    #[diagnostic(code(output::input), help("give the output another name"))]
    Input {
        /// The output.
        output: PathBuf,
        /// The input.
        input: PathBuf,
    },
    /// Two outputs are one file.
    #[error("two outputs go to `{}`", .0.display())]
    #[diagnostic(code(output::twice), help("give each its own file"))]
    Outputs(PathBuf),
}

/// Checks that no output is one of the inputs, and that no two outputs are one file, under whatever names and by whatever links. Devices and
/// pipes are not replaced, and may be both.
///
/// # Errors
/// The first output that is refused.
pub fn separate(inputs: &[&Path], outputs: &[&Path]) -> Result<(), Clash> {
    for (at, output) in outputs.iter().enumerate() {
        if *output == Path::new("/dev/null") {
            continue;
        }
        let same_output = |other: &&&Path| {
            output == *other || (Output::is_stdout(output) && Output::is_stdout(other)) || is_same(output, other)
        };
        if outputs[..at].iter().any(|other| same_output(&other)) {
            return Err(Clash::Outputs((*output).to_owned()));
        }
        if let Some(input) = inputs.iter().find(|input| !Output::is_stdout(output) && is_same(output, input)) {
            return Err(Clash::Input { output: (*output).to_owned(), input: (*input).to_owned() });
        }
    }
    Ok(())
}

/// Whether both are the same file, or would be if they existed.
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino()),
        (Err(_), Err(_)) => match (place(one), place(other)) {
            (Some(one), Some(other)) => one == other,
            _ => false,
        },
        _ => false,
    }
}

/// Where a file would be that does not exist.
fn place(path: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_file_is_itself_under_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("trace"), "").unwrap();
        fs::create_dir(path("folder")).unwrap();
        symlink(path("trace"), path("link")).unwrap();
        fs::hard_link(path("trace"), path("hard")).unwrap();
        let input = path("trace");
        for name in ["trace", "./trace", "folder/../trace", "link", "hard"] {
            let clash = separate(&[&input], &[&path("new"), &path(name)]);
            assert_eq!(clash, Err(Clash::Input { output: path(name), input: input.clone() }), "{name}");
        }
        assert_eq!(separate(&[&input], &[&path("new"), &path("other")]), Ok(()));
        for (one, other) in [("new", "new"), ("new", "folder/../new"), ("trace", "link"), ("link", "./trace")] {
            assert_eq!(separate(&[], &[&path(one), &path(other)]), Err(Clash::Outputs(path(other))), "{one} {other}");
        }
    }

    #[test]
    fn devices_are_read_and_written() {
        let (null, stdout) = (Path::new("/dev/null"), Path::new("/dev/stdout"));
        assert_eq!(separate(&[null], &[null, null]), Ok(()));
        assert_eq!(separate(&[Path::new("-")], &[Path::new("-")]), Ok(()), "standard input and standard output");
        assert_eq!(separate(&[], &[stdout, Path::new("-")]), Err(Clash::Outputs("-".into())));
    }
}
