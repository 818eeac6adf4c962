//! `lwp-sim cosim --unit trace`: records that a reader can follow, on all engines; and those of a captured program.

use crate::cosim_bench::{Bench, plain, unit_engines, unit_run};
use serde_json::{Value, json};
use sim_harness::traces::{Retired, open};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Ten instructions: four branches that are taken, one that is not, and an interrupt whose handler returns.
const LOG: &str = r#"{"ip":"0x401000","length":4}
{"ip":"0x401004","length":2,"branch":{"kind":"jcc","taken":true,"next":"0x401010","predicted":true}}
{"ip":"0x401010","length":4}
{"ip":"0x401014","length":2,"branch":{"kind":"jcc","taken":false,"next":"0x401016","predicted":true}}
{"ip":"0x401016","length":5,"branch":{"kind":"call","taken":true,"next":"0x402000","predicted":false}}
{"ip":"0x402000","length":1,"branch":{"kind":"ret","taken":true,"next":"0x40101b"}}
{"ip":"0xffff8000","length":2,"cpl":0,"interruption":{"kind":"interrupt","vector":32,"from":"0x40101b"}}
{"ip":"0xffff8002","length":2,"cpl":0,"branch":{"kind":"system","taken":true,"next":"0x40101b","predicted":true}}
{"ip":"0x40101b","length":2,"branch":{"kind":"jmp","taken":true,"next":"0x401030","predicted":true}}
{"ip":"0x401030","length":4}
"#;

/// Source, destination and whether predicted of the transfers, in order; the fifth is the return at level 0.
const TRANSFERS: [(&str, &str, bool); 6] = [
    ("0x401004", "0x401010", true),
    ("0x401016", "0x402000", false),
    ("0x402000", "0x40101b", false),
    ("0x40101b", "0xffff8000", false),
    ("0xffff8002", "0x40101b", true),
    ("0x40101b", "0x401030", true),
];

fn of_store(kind: &str, transfers: &[usize]) -> Vec<Value> {
    let line = |at: &usize| {
        let (from, to, predicted) = TRANSFERS[*at];
        json!({ "kind": kind, "from": from, "to": to, "predicted": predicted })
    };
    transfers.iter().map(line).collect()
}

/// Records of the stack, newest first, and the branch before the interrupt.
fn of_stack(depth: usize) -> Vec<Value> {
    let newest = TRANSFERS.iter().enumerate().rev().take(depth);
    let line = |(at, (from, to, predicted)): (usize, &(&str, &str, bool))| {
        // The stack does not tell what is not known from what is predicted.
        let predicted = *predicted || at == 2 || at == 3;
        json!({ "kind": "lbr", "from": from, "to": to, "predicted": predicted, "instruction": 10 })
    };
    let exception =
        json!({ "kind": "ler", "from": "0x402000", "to": "0x40101b", "predicted": true, "instruction": 10 });
    newest.map(line).chain([exception]).collect()
}

// BTS-01, BTS-08, DCTL-09, DCTL-10, DCTL-21, LBR-08, LBR-19: each record of ten instructions, by where it goes and whose it is
#[test]
fn records_by_hand() {
    for (sink, kind) in [("memory", "bts"), ("bus", "btm")] {
        for (levels, transfers) in [("user", &[0, 1, 2, 3, 5][..]), ("kernel", &[4]), ("all", &[0, 1, 2, 3, 4, 5])] {
            for lanes in ["1", "2", "4"] {
                let session = format!("sink = \"{sink}\"\nlevels = \"{levels}\"\nlatency = 2\n[straps]\n");
                let done = unit_engines("trace", LOG, &session, &["--retire-lanes", lanes]);
                let expected = [of_store(kind, transfers), of_stack(4)].concat();
                assert_eq!(done.records, expected, "{sink}, {levels}, {lanes}");
                assert_eq!(done.json["records"][kind], json!(transfers.len()));
                assert_eq!(done.json["instructions"], json!(10));
            }
        }
    }
    let quiet = unit_engines("trace", LOG, "sink = \"none\"\nlbr = false\n", &[]);
    assert_eq!((quiet.records.len(), quiet.json["stall_cycles"].clone()), (0, json!(0)));
}

