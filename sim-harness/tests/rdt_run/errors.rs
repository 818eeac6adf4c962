//! What is refused: one message each, and the exit code.

use super::{Bench, loads};

fn fails(bench: &Bench, args: &[&str], code: i32, text: &str) {
    let done = bench.run(args);
    let message: String = done.stderr.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    assert_eq!(done.code, code, "{args:?}: {message}");
    assert!(message.contains(text), "{args:?}: {text} is not in\n{message}");
    assert!(!message.contains("panicked"), "{message}");
    assert_eq!(message.matches('×').count(), usize::from(!message.starts_with("error:")), "one message: {message}");
    assert_eq!(done.stdout, "", "nothing is shown");
}

/// Fails with one program, and these arguments.
fn refused(args: &[&str], text: &str) {
    let bench = Bench::new(&[loads(0..4)]);
    fails(&bench, &[&["--program", "0.jsonl"], args].concat(), 2, text);
}

#[test]
fn options() {
    refused(&["--direct", "--class", "0,1"], "--class gives 2 numbers for 1 programs");
    refused(&["--direct", "--class", "9"], "there is no class 9");
    refused(&["--direct", "--rmid", "4"], "there is no RMID 4: the processor has RMIDs 0 to 3");
    refused(&["--direct", "--mask", "1=0x5"], "the 1 bits of a capacity mask are contiguous");
    refused(&["--direct", "--mask", "1=0x1f"], "bits 0x10 are reserved");
    refused(&["--direct", "--mask", "4=1"], "there is no class 4");
    refused(&["--direct", "--mask", "1=1", "--mask", "1=2"], "a class has two masks");
    refused(&["--direct", "--delay", "1=91"], "the largest value is 90");
    refused(&["--direct", "--delay", "91"], "there is no `=`");
    refused(&["--direct", "--sets", "8192"], "a cache of 8192 sets is too large: 4096 at most");
    refused(&["--direct", "--sets", "10"], "10 sets are not possible");
    refused(&["--direct", "--ways", "17"], "17 ways");
    refused(&["--direct", "--interval", "1"], "every 1 cycles is too often: to read 3 counters takes 6");
    refused(&["--direct", "--compare"], "there is nothing to compare");
    refused(
        &["--program", "/dev/null", "--mask", "1=1", "--compare"],
        "the trace `/dev/null` cannot be read several times",
    );
    refused(&["--json", "-", "--page", "-"], "two outputs go to `-`");
    refused(&["--direct", "--l1", "1K"], "cannot be used with");
    refused(&["--l1", "100"], "a first-level cache of 100 bytes has no power of two of sets");
    refused(&["--session", "s.toml", "--mask", "1=1"], "cannot be used with");
}

#[test]
fn programs() {
    let bench = Bench::new(&[loads(0..4)]);
    fails(&bench, &[], 2, "there is no program");
    let many: Vec<&str> = ["--program", "0.jsonl"].into_iter().cycle().take(10).collect();
    fails(&bench, &many, 2, "5 programs need as many logical processors, and the unit has up to 4");
    fails(&bench, &["--program", "missing.jsonl"], 2, "missing.jsonl");
    bench.write("text", "this is no trace at all");
    fails(&bench, &["--program", "text"], 2, "text");
    bench.write("broken.jsonl", &(loads(0..2) + "{\"ip\":\n"));
    fails(&bench, &["--program", "broken.jsonl"], 2, "line 3");
    bench.write("branches.jsonl", "{\"ip\":\"0x1000\",\"length\":2}\n");
    fails(&bench, &["--program", "branches.jsonl", "--direct"], 2, "accesses no memory that the unit sees");
    fails(&bench, &["--program", "0.jsonl", "--program", "broken.jsonl", "--direct"], 2, "line 3");
}

#[test]
fn sessions() {
    let bench = Bench::new(&[loads(0..4)]);
    let session = |text: &str, message: &str| {
        bench.write("s.toml", text);
        fails(&bench, &["--program", "0.jsonl", "--session", "s.toml"], 2, message);
    };
    session("[cache]\nsets = 8\nways = 40\n", "s.toml, line 3");
    session("[cache]\nways = 4\nsets = 8192\n", "s.toml, line 3, column 8: a cache of 8192 sets");
    session("[[program]]\nrmid = 4\n", "s.toml, line 2, column 8: there is no RMID 4");
    session("[[program]]\nclass = 4\n", "s.toml, line 2, column 9: there is no class 4");
    session("[[class]]\nl3_mask = 0\n", "s.toml, line 2, column 11");
    session("[cash]\nsets = 8\n", "s.toml, line 1");
    session("[cache\n", "s.toml, line 1");
    fails(&bench, &["--program", "0.jsonl", "--session", "none.toml"], 2, "cannot read the session `none.toml`");
}

#[test]
fn files_that_cannot_be_written() {
    let bench = Bench::new(&[loads(0..4)]);
    fails(&bench, &["--program", "0.jsonl", "--direct", "--json", "missing/json"], 3, "cannot write `missing/json`");
    fails(&bench, &["--program", "0.jsonl", "--direct", "--page", "missing/page"], 3, "cannot write `missing/page`");
    fails(&bench, &["--program", "0.jsonl", "--direct", "--page", "/dev/full", "-q"], 3, "No space left");
    fails(&bench, &["plan", "--app", "a:cache=25", "-o", "/dev/full"], 3, "No space left");
}

#[test]
fn an_empty_trace_is_told() {
    let bench = Bench::new(&["\n".to_owned()]);
    fails(&bench, &["--program", "0.jsonl"], 2, "0.jsonl");
}
