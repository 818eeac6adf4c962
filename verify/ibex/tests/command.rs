//! Wrong use, and what is missing: clear words, and exit code 2.

use std::fs;
use std::io::pipe;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn ibex(arguments: &[&str], core: Option<&PathBuf>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ibex"));
    command.args(arguments).env_remove("IBEX_DIR");
    if let Some(core) = core {
        command.env("IBEX_DIR", core);
    }
    command.output().expect("the program starts")
}

#[track_caller]
fn fails(output: &Output, words: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    for word in words {
        assert!(text.contains(word), "no {word:?} in: {text}");
    }
}

/// Returns a folder that says that it is this version of the core.
fn core(version: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("ibex-{version}"));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("__init__.py"), format!("version_str = \"{version}\"\n")).expect("a file");
    folder
}

#[test]
fn names_that_do_not_exist_are_refused_with_those_that_do() {
    fails(&ibex(&["--only", "main,slowbus"], None), &["no variant slowbus", "slow-bus"]);
    fails(&ibex(&["--plant", "nothing"], None), &["no bug nothing", "interval", "all"]);
    fails(&ibex(&["--rounds", "0"], None), &["--rounds"]);
    fails(&ibex(&["--losses", "--plant", "all"], None), &["cannot be used with"]);
}

#[test]
fn a_core_that_is_missing_or_another_is_refused_with_what_to_do() {
    let absent = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-core");
    fails(&ibex(&[], Some(&absent)), &["no-core", "IBEX_DIR", "tools/scripts/setup ibex"]);
    fails(&ibex(&[], Some(&core("0.0.post1"))), &["version 0.0.post1", "0.0.post2937", "tools/scripts/setup ibex"]);
}

#[test]
fn the_list_and_the_help_need_nothing() {
    for arguments in [["--list"], ["--help"]] {
        let output = ibex(&arguments, None);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0));
        let words = if arguments == ["--list"] { ["slow-bus", "perf-split"] } else { ["`perf...`", "`debug...`"] };
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    }
}

#[test]
fn a_closed_pipe_ends_the_list_quietly() {
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_ibex"));
    let child = command.arg("--list").stdout(writer).stderr(Stdio::piped()).spawn().expect("the program starts");
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
