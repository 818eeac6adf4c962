//! How many lines each way of comparing takes its user.

use crate::program::Program;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What each took here: the loop, what it begins and ends with, the build. Reading the rows and the command line is in files of
/// its own, which are not counted.
const WRITTEN: &[(&str, &[&str])] = &[
    ("lockstep", &["tools/peers/src/ours.rs"]),
    ("cpp", &["tools/peers/cpp/main.cpp", "tools/peers/cpp/build"]),
    (
        "marlin",
        &[
            "tools/peers/marlin/src/main.rs",
            "tools/peers/marlin/Cargo.toml",
            "tools/peers/marlin/verilator",
            "sim-harness/c-abi/examples/python/tb.sv",
        ],
    ),
    ("cocotb", &["tools/peers/cocotb/peer.py", "tools/peers/cocotb/run.py", "sim-harness/c-abi/examples/python/tb.sv"]),
];

/// What the lockstep stands on, and a user of the others gets from elsewhere or goes without.
const BEHIND: &[&str] = &[
    "sim-harness/build.rs",
    "sim-harness/build",
    "sim-harness/cpp",
    "sim-harness/src/rtl",
    "sim-harness/src/lockstep",
    "sim-harness/src/device/recorded_producer.rs",
    "sim-harness/src/device/shown.rs",
];

/// A table of lines of code: no blank lines, no comments.
pub(crate) fn render(programs: &[Program], markdown: bool) -> std::io::Result<String> {
    let present: BTreeSet<&str> = programs.iter().map(|program| program.folder).chain(["lockstep"]).collect();
    let mut text =
        String::from(if markdown { "\n| lines | of code | in |\n|---|--:|---|\n" } else { "\nlines of code\n" });
    let mut row = |name: &str, files: &[&str]| -> std::io::Result<()> {
        let lines: usize = files.iter().map(|file| count_all(&root().join(file))).sum::<std::io::Result<_>>()?;
        let _ = if markdown {
            let files: Vec<_> = files.iter().map(|file| format!("`{file}`")).collect();
            writeln!(text, "| {name} | {lines} | {} |", files.join(", "))
        } else {
            writeln!(text, "{name:24}{lines:6}  {}", files.join(" "))
        };
        Ok(())
    };
    for (name, files) in WRITTEN.iter().filter(|(name, _)| present.contains(name)) {
        row(name, files)?;
    }
    row("behind the lockstep", BEHIND)?;
    Ok(text)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Those of a file, or of all files in a folder.
fn count_all(path: &Path) -> std::io::Result<usize> {
    if !path.is_dir() {
        let python = path.extension().is_some_and(|extension| extension == "py");
        return Ok(count(&std::fs::read_to_string(path)?, hashes(path), python));
    }
    std::fs::read_dir(path)?.map(|entry| count_all(&entry?.path())).sum()
}

/// Whether a line that begins with `#` is a comment.
fn hashes(path: &Path) -> bool {
    path.extension().is_none_or(|extension| extension == "py" || extension == "toml")
}

/// Tests in a Rust file are not counted either: they are its end.
fn count(text: &str, hashes: bool, docstrings: bool) -> usize {
    let text = text.split("\n#[cfg(test)]").next().unwrap_or_default();
    let mut in_docstring = false;
    let code = |line: &&str| {
        let line = line.trim();
        if docstrings && line.matches("\"\"\"").count() == 1 {
            in_docstring = !in_docstring;
            return false;
        }
        let comment =
            line.starts_with("//") || hashes && line.starts_with('#') || docstrings && line.starts_with("\"\"\"");
        !(line.is_empty() || comment || in_docstring)
    };
    text.lines().filter(code).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_do_not_count() {
        assert_eq!(count("// a\n\n#include <x>\nint y;  // z\n", false, false), 2);
        assert_eq!(count("#!/bin/sh\n# a\necho\n", true, false), 1);
        assert_eq!(count("\"\"\"One.\n\nTwo.\n\"\"\"\nx = 1\n\"\"\"Three.\"\"\"\n", true, true), 1);
        assert_eq!(count("fn f() {}\n\n#[cfg(test)]\nmod tests {}\n", false, false), 1);
    }

    #[test]
    fn every_file_is_there() {
        for file in WRITTEN.iter().flat_map(|(_, files)| *files).chain(BEHIND) {
            assert!(count_all(&root().join(file)).is_ok_and(|lines| lines > 0), "{file}");
        }
    }
}
