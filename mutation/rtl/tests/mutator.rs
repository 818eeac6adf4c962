//! The mutator finds what it says, and writes what it found. `scripts/setup linters` installs what it needs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn mutate(rtl: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(root().join("target/tools/rtl-venv/bin/python"));
    command.env("PYTHONPATH", root().join("mutation/rtl")).env("PYTHONDONTWRITEBYTECODE", "1");
    command.args(["-m", "mutate", "--rtl"]).arg(rtl).args(arguments);
    command.output().expect("scripts/setup linters installs Python with slang")
}

fn list(rtl: &Path, file: &Path) -> Vec<serde_json::Value> {
    let output = mutate(rtl, &["list", "--out", file.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_mutant_has_an_id_of_its_own_and_is_in_the_tree() {
    let folder = tempfile::tempdir().unwrap();
    let mutants = list(&root().join("rtl"), &folder.path().join("list"));
    let ids: BTreeSet<&str> = mutants.iter().map(|mutant| mutant["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), mutants.len());
    assert!(ids.len() > 4000, "only {}", ids.len());
    for module in ["lwp", "lwp_pkg", "lwp_parts", "lwp_store", "lwp_control"] {
        assert!(mutants.iter().any(|mutant| mutant["module"] == module), "none in {module}");
    }
    for mutant in &mutants {
        assert_ne!(mutant["before"], mutant["after"], "{mutant}");
        assert!(!mutant["module"].as_str().unwrap().starts_with("lwp_assert"), "{mutant}");
    }

    let (numbers, tree) = (folder.path().join("numbers"), folder.path().join("tree"));
    let all: String = mutants.iter().map(|mutant| format!("{}\n", mutant["number"])).collect();
    fs::write(&numbers, all).unwrap();
    let written = ["tree", "--only", numbers.to_str().unwrap(), "--out", tree.to_str().unwrap()];
    assert!(mutate(&root().join("rtl"), &written).status.success());
    let mut text = String::new();
    for file in fs::read_dir(tree.join("lwp")).unwrap() {
        text.push_str(&fs::read_to_string(file.unwrap().path()).unwrap());
    }
    let found: BTreeSet<u64> = text
        .split("lwp_mutant_pkg::sel == ")
        .skip(1)
        .map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(found, (1..=mutants.len() as u64).collect());
}

/// A copy of the RTL in which a line of one file is another.
fn changed(folder: &Path, file: &str, before: &str, after: &str) -> PathBuf {
    let copy = folder.join("rtl");
    fs::create_dir_all(copy.join("lwp")).unwrap();
    for entry in fs::read_dir(root().join("rtl/lwp")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.join("lwp").join(path.file_name().unwrap())).unwrap();
    }
    let path = copy.join("lwp").join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(before), "{file} has no longer: {before}");
    fs::write(&path, text.replacen(before, after, 1)).unwrap();
    copy
}

/// Ids are what proofs are kept by: a line more, or another one changed, leaves them as they are.
#[test]
fn ids_do_not_depend_on_other_lines() {
    let folder = tempfile::tempdir().unwrap();
    let line = "assign restore_o = '{";
    let copy = changed(folder.path(), "lwp_context.sv", line, &format!("// A line more.\n  {line}"));
    let ids = |rtl: &Path| -> BTreeSet<String> {
        list(rtl, &folder.path().join("list")).iter().map(|mutant| mutant["id"].to_string()).collect()
    };
    assert_eq!(ids(&root().join("rtl")), ids(&copy));
}

/// An `else` stays with its `if` when the branch before it can be left out.
#[test]
fn an_else_stays_with_its_if() {
    let folder = tempfile::tempdir().unwrap();
    let (numbers, tree) = (folder.path().join("numbers"), folder.path().join("tree"));
    let mutants = list(&root().join("rtl"), &folder.path().join("list"));
    let left_out = |mutant: &&serde_json::Value| mutant["module"] == "lwp_store" && mutant["operator"] == "statement";
    let some: String = mutants.iter().filter(left_out).map(|mutant| format!("{}\n", mutant["number"])).collect();
    fs::write(&numbers, some).unwrap();
    let written = ["tree", "--only", numbers.to_str().unwrap(), "--out", tree.to_str().unwrap()];
    assert!(mutate(&root().join("rtl"), &written).status.success());
    let text = fs::read_to_string(tree.join("lwp/lwp_store.sv")).unwrap();
    let line = text.lines().find(|line| line.contains("if (reread_i)")).unwrap();
    assert!(line.contains("if (reread_i) begin if (!(") && line.ends_with("end end"), "{line}");
}

#[test]
fn what_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let output = mutate(&root().join("rtl"), &["one", "--id", "store-nothing", "--out", out]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no mutant store-nothing"));
    let broken = changed(folder.path(), "lwp_store.sv", "endmodule", "");
    let output = mutate(&broken, &["list", "--out", folder.path().join("list").to_str().unwrap()]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("slang refuses the RTL"));
}
