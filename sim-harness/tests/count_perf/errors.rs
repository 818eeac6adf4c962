//! What is refused: one message each, and the exit code.

use super::Bench;
use std::fs;

const TRACE: &str = "{\"ip\":\"0x1000\",\"length\":2,\"loads\":[{\"addr\":\"0x7000\"}]}
{\"ip\":\"0x1002\",\"branch\":{\"kind\":\"jcc\",\"taken\":false}}
{\"ip\":\"0x1004\",\"stores\":[{\"addr\":\"0x7000\",\"size\":4}]}\n";

/// Runs with the trace; the message has this text, and nothing is counted.
fn refused(args: &[&str], text: &str) {
    let bench = Bench::with_trace(TRACE);
    fails(&bench, &[&["--trace", "trace.jsonl"], args].concat(), 2, text);
}

fn fails(bench: &Bench, args: &[&str], code: i32, text: &str) {
    let done = bench.run(args);
    let message: String = done.stderr.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    assert_eq!(done.code, code, "{args:?}: {message}");
    assert!(message.contains(text), "{args:?}: {text} is not in\n{message}");
    assert!(!message.contains("panicked"), "{message}");
    assert_eq!(message.matches('×').count(), usize::from(!message.starts_with("error:")), "one message: {message}");
}

#[test]
fn events_and_modifiers() {
    refused(&["-e", "INST_RETIRD"], "the Pentium III has no event `INST_RETIRD` help: did you mean `INST_RETIRED`");
    refused(&["-e", "MMX_INSTR_RET"], "it is an event of the Pentium II");
    refused(&["-e", "INST_RETIRED:z"], "there is no modifier `z`");
    refused(&["-e", "INST_RETIRED:t"], "the personality P6 lacks the modifier `t`");
    refused(&["-e", "INST_RETIRED:c256"], "the threshold `c256` is not 1 to 255");
    refused(&["-e", "FP_MMX_TRANS"], "needs a kind help: FP_MMX_TRANS.MMX_TO_FP");
    refused(&["-e", "LLC_MISS", "--personality", "1"], "did you mean `LLC_MISSES`");
    refused(&["-e", "BUS_TRAN_BRD"], "counts `bus_brd_self`, which neither a trace nor the front end knows");
    refused(&["SUM", "--personality", "2"], "SUM counts events of P6");
    refused(&["SUM", "--model", "m"], "L2_LINES_IN with the unit mask 0x2f is not counted by the unit");
    refused(&[], "there is nothing to count");
    refused(&["-e", "MUL,DIV", "--passes", "1"], "MUL and DIV both count on counter 1 only");
}

#[test]
fn what_the_trace_does_not_tell() {
    refused(&["-e", "FLOPS"], "FLOPS cannot be counted on this trace: the trace has no code (instruction 0 at 0x1000)");
    refused(&["-e", "IFU_IFETCH"], "its length is unknown (instruction 1 at 0x1002)");
    refused(&["-e", "MISALIGN_MEM_REF"], "no address or no size (instruction 0 at 0x1000)");
    refused(&["-e", "BR_MISS_PRED_RETIRED"], "does not say how its branch was predicted (instruction 1 at 0x1002)");
    refused(&["-e", "DCU_LINES_IN"], "does not say whether its store misses (instruction 2 at 0x1004)");
    refused(&["-e", "L2_LINES_OUT"], "the trace says itself which loads miss");
    let bench = Bench::new();
    fs::write(bench.path("champsim"), crate::trace_support::champsim(0x1000, [0, 0], [0; 2], [0; 4], [0; 4])).unwrap();
    fails(&bench, &["--trace", "champsim", "-e", "HW_INT_RX"], 2, "the trace has no interrupts");
    let old = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/version_1.lwptrace");
    fails(&bench, &["--trace", old, "-e", "DATA_MEM_REFS"], 2, "the trace has no stores");
}

/// A string instruction with more loads and stores than a trace keeps of one instruction.
#[test]
fn loads_and_stores_that_were_left_out() {
    let bench = Bench::new();
    let source = bench.path("long.S");
    let code = "mov $70000, %ecx\nlea from, %rsi\nlea to, %rdi\nrep movsb\nmov $60, %eax\nxor %edi, %edi\nsyscall\n";
    let bytes = ".bss\nfrom: .skip 70000\nto: .skip 70000\n";
    fs::write(&source, format!(".globl _start\n_start:\n{code}{bytes}")).unwrap();
    let program = bench.compile(&["-nostdlib", "-static", "-no-pie"], &source, "long");
    for event in ["DATA_MEM_REFS", "MISALIGN_MEM_REF", "DCU_LINES_IN", "L2_LINES_IN"] {
        let text =
            format!("{event} cannot be counted on this trace: loads or stores of an instruction that has too many");
        fails(&bench, &["-e", event, "--", &program], 2, &text);
    }
    let done = bench.run(&["-e", "INST_RETIRED", "--", &program]);
    assert_eq!((done.code, done.values()), (0, vec![7]), "{}", done.stderr);
}

#[test]
fn options_and_places() {
    refused(&["-e", "INST_RETIRED", "--clock", "0"], "`0` MHz is no clock");
    refused(&["-e", "INST_RETIRED", "--interval", "0"], "--interval");
    refused(&["-e", "INST_RETIRED", "--runs", "2"], "cannot be used with");
    refused(&["-m", "x=FLOPS/"], "the metric `x=FLOPS/`: it ends too early");
    refused(&["-m", "x=FLOPZ"], "did you mean `FLOPS`");
    refused(&["-e", "INST_RETIRED", "--from", "main"], "the trace has no symbols, so that there is no `main`");
    refused(&["-e", "INST_RETIRED", "--from", "0x9999"], "the program never comes to the beginning of the portion");
    refused(&["-e", "INST_RETIRED", "--from", "0xzz"], "`0xzz` is no address");
    refused(&["-e", "INST_RETIRED", "--from", "0x1000", "--to", "0x1000"], "ends where it begins");
    let bench = Bench::new();
    let program = bench.counted();
    fails(&bench, &["-e", "INST_RETIRED", "--from", "mian", "--", &program], 2, "the program has no symbol `mian`");
}

#[test]
fn traces() {
    let bench = Bench::with_trace("{\"ip\":\"0x1000\"}\n{\"ip\":\n");
    fails(&bench, &["-e", "INST_RETIRED", "--trace", "trace.jsonl"], 2, "line 2");
    fails(&bench, &["-e", "INST_RETIRED", "--trace", "missing"], 2, "missing");
    fails(&bench, &["-e", "INST_RETIRED", "--trace", "/dev/null"], 2, "cannot be read 2 times");
    fails(&bench, &["-e", "INST_RETIRED"], 2, "there is no program to count");
}

#[test]
fn a_file_that_cannot_be_written() {
    let bench = Bench::with_trace(TRACE);
    let args = ["-e", "INST_RETIRED", "--trace", "trace.jsonl", "--json", "missing/json"];
    let done = bench.command(&args).output().unwrap();
    let message = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(3), "{message}");
    assert!(message.contains("cannot write `missing/json`"), "{message}");
    assert!(done.stdout.is_empty(), "nothing is counted before");
}

// MET-11: what keeps a program from running is told: no emulator, no program, a program that fails
#[test]
fn programs_that_do_not_run() {
    let bench = Bench::new();
    fails(&bench, &["-e", "INST_RETIRED", "--", "no-such-program"], 2, "there is no program `no-such-program`");
    fails(&bench, &["-e", "INST_RETIRED", "--", "/etc/passwd"], 2, "is not an x86-64 ELF program");
    let program = bench.counted();
    let without = bench.command(&["-e", "INST_RETIRED", "--", &program]).env("PATH", "/nonexistent").output().unwrap();
    let message = String::from_utf8(without.stderr).unwrap();
    assert_eq!(without.status.code(), Some(2), "{message}");
    assert!(message.contains("qemu-x86_64 is not installed") && message.contains("install it"), "{message}");
    fails(&bench, &["-e", "INST_RETIRED", "--", "perl", "-e", "exit 3"], 2, "the program exited with status 3");
    let done = bench.run(&["-e", "INST_RETIRED", "--", "perl", "-e", "kill 9, $$"]);
    assert_eq!(done.code, 2, "{}", done.stderr);
    assert!(
        done.stderr.contains("ended by signal 9") && done.values()[0] > 1000,
        "the counts are there: {}",
        done.stderr
    );
}
