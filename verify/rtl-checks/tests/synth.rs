//! The measures of the hardware (`tools/synth/measure`): what tools report is read right, or refused; wrong use says so.

use rtl_checks::root;
use std::process::{Command, Output};

/// Python without bytecode beside the sources.
fn python(arguments: &[&str]) -> Output {
    let mut command = Command::new("python3");
    command.arg("-B").args(arguments).current_dir(root()).output().unwrap()
}

#[test]
fn reports_are_read_or_refused() {
    let output = python(&["-m", "unittest", "discover", "-s", "tools/synth/tests"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    // A search that finds no test is no success.
    assert!(!said.contains("Ran 0 tests"), "{said}");
}

#[test]
fn wrong_use_says_what_is_wrong() {
    for (arguments, code, words) in [
        (
            &["tools/synth/measure", "unit/nowhere"][..],
            2,
            "error: nothing is named unit/nowhere: make synth ARGS=--list",
        ),
        (
            &["tools/synth/measure", "--tools", "/proc/nonexistent", "--quick"],
            2,
            "has no tools: run tools/scripts/setup synth",
        ),
        (&["tools/synth/measure", "--seeds", "0"], 2, "--jobs, --seeds and --limit are above 0"),
        (&["tools/synth/measure", "--list"], 0, ""),
    ] {
        let output = python(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}
