//! C programs that hand in everything wrong, under the address and undefined-behaviour sanitizers, or use a freed model.

use crate::support::{compiler, link_statically, package, run, scratch, succeed};
use std::path::PathBuf;
use std::process::Command;

fn build(name: &str, flags: &[&str]) -> PathBuf {
    let program = scratch(name).join(name);
    let mut command = compiler("gcc", "c11");
    command.args(["-g", "-O1"]).args(flags);
    command.arg(package().join("tests/c").join(format!("{name}.c"))).arg("-o").arg(&program);
    link_statically(&mut command);
    succeed(&mut command);
    program
}

#[test]
fn what_is_wrong_is_refused_and_nothing_else_is_touched() {
    let program = build("abuse", &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    assert_eq!(succeed(&mut Command::new(&program)), "0 failures\n");
    // The sanitizer does look at what the library writes: an overrun that no check can see is found.
    let said = run(Command::new(&program).arg("overrun"));
    assert_ne!(said.code, Some(0));
    assert!(said.text.contains("AddressSanitizer: heap-buffer-overflow"), "{}", said.text);
}

#[test]
fn a_freed_model_is_noticed_while_its_memory_is_nobody_elses() {
    assert_eq!(succeed(&mut Command::new(build("twice", &["-fno-builtin"]))), "refused\n");
}
