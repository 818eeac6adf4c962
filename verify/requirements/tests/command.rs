//! `requirements` before its shell: exit codes, and outputs that cannot be written.

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn requirements(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_requirements"));
    command.args(args).arg("--repository").arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command
}

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// The exit code, and what was said.
fn told(output: &Output) -> (Option<i32>, String) {
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!stderr.contains("panicked"), "{stderr}");
    (output.status.code(), stderr)
}

#[test]
fn wrong_use_is_2() {
    let (code, stderr) = told(&requirements(&["row", "none"]).output().unwrap());
    assert!(code == Some(2) && stderr.contains("no row NONE"), "{code:?}: {stderr}");
    let nowhere = Command::new(env!("CARGO_BIN_EXE_requirements")).args(["list", "--repository", "/proc"]).output();
    assert_eq!(told(&nowhere.unwrap()).0, Some(2), "no repository");
    assert_eq!(told(&requirements(&["matrix", "--out", "/proc/none/page"]).output().unwrap()).0, Some(2));
    assert_eq!(told(&requirements(&["row"]).output().unwrap()).0, Some(2), "no row");
}

#[test]
fn a_full_standard_output_is_2_and_a_closed_one_is_fine() {
    let output = requirements(&["list"]).stdout(full()).output().unwrap();
    let (code, stderr) = told(&output);
    assert!(code == Some(2) && stderr.contains("standard output: No space left"), "{code:?}: {stderr}");
    // Nobody is left to be told.
    let status = requirements(&["list"]).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(2));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = requirements(&["list"]).stdout(Stdio::from(writer)).output().unwrap();
    assert_eq!(told(&output), (Some(0), String::new()));
}

#[test]
fn the_page_does_not_replace_a_report() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let report = folder.join("requirements-report.xml");
    fs::write(&report, "<testsuites></testsuites>").unwrap();
    let path = report.to_str().unwrap();
    let (code, stderr) = told(&requirements(&["matrix", "--results", path, "--out", path]).output().unwrap());
    assert!(code == Some(2) && stderr.contains("is one of the reports"), "{code:?}: {stderr}");
    assert_eq!(fs::read_to_string(&report).unwrap(), "<testsuites></testsuites>");
}