// BTS-40: the interrupt at the threshold is a transfer of its own; a circular buffer keeps the last; one without pages keeps none
#[test]
fn buffers_by_hand() {
    // Instructions so far apart that each record is in memory before the next one.
    let stored = |session: &str| unit_engines("trace", LOG, session, &["--cpi", "100"]);
    let interrupted = stored("lbr = false\nlevels = \"all\"\n[buffer]\nrecords = 16\nthreshold = 4\n");
    let all: Vec<Value> = interrupted.records.clone();
    let handler = |record: &&Value| record["to"] == "0xffffffff81000000";
    assert_eq!((all.iter().filter(handler).count(), interrupted.json["performance_interrupts"].clone()), (1, json!(1)));
    let program = all.into_iter().filter(|record| !handler(&record) && record["from"] != "0xffffffff81000040");
    assert_eq!(program.collect::<Vec<_>>(), of_store("bts", &[0, 1, 2, 3, 4, 5]));

    let circular = stored("lbr = false\nlevels = \"all\"\n[buffer]\nrecords = 4\ncircular = true\n");
    assert_eq!(circular.records, of_store("bts", &[2, 3, 4, 5]), "oldest first");
    assert_eq!((circular.json["stored"].clone(), circular.json["lost"].clone()), (json!(6), json!(0)));

    let full = stored("lbr = false\nlevels = \"all\"\n[buffer]\nrecords = 6\npresent = 2\n");
    assert_eq!(full.records, of_store("bts", &[0, 1]));
    assert_eq!((full.json["stored"].clone(), full.json["lost"].clone()), (json!(2), json!(4)));
}

// BTS-09, BTS-10: the instruction behind the overflow is the sample; the address is that of the one after it
#[test]
fn samples_by_hand() {
    let session = "sink = \"none\"\nlbr = false\nlevels = \"all\"\n[pebs]\nperiod = 3\nrecords = 8\n";
    // Alone in its cycle the third instruction overflows, and the fourth is the sample. In groups of two or four the fourth retires with the
    // third and is counted before the overflow is shown; the fifth is the sample, and its group ends behind it.
    for (lanes, expected) in [
        ("1", &["0x401010", "0x401020", "0x401030", "0x401040", "0x401050"][..]),
        ("2", &["0x401014", "0x401028", "0x40103c", "0x401050"]),
        ("4", &["0x401014", "0x401028", "0x40103c", "0x401050"]),
    ] {
        let done = unit_engines("trace", &plain(21), session, &["--retire-lanes", lanes]);
        let ips: Vec<_> = done.records.iter().map(|record| record["ip"].as_str().unwrap()).collect();
        assert_eq!(ips, expected, "{lanes}");
    }
}

/// A program with calls, loops and returns.
const PROGRAM: &str = "__attribute__((noinline)) static int odd(int n) { return n & 1 ? n * 3 + 1 : n / 2; }\n\
int main(void) {\n  int steps = 0;\n  for (int n = 27; n != 1; n = odd(n)) steps++;\n  return steps & 1;\n}\n";

fn lwp_sim(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lwp-sim"));
    command.current_dir(folder).args(arguments);
    command
}

/// Captures the program: its folder, with the trace.
fn captured() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("odd.c"), PROGRAM).unwrap();
    let built = Command::new("cc").current_dir(folder.path()).args(["-O1", "-o", "odd", "odd.c"]).status().unwrap();
    assert!(built.success());
    let captured = lwp_sim(&["capture", "-o", "odd.trace", "--", "./odd"], folder.path()).output().unwrap();
    assert!([Some(0), Some(1)].contains(&captured.status.code()), "{}", String::from_utf8_lossy(&captured.stderr));
    folder
}

