//! `verify/formal/UNIT/proofs.toml`: which files of properties are proved.

use serde::Deserialize;
use std::collections::BTreeSet;

/// The table of a unit, if `file` is one: the folder of the unit.
pub(crate) fn folder(file: &str) -> Option<&str> {
    let folder = file.strip_suffix("/proofs.toml")?;
    (folder.strip_prefix("verify/formal/").is_some_and(|unit| !unit.contains('/'))).then_some(folder)
}

#[derive(Debug, Default, Deserialize)]
struct Table {
    #[serde(default)]
    proof: Vec<Proof>,
}

#[derive(Debug, Deserialize)]
struct Proof {
    kind: String,
    /// The file of properties, if it is none of a family.
    top: Option<String>,
    #[serde(default)]
    family: Vec<String>,
    #[serde(default)]
    runs: Vec<String>,
}

/// The files whose assertions are proved for all runs of the RTL, by the table `text` of the unit in `folder`.
pub(crate) fn files(folder: &str, text: &str) -> BTreeSet<String> {
    let table: Table = toml::from_str(text).unwrap_or_default();
    let proved = table.proof.into_iter().filter(|proof| proof.kind == "prove" && !proof.runs.is_empty());
    let files =
        proved.flat_map(|proof| proof.family.into_iter().map(|family| format!("formal_{family}")).chain(proof.top));
    files.map(|file| format!("{folder}/props/{file}.sv")).collect()
}
