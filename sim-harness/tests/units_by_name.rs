//! What is shared by all units names none.

use sim_harness::unit::UNITS;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders of shared code, each with folders of the units; relative to this package.
const SHARED: &[&str] = &["src", "c-abi/src", "../verify/small-world/src", "../verify/mutation/model/src"];

/// Files that may name a unit, how often, and why.
const EXCEPTIONS: &[(&str, usize, &str)] = &[
    ("src/lib.rs", 7, "Rust wants every module declared"),
    ("c-abi/src/lib.rs", 4, "the same; its functions are those of the header, and so is the name of the handle"),
    ("../verify/small-world/src/lib.rs", 7, "Rust wants every module declared"),
    ("../verify/mutation/model/src/lib.rs", 1, "the same"),
];

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Names of units that are words of the harness as well: a trace is what a program leaves, and a wave. Such a unit is named by a path,
/// a declaration of its module, its type or one of its builds.
const WORDS: &[&str] = &["trace"];

/// Whether a word is the name of a unit, one of its types, or a constant that begins with it. `Debug` is Rust's trait.
fn names(word: &str, unit: &str) -> bool {
    let capitalised = capitalised(unit);
    if WORDS.contains(&unit) {
        return word == format!("{capitalised}Unit");
    }
    let of_type = word.strip_prefix(&capitalised).is_some_and(|rest| !rest.starts_with(char::is_lowercase));
    word != "Debug" && (word.eq_ignore_ascii_case(unit) || of_type)
}

/// Whether a line names a unit whose name is a word.
fn names_in_context(line: &str, unit: &str) -> bool {
    let path = |prefix: &str| {
        line.match_indices(prefix).any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    let forms = [
        format!("{unit}::"),
        format!("mod {unit};"),
        format!("rtl/{unit}/"),
        format!("BuildId::{}", capitalised(unit)),
    ];
    forms.iter().any(|form| path(form))
}

fn capitalised(unit: &str) -> String {
    unit[..1].to_uppercase() + &unit[1..]
}

/// Comments and tests may give an example of a unit.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().take_while(|line| line.trim() != "#[cfg(test)]").enumerate();
    lines.map(|(at, line)| (at + 1, line.split("//").next().unwrap_or(line)))
}

/// The lines that name a unit, with their numbers.
fn places(text: &str) -> Vec<String> {
    let named = |line: &str| {
        // The program's own name, those of its temporary files, and the file of another program.
        let line = line.replace("lwp-sim", "").replace(".lwp-capture-", "").replace("perf.data", "");
        // The codes of diagnostics about trace files.
        let line = line.replace("code(trace::", "");
        let mut words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        words.any(|word| UNITS.iter().any(|unit| names(word, unit.name)))
            || WORDS.iter().any(|unit| names_in_context(&line, unit))
    };
    let place = |(line, text): (usize, &str)| format!("{line}: {}", text.trim());
    code(text).filter(|(_, line)| named(line)).map(place).collect()
}

#[test]
fn shared_code_names_no_unit() {
    let mut found = BTreeMap::new();
    for folder in SHARED {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files = Vec::new();
        rust_files(&source, &mut files);
        for file in files {
            let name = file.strip_prefix(&source).unwrap().display().to_string();
            let own = UNITS.iter().any(|unit| name.starts_with(&format!("{}/", unit.name)));
            let of_tests = name.ends_with("tests.rs");
            let places = places(&fs::read_to_string(&file).unwrap());
            if !own && !of_tests && !places.is_empty() {
                found.insert(format!("{folder}/{name}"), places);
            }
        }
    }
    for (name, places) in &found {
        let allowed = EXCEPTIONS.iter().find(|(file, ..)| file == name).map_or(0, |(_, count, _)| *count);
        assert!(places.len() <= allowed, "{name} names a unit: {places:#?}");
    }
    for (file, count, why) in EXCEPTIONS {
        let left = found.get(*file).map_or(0, Vec::len);
        assert_eq!(left, *count, "{file} ({why}): lower the number of exceptions");
    }
}

#[test]
fn names_are_recognised() {
    for text in
        ["use crate::lwp::environment;", "BuildId::LwpW4", "let x: Tsc<4>;", "DebugUnit", "\"tsc\"", "LWP_X; LWP"]
            .into_iter()
            .chain(["use crate::trace::UNIT;", "pub mod trace;", "BuildId::TraceL1s4", "TraceUnit"])
    {
        assert_eq!(places(text).len(), 1, "{text}");
    }
    for text in [
        "use lwp_model::Unit;",
        "lwp-sim cosim",
        "// lwp",
        "Lwpish",
        "#[derive(Debug)]",
        "trace: &Path",
        "crate::traces::TraceError",
        "waves.trace();",
        "#[cfg(test)]\nuse crate::lwp;",
    ] {
        assert!(places(text).is_empty(), "{text}");
    }
}