/// The taken branches of a trace.
fn branches(path: &Path) -> Vec<(u64, u64)> {
    let mut trace = open(path).unwrap();
    let (mut taken, mut retired) = (Vec::new(), Retired::default());
    while trace.next(&mut retired).unwrap() {
        taken.extend(retired.branch.filter(|branch| branch.taken).map(|branch| (retired.ip, branch.next)));
    }
    taken
}

fn ends(record: &Value) -> (u64, u64) {
    let number = |key: &str| u64::from_str_radix(record[key].as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
    (number("from"), number("to"))
}

const HANDLER: u64 = 0xFFFF_FFFF_8100_0000;

// BTS-08, BTS-47, LBR-01, LBR-26: the BTS records of a program are its taken branches and the interrupts that came between; the stack has the last
// branches at each interrupt and at the end
#[test]
fn records_of_a_program_are_its_branches() {
    let folder = captured();
    let expected = branches(&folder.path().join("odd.trace"));
    assert!(expected.len() > 10_000, "{}", expected.len());
    fs::write(folder.path().join("s.toml"), "[straps]\nlbr_depth = \"sixteen\"\n[buffer]\nrecords = 512\n").unwrap();
    let arguments = ["cosim", "--unit", "trace", "--trace", "odd.trace", "--session", "s.toml"];
    let outputs = ["--records", "records", "--json", "json", "--quiet"];
    let done = lwp_sim(&[&arguments[..], &outputs].concat(), folder.path()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = fs::read_to_string(folder.path().join("records")).unwrap();
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &'static str| records.iter().filter(move |record| record["kind"] == kind);

    let stored: Vec<_> = of("bts").map(ends).collect();
    type Ends = Vec<(u64, u64)>;
    let (interrupts, program): (Ends, Ends) = stored.iter().partition(|(_, to)| *to == HANDLER);
    assert_eq!(program, expected);
    let summary: Value = serde_json::from_slice(&fs::read(folder.path().join("json")).unwrap()).unwrap();
    assert_eq!(summary["performance_interrupts"], json!(interrupts.len()));
    assert!(interrupts.len() > 20, "{}", interrupts.len());
    assert_eq!((summary["stored"].clone(), summary["lost"].clone()), (json!(stored.len()), json!(0)));

    let stacks = stacks(of("lbr"));
    assert_eq!(stacks.len(), interrupts.len() + 1);
    for (instruction, stack) in &stacks {
        // The branches of the program that had been taken; those behind the freeze are not in the stack, nor is the return of a handler a branch
        // of the program.
        let mine: Vec<_> = stack.iter().copied().filter(|(from, _)| *from < 1 << 63).rev().collect();
        assert!(mine.len() >= 15, "at {instruction}: {stack:x?}");
        assert!(expected.windows(mine.len()).any(|window| window == mine), "at {instruction}: {stack:x?}");
    }
    let last: Vec<_> = stacks.last().unwrap().1.iter().copied().filter(|(from, _)| *from < 1 << 63).collect();
    assert!(expected.iter().rev().zip(&last).all(|(wanted, found)| wanted == found), "{last:x?}");
}

/// The instructions that were executed between the first message and the last, as a device on the bus finds them: from where a branch leads,
/// one instruction behind the other by the lengths that the program's code has, to the source of the next branch.
fn rebuilt(messages: &[(u64, u64)], lengths: &BTreeMap<u64, u64>) -> Vec<u64> {
    let mut executed = Vec::new();
    for pair in messages.windows(2) {
        let (mut ip, source) = (pair[0].1, pair[1].0);
        while ip != source {
            executed.push(ip);
            ip += lengths.get(&ip).unwrap_or_else(|| panic!("no instruction at {ip:x}, on the way to {source:x}"));
        }
        executed.push(source);
    }
    executed
}

// BTS-01, BTS-02, BTS-03: from the messages of a program alone, and its code, a decoder finds every instruction that was executed
#[test]
fn messages_of_a_program_are_its_control_flow() {
    let folder = captured();
    let mut trace = open(&folder.path().join("odd.trace")).unwrap();
    let (mut executed, mut lengths, mut taken) = (Vec::new(), BTreeMap::new(), Vec::new());
    let mut retired = Retired::default();
    while trace.next(&mut retired).unwrap() {
        lengths.insert(retired.ip, u64::from(retired.length));
        // A repeated string instruction is one instruction.
        if retired.flags.rep.counts() {
            executed.push(retired.ip);
        }
        if retired.branch.is_some_and(|branch| branch.taken) {
            taken.push(executed.len());
        }
    }
    fs::write(folder.path().join("s.toml"), "sink = \"bus\"\nlbr = false\n").unwrap();
    let arguments =
        ["cosim", "--unit", "trace", "--trace", "odd.trace", "--session", "s.toml", "--records", "records", "--quiet"];
    let done = lwp_sim(&arguments, folder.path()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = fs::read_to_string(folder.path().join("records")).unwrap();
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(records.iter().all(|record| record["kind"] == "btm"));
    let messages: Vec<_> = records.iter().map(ends).collect();
    assert!(messages.len() > 10_000, "{}", messages.len());
    let (first, last) = (taken[0], taken[taken.len() - 1]);
    // A difference in a list of this length is shown where it begins.
    let (found, expected) = (rebuilt(&messages, &lengths), &executed[first..last]);
    let same = found.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
    assert_eq!((found.get(same), found.len()), (None, expected.len()), "after {same} instructions");
}

/// The stacks, newest first, by the instructions that had retired.
fn stacks<'a>(lines: impl Iterator<Item = &'a Value>) -> Vec<(u64, Vec<(u64, u64)>)> {
    let mut stacks: Vec<(u64, Vec<(u64, u64)>)> = Vec::new();
    for line in lines {
        let instruction = line["instruction"].as_u64().unwrap();
        match stacks.last_mut() {
            Some((at, stack)) if *at == instruction && stack.len() < 16 => stack.push(ends(line)),
            _ => stacks.push((instruction, vec![ends(line)])),
        }
    }
    stacks
}

/// Records go into a pipe; `brstack` makes branch stacks of them as `perf script` writes them.
#[test]
fn records_in_a_pipe_become_branch_stacks() {
    let bench = Bench::new(LOG, "[straps]\nlbr_format = \"info\"\n");
    let arguments = ["--unit", "trace", "--records", "/dev/stdout", "--quiet"];
    let mut run = bench.command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let brstack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/scripts/brstack");
    let converted = Command::new(brstack).stdin(run.stdout.take().unwrap()).output().unwrap();
    assert!(run.wait().unwrap().success() && converted.status.success());
    let stack = String::from_utf8(converted.stdout).unwrap();
    let entries: Vec<_> = stack.trim_end().split(' ').map(|entry| entry.rsplit_once('/').unwrap().0).collect();
    let expected = ["0x40101b/0x401030/P/-/-", "0xffff8002/0x40101b/P/-/-", "0x40101b/0xffff8000/P/-/-"];
    assert_eq!((&entries[..3], stack.lines().count()), (&expected[..], 1));

    // A reader that has seen enough ends the run.
    let mut run = bench.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(run.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("{\"kind\":\"bts\""), "{first}");
    run.wait().unwrap();
}

#[test]
fn a_session_that_makes_no_sense_points_at_its_line() {
    for (session, said) in [
        ("levels = \"user\"\nsinks = \"bus\"", "unknown field `sinks`"),
        ("[buffer]\nrecords = 2000000", "line 2, column 11: 2000000 records are not possible: 1 to 1048576"),
        ("[straps]\nlbr_depth = \"five\"", "expected one of"),
        ("[pebs]\nevent = \"loads\"", "`instructions`, `branches`"),
    ] {
        let output = Bench::new(LOG, session).command(&["--unit", "trace"]).output().unwrap();
        // The message without the frame around its lines.
        let text = String::from_utf8_lossy(&output.stderr).replace('│', " ");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.code() == Some(2) && text.contains(said) && text.contains("session.toml"), "{text}");
    }
    unit_run("trace", &Bench::new(LOG, ""), &[]);
}
