//! A C program that hands in everything wrong, under the address and undefined-behaviour sanitizers.
#![allow(missing_docs, reason = "tests")]

mod support;

use std::path::PathBuf;
use std::process::Command;
use support::{compiler, link_statically, package, run, scratch, succeed};

fn build() -> PathBuf {
    let folder = scratch("abuse");
    let program = folder.join("abuse");
    let mut command = compiler("gcc", "c11");
    command.args(["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    command.arg(package().join("tests/c/abuse.c")).arg("-o").arg(&program);
    link_statically(&mut command);
    succeed(&mut command);
    program
}

#[test]
fn what_is_wrong_is_refused_and_nothing_else_is_touched() {
    let program = build();
    assert_eq!(succeed(&mut Command::new(&program)), "0 failures\n");
    // The sanitizer keeps what was freed for a while.
    assert_eq!(succeed(Command::new(&program).arg("twice")), "0 failures\n");
    // The sanitizer does look at what the library writes: an overrun that no check can see is found.
    let said = run(Command::new(&program).arg("overrun"));
    assert_ne!(said.code, Some(0));
    assert!(said.text.contains("AddressSanitizer: heap-buffer-overflow"), "{}", said.text);
}
