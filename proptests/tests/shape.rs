//! The shape of the workspace: dependencies point one way.

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
    let shared = workspace["dependencies"].as_table().unwrap().iter().filter_map(|(name, value)| {
        Some((name.clone(), PathBuf::from(value.get("path")?.as_str()?)))
    });
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
