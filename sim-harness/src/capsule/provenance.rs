//! Versions and sources with which a capsule was made.

use capsule_file::Origin;
use std::collections::BTreeMap;

/// Returns an origin with the versions and sources of this program.
#[must_use]
pub fn origin(found_by: &str, repeat: &str, seeds: BTreeMap<String, u64>) -> Origin {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Origin {
        found_by: found_by.to_owned(),
        repeat: repeat.to_owned(),
        seeds,
        versions: VERSIONS.iter().map(owned).collect(),
        sources: SOURCES.iter().map(owned).collect(),
    }
}

/// Versions and sources, which the build script sets.
const VERSIONS: &[(&str, &str)] = &[
    ("sim-harness", env!("CARGO_PKG_VERSION")),
    ("verilator", env!("SIM_VERILATOR_VERSION")),
    ("rustc", env!("SIM_RUSTC_VERSION")),
];
const SOURCES: &[(&str, &str)] = &[("rtl", env!("SIM_RTL_SHA256")), ("model", env!("SIM_MODEL_SHA256"))];

/// Returns the names of the sources that differ from those of this program. Sources that the origin does not know are not compared.
pub(super) fn changed(origin: &Origin) -> Vec<String> {
    let differs = |name: &str, digest: &str| origin.sources.get(name).is_some_and(|recorded| recorded != digest);
    SOURCES.iter().filter(|(name, digest)| differs(name, digest)).map(|(name, _)| (*name).to_owned()).collect()
}
