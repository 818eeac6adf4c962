//! `verify/formal/proofs.toml`: which files of properties are proved.

use serde::Deserialize;
use std::collections::BTreeSet;

pub(crate) const PROOFS: &str = "verify/formal/proofs.toml";

#[derive(Debug, Default, Deserialize)]
struct Table {
    #[serde(default)]
    proof: Vec<Proof>,
}

#[derive(Debug, Deserialize)]
struct Proof {
    kind: String,
    #[serde(default)]
    family: Vec<String>,
    #[serde(default)]
    runs: Vec<String>,
}

/// The files whose assertions are proved for all runs of the RTL.
pub(crate) fn files(text: &str) -> BTreeSet<String> {
    let table: Table = toml::from_str(text).unwrap_or_default();
    let proved = table.proof.into_iter().filter(|proof| proof.kind == "prove" && !proof.runs.is_empty());
    proved.flat_map(|proof| proof.family).map(|family| format!("verify/formal/props/formal_{family}.sv")).collect()
}
