//! The public API of `lwp-regs` is what `lwp-regs/public-api.txt` says, so that no change of it goes unnoticed.

use public_api::Builder;
use std::path::{Path, PathBuf};

const SNAPSHOT: &str = "lwp-regs/public-api.txt";
const UPDATE: &str = "UPDATE_API=1 cargo test -p regs-checks --features public-api";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The nightly that `tools/scripts/setup` installs.
fn nightly() -> String {
    let setup = std::fs::read_to_string(root().join("tools/scripts/setup")).expect("tools/scripts/setup can be read");
    setup
        .lines()
        .find_map(|line| line.strip_prefix("NIGHTLY="))
        .expect("tools/scripts/setup names a nightly")
        .to_owned()
}

/// rustdoc's description of the crate.
fn description() -> PathBuf {
    let nightly = nightly();
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("public-api");
    rustdoc_json::Builder::default()
        .toolchain(&nightly)
        .manifest_path(root().join("lwp-regs/Cargo.toml"))
        .target_dir(target)
        .all_features(true)
        .quiet(true)
        .build()
        .unwrap_or_else(|error| panic!("{error}\nThe description is made by Rust {nightly}: `make setup` installs it."))
}

#[test]
fn the_public_api_is_the_one_that_was_agreed() {
    let api = Builder::from_rustdoc_json(description())
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .expect("the nightly and the crate public-api speak the same JSON");
    let api: String = api.items().map(|item| format!("{item}\n")).collect();
    let path = root().join(SNAPSHOT);
    if std::env::var_os("UPDATE_API").is_some() {
        std::fs::write(&path, &api).expect("the snapshot can be written");
        return;
    }
    let agreed = std::fs::read_to_string(&path).unwrap_or_default();
    let (now, before): (Vec<_>, Vec<_>) = (api.lines().collect(), agreed.lines().collect());
    let gone: Vec<_> = before.iter().filter(|line| !now.contains(line)).map(|line| format!("- {line}")).collect();
    let new: Vec<_> = now.iter().filter(|line| !before.contains(line)).map(|line| format!("+ {line}")).collect();
    let changes = [gone, new].concat();
    assert!(
        changes.is_empty(),
        "the public API differs from {SNAPSHOT} in {} lines:\n{}\nIf that is meant: {UPDATE}, and say it in the CHANGELOG.",
        changes.len(),
        changes.join("\n")
    );
}
