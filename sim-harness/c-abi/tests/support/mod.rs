//! Compiling and running C, C++ and scripts against the library that cargo has built beside this test.

pub(crate) mod model;
pub(crate) mod stimulus;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of this package.
pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What `make model-c` lays out for strangers, in a folder of the test's own with this test's library.
pub(crate) fn model_folder(name: &str) -> PathBuf {
    // Not emptied: what a simulator built from unchanged files need not be built again.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    succeed(Command::new(package().join("../../tools/scripts/model-c")).arg(&folder).arg(library_folder()));
    folder
}

/// The folder that holds `liblwp_model_c.a` and `.so`: that of the test itself.
pub(crate) fn library_folder() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    let folder = test.parent().expect("its folder").to_owned();
    assert!(folder.join("liblwp_model_c.a").exists(), "no liblwp_model_c.a in {}", folder.display());
    folder
}

/// An empty folder of the test's own.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder in the target folder");
    folder
}

/// What a finished program said.
pub(crate) struct Said {
    pub code: Option<i32>,
    pub text: String,
}

/// Runs a program to its end, standard output and error together.
pub(crate) fn run(command: &mut Command) -> Said {
    let Output { status, stdout, stderr } =
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}; tools/scripts/setup installs it"));
    let text = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    Said { code: status.code(), text }
}

/// Runs a program that must succeed.
pub(crate) fn succeed(command: &mut Command) -> String {
    let said = run(command);
    assert_eq!(said.code, Some(0), "{command:?}:\n{}", said.text);
    said.text
}

/// A C compiler that finds the header and warns of everything.
pub(crate) fn compiler(program: &str, standard: &str) -> Command {
    let mut command = Command::new(program);
    let warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"];
    command.arg(format!("-std={standard}")).args(warnings).arg("-I").arg(package().join("include"));
    command
}

/// The static library and what it needs of the system.
pub(crate) fn link_statically(command: &mut Command) {
    command.arg(library_folder().join("liblwp_model_c.a")).args(["-lpthread", "-ldl", "-lm"]);
}
