//! The shape of the workspace: dependencies point one way, and what units share knows none of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use toml::{Table, Value};

/// Top folders of crates, each of which may depend on itself and on those before it.
const ORDER: [&str; 5] = ["lwp-regs", "lwp-model", "sim-harness", "proptests", "verify"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn manifest(folder: &Path) -> Table {
    fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap()
}

/// A path without `..` in it.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// The place in the order of a crate in this folder; `None` for one outside of it, such as a tool.
fn place(folder: &Path) -> Option<usize> {
    ORDER.iter().position(|top| folder.starts_with(top))
}

/// The folders, from the root, of the crates of this workspace that a manifest in `folder` names.
fn depends_on(folder: &Path, manifest: &Table, shared: &BTreeMap<String, PathBuf>) -> Vec<PathBuf> {
    let tables = ["dependencies", "dev-dependencies", "build-dependencies"].map(|table| manifest.get(table));
    let all = tables.into_iter().flatten().filter_map(Value::as_table).flatten();
    let path = |(name, value): (&String, &Value)| match value.get("path") {
        Some(path) => Some(plain(&folder.join(path.as_str()?))),
        None => value.get("workspace").and_then(|_| shared.get(name).cloned()),
    };
    all.filter_map(path).collect()
}

#[test]
fn dependencies_point_one_way() {
    let root = root();
    let workspace = manifest(&root);
    let workspace = workspace["workspace"].as_table().unwrap();
    let shared = workspace["dependencies"]
        .as_table()
        .unwrap()
        .iter()
        .filter_map(|(name, value)| Some((name.clone(), PathBuf::from(value.get("path")?.as_str()?))));
    let shared: BTreeMap<String, PathBuf> = shared.collect();
    let members = workspace["members"].as_array().unwrap().iter().filter_map(Value::as_str);
    let (mut arrows, mut wrong) = (0, Vec::new());
    for member in members.map(Path::new) {
        let Some(own) = place(member) else { continue };
        for other in depends_on(member, &manifest(&root.join(member)), &shared) {
            if let Some(place) = place(&other) {
                arrows += 1;
                if place > own {
                    wrong.push(format!("{} depends on {}", member.display(), other.display()));
                }
            }
        }
    }
    assert!(arrows >= 20, "only {arrows} dependencies within the workspace were read");
    assert_eq!(wrong, Vec::<String>::new());
}

/// Files outside the units' folders that may name a unit, and why.
const MAY_NAME: [(&str, &str); 1] = [("src/lib.rs", "declares the modules of the units")];

/// The files below a folder of this crate.
fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, all) } else { all.push(path) }
    }
}

/// Whether a word of a line begins with the name of a unit: `lwp::bench`, `LwpW4`, `tsc_flat`. The project's crates, program and
/// environment variables carry the name of the first unit for another reason, and Rust has a trait and macros of another one's name.
fn names(line: &str, unit: &str) -> bool {
    let shared = [
        "lwp_model",
        "lwp_regs",
        "lwp-model",
        "lwp-regs",
        "lwp-sim",
        "LWP_",
        "debug_assert",
        "debug_struct",
        "debug_tuple",
    ];
    let line = shared.iter().fold(line.to_owned(), |line, name| line.replace(name, ""));
    let words = line.split(|letter: char| !letter.is_ascii_alphanumeric());
    let mut words = words.filter(|word| !word.is_empty() && *word != "Debug");
    words.any(|word| {
        let rest = word.to_ascii_lowercase();
        let camel = word.strip_prefix(&capitalised(unit)).is_some_and(|rest| rest.starts_with(char::is_uppercase));
        rest == unit || camel
    })
}

fn capitalised(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

#[test]
fn what_units_share_names_none_of_them() {
    let units: Vec<&str> = proptests::unit::units().iter().map(|unit| unit.name()).collect();
    assert!(names("use crate::lwp::bench;", "lwp") && names("BuildId::LwpW4", "lwp") && names("\"tsc_lp1\"", "tsc"));
    assert!(names("BuildId::DebugL1a1", "debug") && !names("#[derive(Debug)]", "debug"));
    assert!(!names("use lwp_model::Unit;", "lwp") && !names("LWP_SEED=7 lwp-sim replay", "lwp"));
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    ["src", "benches", "rtl-coverage"].iter().for_each(|folder| files(&package.join(folder), &mut all));
    let (mut read, mut wrong) = (0, Vec::new());
    for path in &all {
        let name = path.strip_prefix(package).unwrap();
        let own = units.iter().any(|unit| name.starts_with(Path::new("src").join(unit)));
        if own || MAY_NAME.iter().any(|(file, _)| name == Path::new(file)) {
            continue;
        }
        read += 1;
        let text = fs::read_to_string(path).unwrap();
        let lines = text.lines().enumerate().filter(|(_, line)| units.iter().any(|unit| names(line, unit)));
        wrong.extend(lines.map(|(at, line)| format!("{}:{}: {line}", name.display(), at + 1)));
    }
    assert!(read >= 30, "only {read} files were read");
    assert_eq!(wrong, Vec::<String>::new(), "a unit's name in what units share");
}
