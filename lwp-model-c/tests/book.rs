//! The C program in the book's chapter compiles and runs.
#![allow(missing_docs, reason = "tests")]

mod support;

use std::fs;
use std::process::Command;
use support::{compiler, link_statically, package, scratch, succeed};

#[test]
fn the_chapters_program_runs() {
    let chapter = fs::read_to_string(package().join("../docs/src/harness/model-for-others.md")).unwrap();
    let (_, rest) = chapter.split_once("```c\n").expect("a C program");
    let (program, _) = rest.split_once("```").expect("its end");
    let folder = scratch("book");
    fs::write(folder.join("book.c"), program).unwrap();
    let mut command = compiler("gcc", "c99");
    command.arg(folder.join("book.c")).arg("-o").arg(folder.join("book"));
    link_statically(&mut command);
    succeed(&mut command);
    assert_eq!(succeed(&mut Command::new(folder.join("book"))), "msr0 is 0x3\n");
}
