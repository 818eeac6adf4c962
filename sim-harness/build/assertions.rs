//! The table of the RTL's assertions: label, place, and what the comment above says. Included by `src/rtl/assertion.rs`.

use crate::failure::Failure;
use crate::sources::Sources;
use crate::units::UNITS;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The Rust table of the assertions of all units.
pub(crate) fn source(sources: &Sources) -> Result<String, Failure> {
    let mut rows = String::new();
    for unit in UNITS {
        for file in files(&sources.file_list(unit))? {
            let text = fs::read_to_string(&file).map_err(|error| unreadable(&file, &error))?;
            let name = file.strip_prefix(sources.rtl()).unwrap_or(&file).display().to_string();
            for found in assertions(&text) {
                let _ = writeln!(
                    rows,
                    "    Assertion {{ unit: {:?}, label: {:?}, file: {:?}, line: {}, comment: {:?}, requirements: &{:?} }},",
                    unit.name,
                    found.label,
                    format!("rtl/{name}"),
                    found.line,
                    found.comment,
                    found.requirements
                );
            }
        }
    }
    Ok(format!("static ASSERTIONS: &[Assertion] = &[\n{rows}];\n"))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}

/// The SystemVerilog next to a list of files, in the order of its names.
fn files(list: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = list.parent().unwrap_or(list);
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "sv"));
    files.sort();
    Ok(files)
}

struct Found {
    label: String,
    line: usize,
    comment: String,
    requirements: Vec<String>,
}

/// `Label: assert property (...` and `Label: assert (...`, each with the comment that stands directly above it.
fn assertions(text: &str) -> Vec<Found> {
    let (mut found, mut above) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix("//") {
            above.push(comment.trim());
            continue;
        }
        if let Some(label) = label(line) {
            let (requirements, comment) = split(&above.join(" "));
            found.push(Found { label: label.to_owned(), line: at + 1, comment, requirements });
        }
        above.clear();
    }
    found
}

fn label(line: &str) -> Option<&str> {
    let (label, rest) = line.split_once(':')?;
    let is_name = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let rest = rest.trim_start();
    (is_name && (rest.starts_with("assert property") || rest.starts_with("assert ("))).then_some(label)
}

/// The identifiers with which a comment begins, `LWP-CNT-06, LWP-STO-10: `, and the rest of it.
fn split(comment: &str) -> (Vec<String>, String) {
    let (mut ids, mut rest) = (Vec::new(), comment);
    loop {
        let word = rest.split([' ', ',', ':', ';']).next().unwrap_or_default();
        if !is_requirement(word) {
            break;
        }
        ids.push(word.to_owned());
        rest = rest[word.len()..].trim_start_matches([',', ' ', ':', ';']);
    }
    (ids, rest.to_owned())
}

/// `LWP-CNT-06`, `TSC-06`: capitals, then a number.
fn is_requirement(word: &str) -> bool {
    let Some((area, number)) = word.trim_end_matches('.').rsplit_once('-') else { return false };
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    digits && area.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-')
}
