//! Where the outputs go, and what is in them.

use super::Bench;
use serde_json::{Value, json};

fn bench() -> Bench {
    let line = |at: u64| format!("{{\"ip\":\"{:#x}\",\"cpl\":{}}}\n", 0x1000 + at, if at < 9 { 3 } else { 0 });
    Bench::with_trace(&(0..12).map(line).collect::<String>())
}

#[test]
fn json_has_the_counts_and_how_they_were_selected() {
    let done = bench().run(&["-e", "INST_RETIRED:u", "-e", "INST_RETIRED:kc2", "--trace", "trace.jsonl"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let expected = json!([
        { "event": "INST_RETIRED", "select": "0x4100c0", "modifiers": "u", "count": 9, "exact": 9 },
        { "event": "INST_RETIRED", "select": "0x20200c0", "modifiers": "kc2", "count": 1, "exact": 1 },
    ]);
    assert_eq!(done.json["events"], expected);
    assert_eq!(done.json["personality"], "P6");
    assert_eq!(done.json["passes"], 1);
    assert_eq!(done.json["instructions"], 12);
    assert_eq!(done.json["mismatch"], Value::Null);
}

#[test]
fn the_table_goes_where_nothing_else_is() {
    let bench = bench();
    let args = ["-e", "INST_RETIRED", "--trace", "trace.jsonl"];
    let output = bench.command(&args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("              12               12  INST_RETIRED  0x004300c0\n"), "{text}");
    assert!(output.stderr.is_empty(), "no bar without a terminal");
    let output = bench.command(&args).args(["--json", "-"]).output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["passes"], 1);
    assert!(String::from_utf8(output.stderr).unwrap().contains("INST_RETIRED"), "the table went aside");
    let output = bench.command(&args).arg("-q").output().unwrap();
    assert_eq!((output.stdout.len(), output.stderr.len()), (0, 0));
}

// MET-01: as the study's program is called, two events and a program, whose output is its own
#[test]
fn the_program_keeps_its_output() {
    let bench = Bench::new();
    let output =
        bench.command(&["INST_RETIRED", "DATA_MEM_REFS", "--", "perl", "-e", "print 'its own'"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"its own");
    let table = String::from_utf8(output.stderr).unwrap();
    assert!(table.contains("passes          1 pass\n") && table.contains("DATA_MEM_REFS"), "{table}");
}

#[test]
fn a_closed_pipe_is_no_error_and_a_full_disk_is() {
    let bench = bench();
    let args = ["-e", "INST_RETIRED", "--trace", "trace.jsonl"];
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = bench.command(&args).stdout(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let output = bench.command(&args).args(["--json", "/dev/full", "-q"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let mut child =
        bench.command(&args).args(["--interval", "1"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn help_teaches_with_examples() {
    let bench = Bench::new();
    let help = |args: &[&str]| String::from_utf8(bench.command(args).output().unwrap().stdout).unwrap();
    for text in [
        "as `perf stat` does",
        "lwp-sim count SUM",
        "Exit codes:",
        "--from perl_run --to perl_destruct",
        "EVENT[.KIND][:u|k|e|i|cN|t]",
    ] {
        assert!(help(&["--help"]).contains(text), "{text} is not in\n{}", help(&["--help"]));
    }
    assert!(help(&["--list"]).contains("INST_RETIRED "), "{}", help(&["--list"]));
    assert!(!help(&["--list"]).contains("BUS_TRAN"), "what is refused is not listed");
}

/// A trace of few instructions is read before anybody looks whether to stop.
#[test]
fn a_program_that_was_stopped_at_once_is_not_counted() {
    use nix::sys::signal::Signal::{SIGINT, SIGTERM};
    use std::process::Stdio;
    let bench = Bench::new();
    let waiting = bench.waiting();
    for signal in [SIGINT, SIGTERM] {
        let args = ["-e", "INST_RETIRED", "--json", "json", "--", &waiting];
        let mut child = bench.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0; 1]).unwrap();
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), stderr.as_str()),
            (Some(130), "interrupted: nothing is counted\n"),
            "{signal}"
        );
        assert!(!bench.path("json").exists(), "{signal}");
    }
}

#[test]
fn control_c_counts_nothing_and_says_so() {
    use std::process::Stdio;
    let bench = Bench::new();
    let endless = ["-e", "INST_RETIRED", "--", "perl", "-e", "$| = 1; print 'runs'; 1 while 1"];
    let mut child = bench.command(&endless).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The program runs once it prints.
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0; 4]).unwrap();
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), nix::sys::signal::Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "interrupted: nothing is counted\n");
}
