//! Captured programs: every event that can be counted, and the plain counter beside it.

use super::Bench;
use std::path::Path;

/// The names of all events and kinds that can be counted.
fn all(bench: &Bench, args: &[&str]) -> Vec<String> {
    let output = bench.command(&[args, &["--list"]].concat()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

/// Counts all events of a program in lockstep; each count is the exact one.
fn check(bench: &Bench, args: &[&str], program: &[&str]) -> Vec<(String, u64)> {
    let events = all(bench, args);
    let list = events.join(",");
    let done = bench.run(&[args, &["-e", &list, "--"], program].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(done.json["cycles_compared"], done.json["cycles"]);
    let counts = done.counts();
    assert_eq!(counts.len(), events.len());
    for (event, (count, exact)) in events.iter().zip(&counts) {
        assert_eq!(count, exact, "{event} of {program:?}");
    }
    events.into_iter().zip(counts).map(|(event, (count, _))| (event, count)).collect()
}

fn count(counts: &[(String, u64)], name: &str) -> u64 {
    counts.iter().find(|(event, _)| event == name).unwrap_or_else(|| panic!("no {name}")).1
}

// MET-01, MET-03, MET-04: two events in a pass, each on a counter that counts it. The counts are those of `counted.S`.
#[test]
fn a_program_of_known_counts() {
    let bench = Bench::new();
    let program = bench.counted();
    let counts = check(&bench, &[], &[&program]);
    for (event, expected) in [
        ("INST_RETIRED", 1805),
        ("INST_DECODED", 1805),
        ("BR_INST_RETIRED", 101),
        ("BR_TAKEN_RETIRED", 100),
        ("FLOPS", 300),
        ("FP_COMP_OPS_EXE", 400),
        ("MUL", 200),
        ("DIV", 100),
        ("DATA_MEM_REFS", 400),
        ("MISALIGN_MEM_REF", 100),
        ("EMON_KNI_PREF_DISPATCHED.NTA", 100),
        ("EMON_KNI_INST_RETIRED.PACKED_AND_SCALAR", 300),
        ("EMON_KNI_INST_RETIRED.SCALAR", 100),
        ("EMON_KNI_COMP_INST_RET.PACKED_AND_SCALAR", 200),
        ("MMX_INSTR_TYPE_EXEC.ARITH", 100),
        ("MMX_INSTR_TYPE_EXEC.SHIFT", 100),
        ("MMX_ASSIST", 100),
        ("FP_MMX_TRANS.FP_TO_MMX", 100),
        ("FP_MMX_TRANS.MMX_TO_FP", 99),
        ("SEGMENT_REG_LOADS", 0),
        ("DCU_LINES_IN", 3),
        ("DCU_M_LINES_IN", 1),
        ("ITLB_MISS", 1),
    ] {
        assert_eq!(count(&counts, event), expected, "{event}");
    }
    // The Pentium II has events of its own.
    let counts = check(&bench, &["--model", "2"], &[&program]);
    assert_eq!((count(&counts, "MMX_INSTR_EXEC"), count(&counts, "MMX_INSTR_RET")), (200, 200));
    for model in ["pro", "m"] {
        check(&bench, &["--model", model], &[&program]);
    }
}

#[test]
fn a_dynamic_program() {
    let bench = Bench::new();
    let counts = check(&bench, &[], &["true"]);
    assert!(count(&counts, "INST_RETIRED") > 50_000, "{counts:?}");
    assert!(count(&counts, "L2_LINES_IN") > 1_000 && count(&counts, "DCU_M_LINES_OUT") > 0, "{counts:?}");
}

#[test]
fn perl_counts_words() {
    let bench = Bench::new();
    let script = "$n{$_ % 7}++ for 1 .. 20000; print scalar keys %n";
    let counts = check(&bench, &["--limit", "400000"], &["perl", "-e", script]);
    assert_eq!(count(&counts, "INST_RETIRED"), 400_000);
    assert!(count(&counts, "L2_LD.M") > 0 && count(&counts, "L2_M_LINES_OUTM") > 0, "{counts:?}");
}

/// Every class of branch, and signals.
#[test]
fn branches_and_signals() {
    let bench = Bench::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let branches = bench.compile(&["-nostdlib", "-static", "-no-pie"], &data.join("every_branch.S"), "branches");
    check(&bench, &[], &[&branches]);
    let signals = bench.compile(&["-O1", "-no-pie"], &data.join("signals.c"), "signals");
    let counts = check(&bench, &[], &[&signals]);
    assert!(count(&counts, "HW_INT_RX") > 0, "a timer interrupts the program: {counts:?}");
    for version in ["1", "2", "3"] {
        check(&bench, &["--personality", version], &[&signals]);
    }
}

/// Conditions of cycles and levels, in random combinations.
#[test]
fn conditions_of_a_real_program() {
    let bench = Bench::new();
    let events: Vec<String> =
        ["INST_RETIRED", "DATA_MEM_REFS", "BR_TAKEN_RETIRED", "CPU_CLK_UNHALTED", "MISALIGN_MEM_REF", "L2_RQSTS"]
            .iter()
            .flat_map(|event| {
                ["u", "k", "c1", "c2", "ec2", "ic3", "eic1", "ue", "c15"].map(|how| format!("{event}:{how}"))
            })
            .collect();
    let done = bench.run(&["-e", &events.join(","), "--", "true"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    for (event, (count, exact)) in events.iter().zip(done.counts()) {
        assert_eq!(count, exact, "{event}");
    }
}
