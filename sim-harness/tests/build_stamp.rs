//! The build script compiles the C++ of a library again only if something that it is made of has changed.

#[path = "../build/failure.rs"]
#[allow(dead_code, reason = "the build script uses the rest")]
mod failure;
#[path = "../build/stamp.rs"]
mod stamp;

use stamp::{Stamp, words};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that cargo would give the script, with one library's C++.
fn folder(builds: &Path, name: &str, cpp: &str) -> PathBuf {
    let out = builds.join(name).join("out");
    fs::create_dir_all(out.join("model")).unwrap();
    fs::write(out.join("model/hot.cpp"), cpp).unwrap();
    out
}

/// The stamp of that library, compiled with these words.
fn stamp(out: &Path, flag: &str) -> Stamp {
    let settings = ["c++".to_owned(), flag.to_owned(), format!("-I{}/model", out.display())];
    Stamp::of(&out.join("libmodel.a"), &[&out.join("model")], &settings).unwrap()
}

#[test]
fn a_library_of_the_same_is_copied_from_another_folder() {
    let builds = tempfile::tempdir().unwrap();
    let [first, second] = ["harness-1", "harness-2"].map(|name| folder(builds.path(), name, "int x;"));
    assert!(!stamp(&first, "-O3").is_current().unwrap());
    fs::write(first.join("libmodel.a"), "compiled").unwrap();
    stamp(&first, "-O3").write().unwrap();
    assert!(stamp(&second, "-O3").is_current().unwrap());
    assert_eq!(fs::read_to_string(second.join("libmodel.a")).unwrap(), "compiled");
}

#[test]
fn a_library_of_something_else_is_not() {
    let builds = tempfile::tempdir().unwrap();
    let [first, second] =
        [("harness-1", "int x;"), ("harness-2", "int y;")].map(|(name, cpp)| folder(builds.path(), name, cpp));
    fs::write(first.join("libmodel.a"), "compiled").unwrap();
    stamp(&first, "-O3").write().unwrap();
    assert!(!stamp(&second, "-O3").is_current().unwrap());
    assert!(!stamp(&first, "-O0").is_current().unwrap());
    assert!(stamp(&first, "-O3").is_current().unwrap());
}

#[test]
fn the_environment_is_no_part_of_a_command() {
    let command = |jobserver: &str| {
        let mut command = Command::new("c++");
        command.env_clear().env("CARGO_MAKEFLAGS", jobserver).arg("-O3");
        command
    };
    assert_ne!(format!("{:?}", command("8,9")), format!("{:?}", command("4,5")));
    assert_eq!(words(&command("8,9")), words(&command("4,5")));
    assert_eq!(words(&command("8,9")), ["c++", "-O3"]);
}
