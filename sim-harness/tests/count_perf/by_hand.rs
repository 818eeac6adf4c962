//! Ten instructions, and what each event counts of them, to be followed by hand with the chapter open.

use super::Bench;

/// Twice round a loop of three instructions, then two of the system, then two more of the program. Code is in two blocks of 16 bytes.
const TEN: &str = r#"
{"ip":"0x401000","length":4}
{"ip":"0x401004","length":4,"loads":[{"addr":"0x7ff0","size":8,"miss":true,"latency":200,"source":3}]}
{"ip":"0x401008","length":2,"branch":{"kind":"jcc","taken":true,"predicted":true}}
{"ip":"0x401000","length":4}
{"ip":"0x401004","length":4,"loads":[{"addr":"0x7ffc","size":8}],"stores":[{"addr":"0x8000","size":4}]}
{"ip":"0x401008","length":2,"branch":{"kind":"jcc","taken":false,"predicted":false}}
{"ip":"0x40100a","length":1,"cpl":0}
{"ip":"0x40100b","length":1,"cpl":0}
{"ip":"0x40100c","length":4}
{"ip":"0x401010","length":4}
"#;

/// Counts these events, which are given with their counts, on all engines.
fn check(trace: &str, args: &[&str], expected: &[(&str, u64)]) {
    let bench = Bench::with_trace(trace);
    let events: Vec<&str> = expected.iter().flat_map(|(event, _)| ["-e", event]).collect();
    let done = bench.engines(&[args, &events].concat());
    for ((event, expected), (count, exact)) in expected.iter().zip(done.counts()) {
        assert_eq!((count, exact), (*expected, *expected), "{event}");
    }
}

// MET-01, MET-08: events by their names, and how often they occurred
#[test]
fn what_occurs_is_counted() {
    check(
        TEN,
        &[],
        &[
            ("INST_RETIRED", 10),
            ("INST_RETIRED:u", 8),
            ("INST_RETIRED:k", 2),
            ("BR_INST_RETIRED", 2),
            ("BR_TAKEN_RETIRED", 1),
            ("BR_MISS_PRED_RETIRED", 1),
            ("BR_MISS_PRED_TAKEN_RET", 0),
            ("BR_INST_DECODED", 2),
            ("DATA_MEM_REFS", 3),
            ("MISALIGN_MEM_REF", 1), // 8 bytes at 7FFCH
            ("IFU_IFETCH", 2),       // the blocks at 401000H and 401010H
            ("IFU_IFETCH_MISS", 1),  // which are one line
            ("ITLB_MISS", 1),
            ("L2_LD", 1),
            ("L2_LD.E", 0),
            ("HW_INT_RX", 0),
        ],
    );
}

// Four instructions retire in a cycle: 4 and 2, then a change of the level, 2 of the system, a change back, 2.
#[test]
fn cycles_and_conditions_of_cycles() {
    check(
        TEN,
        &[],
        &[
            ("CPU_CLK_UNHALTED:u", 4),
            ("CPU_CLK_UNHALTED:k", 2 + 4), // and those of the driver
            ("INST_RETIRED:c2", 4),
            ("INST_RETIRED:c4", 1),
            ("INST_RETIRED:ic1", 2 + 4), // the changes, and the driver
            ("INST_RETIRED:uic3", 3),
            ("INST_RETIRED:ec2", 3), // the two cycles at the beginning are one
        ],
    );
    // One instruction every three cycles; the change of the level fits in between.
    check(TEN, &["--cpi", "3"], &[("CPU_CLK_UNHALTED:u", 8 * 3 - 2), ("CPU_CLK_UNHALTED:k", 2 * 3 + 4)]);
}

// A string instruction makes 40 loads, of which a cycle shows 15.
#[test]
fn more_than_a_line_holds_takes_more_cycles() {
    let loads: Vec<String> = (0..40).map(|at| format!("{{\"addr\":\"{:#x}\",\"size\":8}}", 0x7001 + 8 * at)).collect();
    let string = format!("{{\"ip\":\"0x401004\",\"length\":2,\"loads\":[{}]}}\n", loads.join(","));
    let trace = format!("{{\"ip\":\"0x401000\",\"length\":4}}\n{string}{{\"ip\":\"0x401006\",\"length\":4}}\n");
    check(&trace, &[], &[("DATA_MEM_REFS", 40), ("MISALIGN_MEM_REF", 40), ("CPU_CLK_UNHALTED:u", 40)]);
    let aligned = trace.replace("1\",\"size\":8", "0\",\"size\":8").replace("9\",\"size\":8", "8\",\"size\":8");
    check(
        &aligned,
        &[],
        &[("DATA_MEM_REFS", 40), ("MISALIGN_MEM_REF", 0), ("CPU_CLK_UNHALTED:u", 3), ("DATA_MEM_REFS:c15", 2)],
    );
}

// An interrupt takes a cycle at the level of the program, and is followed by one at that of its handler.
#[test]
fn interrupts_are_counted() {
    let interruption = r#""interruption":{"kind":"interrupt","vector":32}"#;
    let trace =
        format!("{{\"ip\":\"0x401000\"}}\n{{\"ip\":\"0x8000\",\"cpl\":0,{interruption}}}\n{{\"ip\":\"0x401001\"}}\n");
    check(&trace, &[], &[("HW_INT_RX", 1), ("HW_INT_RX:u", 1), ("HW_INT_RX:k", 0), ("CPU_CLK_UNHALTED:u", 4)]);
}

#[test]
fn architectural_events_of_each_version() {
    let expected = [
        ("INSTRUCTION_RETIRED", 10),
        ("INSTRUCTION_RETIRED:k", 2),
        ("BRANCH_INSTRUCTION_RETIRED", 2),
        ("BRANCH_MISSES_RETIRED:u", 1),
        ("INSTRUCTION_RETIRED:c2", 5),
        ("UNHALTED_CORE_CYCLES:u", 5), // two instructions in a cycle
        ("UNHALTED_REFERENCE_CYCLES:u", 5),
    ];
    for version in ["1", "2", "3"] {
        check(TEN, &["--personality", version], &expected);
    }
    // What the driver adds: with a write for each of two counters, or with one register for all.
    check(TEN, &["--personality", "1"], &[("UNHALTED_CORE_CYCLES:k", 2 + 4), ("INSTRUCTION_RETIRED", 10)]);
    check(TEN, &["--personality", "2"], &[("UNHALTED_CORE_CYCLES:k", 2 + 2)]);
    check(TEN, &["--personality", "3"], &[("INSTRUCTION_RETIRED:ut", 8)]);
}

// MET-07: the counters are of the processor: they count the system, and the driver that starts and stops them
#[test]
fn the_counters_count_whatever_the_processor_does() {
    let user: String = TEN.lines().filter(|line| !line.contains("cpl")).map(|line| format!("{line}\n")).collect();
    check(&user, &[], &[("INST_RETIRED", 8), ("INST_RETIRED:k", 0), ("CPU_CLK_UNHALTED:k", 4)]);
    check(TEN, &[], &[("INST_RETIRED", 10), ("INST_RETIRED:k", 2), ("CPU_CLK_UNHALTED:k", 6)]);
}
