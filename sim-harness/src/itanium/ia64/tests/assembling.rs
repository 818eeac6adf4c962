//! The assembler and the linker.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::super::assemble::run;
use super::super::{AssembleError, assemble_image};

#[test]
fn a_missing_tool_is_named_with_its_package() {
    let missing = "no-such-assembler-of-ia64";
    let error = run(Path::new("copy.s"), missing, &mut Command::new(missing)).unwrap_err();
    assert!(matches!(error, AssembleError::NoTool(tool) if tool == missing));
    assert!(error.to_string().contains("apt-get install binutils-ia64-linux-gnu"), "{error}");
}

/// Returns the error of a source.
fn refused(source: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("program.s");
    fs::write(&path, source).expect("the source can be written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/ia64/program.ld");
    assemble_image(&path, &script, folder.path()).unwrap_err().to_string()
}

#[test]
fn what_the_tools_refuse_is_shown() {
    let error = refused(".text\n_start: ld9 r8 = [r9]\n");
    assert!(error.contains("ia64-linux-gnu-as") && error.contains("program.s:2:"), "{error}");
    // An instruction that needs the result of another in its group is a warning of the assembler.
    let error = refused(".text\n.explicit\n_start: add r8 = r9, r10\nadd r9 = r8, r8 ;;\n");
    assert!(error.contains("RAW dependency"), "{error}");
    let error = refused(".text\n_start: br.cond.sptk nowhere\n");
    assert!(error.contains("ia64-linux-gnu-ld") && error.contains("nowhere"), "{error}");
}
