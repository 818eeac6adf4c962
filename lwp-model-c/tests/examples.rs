//! Each example is built and run as its reader would, and must fail when told to inject a difference.
#![allow(missing_docs, reason = "tests")]

mod support;

use std::process::Command;
use support::{Said, library_folder, package, run};

/// The one command of an example, with this test's library.
fn example(name: &str) -> Command {
    let mut command = Command::new(package().join("examples").join(name).join("run"));
    command.env("LWP_MODEL_LIB", library_folder());
    command.env("LWP_EXAMPLE_OUT", concat!(env!("CARGO_TARGET_TMPDIR"), "/examples"));
    command
}

fn passes(said: &Said, words: &str) {
    assert!(said.code == Some(0) && said.text.contains(words), "exit code {:?}:\n{}", said.code, said.text);
}

fn fails(said: &Said, words: &[&str]) {
    assert_eq!(said.code, Some(1), "{}", said.text);
    for words in words {
        assert!(said.text.contains(words), "no '{words}' in:\n{}", said.text);
    }
}

#[test]
fn cpp() {
    passes(&run(&mut example("cpp")), "every tenth instruction was recorded");
    fails(&run(example("cpp").arg("--inject")), &["NOT every tenth instruction"]);
}

#[test]
fn systemverilog() {
    passes(&run(&mut example("systemverilog")), "seed 1: 20000 cycles compared");
    passes(&run(example("systemverilog").args(["+seed=2", "+cycles=5000"])), "seed 2: 5000 cycles compared");
    let said = run(example("systemverilog").arg("+inject=700"));
    fails(&said, &["u_lwp.u_check", "the unit differs from the model: mem_wdata: model 0x"]);
}

#[test]
fn python() {
    passes(&run(&mut example("python")), "3000 cycles compared");
    let said = run(example("python").env("INJECT", "200"));
    fails(
        &said,
        &["cycle 201: lwp_model_check: the unit differs from the model", "state.was_ring3: model 0x1, unit 0x0"],
    );
}
