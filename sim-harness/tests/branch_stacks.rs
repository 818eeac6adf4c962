//! `brstack` and `perf-data`: perf reads the file of the one, and prints what the other writes.

use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A file of the repository.
fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn run(program: impl AsRef<Path>, folder: &Path, arguments: &[&str]) -> Output {
    let program = program.as_ref();
    let output = Command::new(program).current_dir(folder).args(arguments).output();
    output.unwrap_or_else(|error| {
        panic!("{}: {error}; `tools/scripts/setup build capture` installs what is missing", program.display())
    })
}

fn stdout(program: impl AsRef<Path>, folder: &Path, arguments: &[&str]) -> String {
    let output = run(program, folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn brstack(folder: &Path, arguments: &[&str]) -> String {
    stdout(root("tools/scripts/brstack"), folder, arguments)
}

/// A program at fixed addresses, which calls and loops.
fn program(folder: &Path) {
    let text = "static int odd(int n) { return n & 1 ? n * 3 + 1 : n / 2; }\n\
        int main(void) {\n  int steps = 0;\n  for (int n = 27; n != 1; n = odd(n)) steps++;\n  return steps & 1;\n}\n";
    fs::write(folder.join("odd.c"), text).unwrap();
    stdout("cc", folder, &["-O0", "-fno-pie", "-no-pie", "-o", "odd", "odd.c"]);
}

/// Two stacks and other records: each value of each field, whether the format reports it or not.
fn records(folder: &Path) {
    let mut lines = Vec::new();
    for (instruction, depth) in [(100, 27), (200, 32)] {
        lines.push(json!({ "kind": "pebs", "ip": "0x401000" }));
        for index in 0..depth {
            let mut line = json!({ "kind": "lbr", "from": format!("{:#x}", 0x40_1000 + 8 * index),
                "to": format!("{:#x}", 0x7FFF_FFFF_FF00_usize - index), "instruction": instruction });
            for (key, each) in [("predicted", 1), ("in_tsx", 3), ("tsx_abort", 9)] {
                if let Some(value) = [Some(false), Some(true), None][index / each % 3] {
                    line[key] = json!(value);
                }
            }
            if let Some(cycles) = [Some(0), Some(1), Some(0xFFFF), None][index % 4] {
                line["cycles"] = json!(cycles);
            }
            lines.push(line);
        }
        lines.push(json!({ "kind": "ler", "from": "0x1", "to": "0x2", "predicted": true, "instruction": instruction }));
    }
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    fs::write(folder.join("records.jsonl"), lines.join("\n") + "\n").unwrap();
}

/// The first six fields of each branch: perf 6.1 appends its type, which is unknown, and a space.
fn six_fields(text: &str) -> String {
    let branch = |word: &str| match word.split('/').collect::<Vec<_>>().as_slice() {
        [from, to, rest @ ..] if from.starts_with("0x") && to.starts_with("0x") => {
            assert!(matches!(rest, [_, _, _, _] | [_, _, _, _, ""]), "{word}");
            [&[*from, *to], &rest[..4]].concat().join("/")
        }
        _ => word.to_owned(),
    };
    let line = |line: &str| line.split_whitespace().map(branch).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The text is that of perf itself, for each value of each field; with and without the program.
#[test]
fn perf_prints_the_same_branch_stacks() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    program(folder);
    records(folder);
    stdout(root("tools/scripts/perf-data"), folder, &["--binary", "odd", "-o", "perf.data", "records.jsonl"]);
    let perf = |fields: &[&str]| stdout("perf", folder, &[&["script", "-f", "-i", "perf.data"], fields].concat());

    let stacks = brstack(folder, &["records.jsonl"]);
    assert_eq!(six_fields(&perf(&["-F", "brstack"])), stacks.trim_end());
    assert_eq!(stacks.lines().map(|line| line.split(' ').count()).collect::<Vec<_>>(), [27, 32]);
    for field in ["/P/", "/M/", "/-/-/-/", "/X/", "/A/", "/65535"] {
        assert!(stacks.contains(field), "{field}: {stacks}");
    }

    let whole = brstack(folder, &["--binary", "odd", "records.jsonl"]);
    assert!(whole.starts_with("PERF_RECORD_MMAP2 1/1: [0x401000(") && whole.lines().count() == 3, "{whole}");
    assert_eq!(six_fields(&perf(&["-F", "ip,brstack", "--show-mmap-events"])), six_fields(&whole));
    // The tools take an address as the beginning of a sample by its width.
    let newest = |text: &str| text.lines().nth(1).unwrap().split("0x").next().unwrap().to_owned();
    assert_eq!(newest(&perf(&["-F", "ip,brstack", "--show-mmap-events"])), newest(&whole));
}

/// The session of `make branch-profile`: a stack for every sample, all of the program's own branches.
#[test]
fn a_sampled_program_leaves_a_stack_for_each_sample() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    program(folder);
    let lwp_sim = |arguments: &[&str]| run(env!("CARGO_BIN_EXE_lwp-sim"), folder, arguments);
    let captured = lwp_sim(&["capture", "-o", "odd.trace", "--", "./odd"]);
    assert!(captured.status.success(), "{}", String::from_utf8_lossy(&captured.stderr));
    let session = root("tools/branch-profile/session.toml");
    let arguments =
        ["cosim", "--unit", "trace", "--trace", "odd.trace", "--records", "records.jsonl", "--quiet", "--session"];
    let done = lwp_sim(&[&arguments[..], &[session.to_str().unwrap()]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));

    let records = fs::read_to_string(folder.join("records.jsonl")).unwrap();
    let samples = records.lines().filter(|line| line.starts_with("{\"kind\":\"pebs\"")).count();
    let stacks = brstack(folder, &["records.jsonl"]);
    // And the stack at the end.
    assert!(samples > 100 && stacks.lines().count() == samples + 1, "{samples} samples");
    // Frozen in time: no stack has the interrupt that reads it.
    assert!(!stacks.contains("/0xffffffff81000000/"), "{stacks}");
    // `odd` is called 111 times in a loop of four taken branches: two or three samples.
    let symbols = stdout("nm", folder, &["odd"]);
    let odd = symbols.lines().find(|line| line.ends_with(" t odd")).unwrap().split(' ').next().unwrap();
    let called = format!("/0x{}/", odd.trim_start_matches('0'));
    assert!(stacks.lines().filter(|stack| stack.contains(&called)).count() >= 2, "{called}");
}

#[test]
fn wrong_input_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    program(folder);
    records(folder);
    stdout("cc", folder, &["-fpie", "-pie", "-o", "moving", "odd.c"]);
    fs::write(folder.join("bad.jsonl"), "{\"kind\":\"pebs\"}\n{\"kind\":\"lbr\",\"from\":\"0x1\",\"instruction\":1}\n")
        .unwrap();
    for (script, arguments, said) in [
        (
            "brstack",
            &["--binary", "moving", "records.jsonl"][..],
            "brstack: moving is not linked to fixed addresses: link it with -no-pie",
        ),
        ("brstack", &["--binary", "odd.c", "records.jsonl"], "brstack: odd.c is not a 64-bit x86 program"),
        ("brstack", &["bad.jsonl"], "brstack: line 2 is not a record of branches: KeyError('to')"),
        ("brstack", &["nowhere.jsonl"], "No such file or directory: 'nowhere.jsonl'"),
        ("brstack", &["--depth"], "Usage: brstack [--binary PROGRAM] [FILE]"),
        ("perf-data", &["--binary", "odd", "-o", "out", "bad.jsonl"], "perf-data: line 2 is not a record of branches"),
        ("perf-data", &["--binary", "odd", "-o", "out", "--period", "1", "records.jsonl"], "--period is above 1"),
    ] {
        let output = run(root("tools/scripts").join(script), folder, arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains(said), "{arguments:?}: {text}");
        assert!(!folder.join("out").exists(), "{arguments:?} leaves no file");
    }
}

/// What `make branch-profile` says of its times is right, and refuses what shows nothing.
#[test]
fn the_study_judges_its_table() {
    let tests = root("tools/branch-profile/tests");
    let output = run("python3", &tests, &["-B", "-m", "unittest", "discover"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("Ran 0 tests"), "{said}");
}
