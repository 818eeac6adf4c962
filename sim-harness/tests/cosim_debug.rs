//! `lwp-sim cosim --unit debug`: debug exceptions that a reader can follow, on all engines; a captured program with a variable.

use crate::cosim_bench::{Bench, plain, unit_engines, unit_run};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// Instructions of 4 bytes from 401000H on: a breakpoint at the third, a step of the fifth, and a store of the sixth.
#[test]
fn exceptions_by_hand() {
    let store = "{\"ip\":\"0x401014\",\"stores\":[{\"addr\":\"0x7003\",\"size\":2}]}\n";
    let trace = plain(5) + store + "{\"ip\":\"0x401018\"}\n";
    let session = "single_step = \"instructions\"\nstep_from = \"0x401010\"\nstep_to = \"0x401014\"\n\
                   [[breakpoint]]\nregister = 1\naddress = \"0x401008\"\n\
                   [[breakpoint]]\nregister = 2\naddress = \"0x7004\"\nkind = \"write\"\nlength = 4\n";
    let expected = vec![
        json!({ "instruction": 2, "ip": "0x401008", "class": "fault", "dr6": "0xffff0ff2" }),
        json!({ "instruction": 4, "ip": "0x401014", "class": "trap", "dr6": "0xffff4ff0" }),
        json!({ "instruction": 5, "ip": "0x401018", "class": "trap", "dr6": "0xffff0ff4" }),
    ];
    for lanes in ["1", "2", "4"] {
        let done = unit_engines("debug", &trace, session, &["--retire-lanes", lanes]);
        assert_eq!(done.records, expected, "{lanes}");
        assert_eq!(done.json["instructions"], json!(7));
        assert_eq!(done.json["exceptions"]["total"], json!(3));
        assert_eq!(done.json["registers"]["DR2"], json!("0x7004"));
    }
}

const PROGRAM: &str = "static volatile int counter; __thread int mine; __asm__(\".globl odd; .set odd, counter + 1\");\n\
__attribute__((noinline)) void bump(int by) {\n  counter += by;\n}\n\
int main(void) {\n  for (int i = 0; i < 3; i++) bump(i);\n  counter = 0;\n  return mine;\n}\n";

/// Each write to a variable of a captured program, with its function and its line. A variable of a thread has no address to watch.
#[test]
fn a_variable_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("count.c"), PROGRAM).unwrap();
    let built = Command::new("cc").args(["-g", "-O1", "-o"]).arg(path("count")).arg(path("count.c")).status().unwrap();
    assert!(built.success());
    let captured = Command::new(env!("CARGO_BIN_EXE_lwp-sim"))
        .args(["capture", "-o"])
        .arg(path("count.trace"))
        .arg("--")
        .arg(path("count"))
        .output()
        .unwrap();
    assert!(captured.status.success(), "{}", String::from_utf8_lossy(&captured.stderr));
    fs::write(path("s.toml"), "[[breakpoint]]\nsymbol = \"counter\"\nkind = \"write\"\nlength = 4\n").unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_lwp-sim"))
        .args(["cosim", "--unit", "debug", "--quiet", "--trace"])
        .arg(path("count.trace"))
        .arg("--session")
        .arg(path("s.toml"))
        .arg("--records")
        .arg(path("records"))
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let records = fs::read_to_string(path("records")).unwrap();
    let records: Vec<Value> = records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line = |record: &Value| {
        let line = record["line"].as_str().expect("a line").rsplit('/').next().map(str::to_owned);
        let function = record["function"].as_str().expect("a function").split('+').next().map(str::to_owned);
        (function.unwrap(), line.unwrap())
    };
    let found: Vec<_> = records.iter().map(line).collect();
    let bump = ("bump".to_owned(), "count.c:3".to_owned());
    assert_eq!(found, [bump.clone(), bump.clone(), bump, ("main".to_owned(), "count.c:7".to_owned())]);
    let refused = |symbol: &str, expected: &str, help: &str| {
        let session = format!("[[breakpoint]]\nsymbol = \"{symbol}\"\nkind = \"write\"\nlength = 4\n");
        fs::write(path("s.toml"), session).unwrap();
        let refused = Command::new(env!("CARGO_BIN_EXE_lwp-sim"))
            .args(["cosim", "--unit", "debug", "--quiet", "--trace"])
            .arg(path("count.trace"))
            .arg("--session")
            .arg(path("s.toml"))
            .output()
            .unwrap();
        let said = unwrapped(&refused.stderr);
        let expected = format!("s.toml, line 2, column 10: {expected}");
        assert!(refused.status.code() == Some(2) && said.contains(&expected) && said.contains(help), "{said}");
    };
    refused("mine", "no file of the traced program has a symbol `mine`", "nm PROGRAM");
    refused("odd", "DR0: bits 0x1 are not allowed", "a breakpoint is aligned to its length");
}

/// What a command says, without the ends of lines that the width of the terminal makes.
fn unwrapped(said: &[u8]) -> String {
    let words = String::from_utf8_lossy(said).replace('│', " ");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_symbol_without_an_address_is_told() {
    let bench = Bench::new(&plain(3), "[[breakpoint]]\nsymbol = \"counter\"\n");
    let output = bench.command(&["--unit", "debug"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = unwrapped(&output.stderr);
    let expected = "line 2, column 10: the trace has no symbols, so `counter` has no address";
    assert!(said.contains(expected) && said.contains("give an `address`"), "{said}");
    assert!(!said.contains("mismatch"), "nothing has run, so nothing is summed up: {said}");
    let stepped = unit_run("debug", &Bench::new(&plain(3), "single_step = \"instructions\"\n"), &[]);
    assert_eq!(stepped.records.len(), 3);
}
