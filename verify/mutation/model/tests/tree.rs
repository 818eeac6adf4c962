//! The manifest that the mutants of the model are built with is made of the workspace's, whatever is added to that.

use std::path::Path;
use std::process::Command;

const CHECK: &str = "import sys, tomllib, tree
manifest = tomllib.loads(tree.workspace(open(sys.argv[1]).read()))
assert manifest['workspace']['lints'] == {'rust': {}, 'clippy': {}}, manifest['workspace']['lints']
assert manifest['profile'] == {'release': {'opt-level': 1, 'debug': False, 'codegen-units': 16, 'incremental': True}}, manifest['profile']
assert manifest['workspace']['dependencies']['lwp-regs'], 'the dependencies are gone'
print(len(manifest['workspace']['members']))";

#[test]
fn the_manifest_of_the_workspace_becomes_that_of_the_mutants() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let output = Command::new("python3")
        .env("PYTHONPATH", root.join("verify/mutation/model/mutants"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["-c", CHECK])
        .arg(root.join("Cargo.toml"))
        .output()
        .expect("python3 starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.len() > 1, "no members");
}
