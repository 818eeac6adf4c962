//! Runs the mutator (the Python package `mutate` beside this crate).

use crate::mutant::Mutant;
use rtl_mutants::family::Unit;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    root.canonicalize().unwrap_or(root)
}

/// All mutants, in the order of the source; and what the mutator says of those that it did not make.
pub(crate) fn list(unit: &Unit, out: &Path) -> Result<(Vec<Mutant>, String), String> {
    let path = out.join("list.jsonl");
    let said = mutate(unit, ["list".as_ref(), "--out".as_ref(), path.as_os_str()])?;
    let text = read(&path)?;
    let mutants: Result<Vec<Mutant>, _> = text.lines().map(serde_json::from_str).collect();
    let mutants = mutants.map_err(|error| format!("{}: {error}", path.display()))?;
    distinct(mutants.iter().map(|mutant| mutant.id.as_str())).map_err(|id| twice(&path, id))?;
    Ok((mutants, said.trim().to_owned()))
}

/// The hash of what a proof of equivalence is about: the code of the unit, and the builds of the proofs.
pub(crate) fn code(unit: &Unit) -> Result<String, String> {
    mutate(unit, ["code".as_ref()]).map(|said| said.trim().to_owned())
}

/// The first id that comes twice, as an error: results and proofs are kept by id.
pub(crate) fn distinct<'a>(ids: impl IntoIterator<Item = &'a str>) -> Result<(), &'a str> {
    let mut seen = BTreeSet::new();
    ids.into_iter().try_for_each(|id| if seen.insert(id) { Ok(()) } else { Err(id) })
}

/// Two lines of a file are of one mutant.
pub(crate) fn twice(path: &Path, id: &str) -> String {
    format!("{}: two lines are of {id}", path.display())
}

/// Writes the RTL with these mutants behind the select to `folder`.
pub(crate) fn tree(unit: &Unit, mutants: &[Mutant], folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let numbers = folder.with_extension("numbers");
    write_numbers(mutants, &numbers)?;
    let [only, out] = [numbers.as_os_str(), folder.as_os_str()];
    mutate(unit, ["tree".as_ref(), "--only".as_ref(), only, "--out".as_ref(), out]).map(drop)
}

/// The numbers of mutants, one a line.
pub(crate) fn write_numbers(mutants: &[Mutant], path: &Path) -> Result<(), String> {
    let text: String = mutants.iter().map(|mutant| format!("{}\n", mutant.number)).collect();
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// A file's text.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn mutate<const N: usize>(unit: &Unit, arguments: [&OsStr; N]) -> Result<String, String> {
    let root = root();
    let python = root.join("target/tools/rtl-venv/bin/python");
    let mut command = Command::new(&python);
    command.env("PYTHONPATH", root.join("verify/mutation/rtl")).env("PYTHONDONTWRITEBYTECODE", "1");
    command.args(["-m", "mutate", "--rtl"]).arg(root.join("rtl")).args(["--unit", unit.name]).args(arguments);
    let output = command.output().map_err(|error| {
        format!("{} cannot be run ({error}): tools/scripts/setup linters installs it", python.display())
    })?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("the mutator fails:\n{}", String::from_utf8_lossy(&output.stderr)))
    }
}
