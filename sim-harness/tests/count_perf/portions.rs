//! A portion of a program, and intervals.

use super::Bench;
use serde_json::{Value, json};

// MET-29: a part of the program between two symbols. The loop of `counted.S` has 18 instructions and runs 100 times.
#[test]
fn a_portion_between_two_symbols() {
    let bench = Bench::new();
    let program = bench.counted();
    let events = ["-e", "INST_RETIRED,FLOPS,CPU_CLK_UNHALTED:k"];
    let of = |portion: &[&str]| {
        let done = bench.run(&[&events, portion, &["--", &program]].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(done.counts().iter().all(|(count, exact)| count == exact), "{}", done.stderr);
        done.values()
    };
    assert_eq!(of(&["--from", "rounds", "--to", "after"]), [1800, 300, 4]);
    assert_eq!(of(&["--from", "after"]), [3, 0, 4]);
    assert_eq!(of(&["--to", "rounds"]), [2, 0, 4]);
    assert_eq!(of(&[]), [1805, 300, 4]);
}

/// A function that is called three times: each call is a start and a stop, and each of these takes the driver four cycles.
#[test]
fn a_portion_is_counted_each_time() {
    let round = "{\"ip\":\"0x1000\"}\n{\"ip\":\"0x2000\"}\n{\"ip\":\"0x2001\"}\n{\"ip\":\"0x3000\"}\n";
    let bench = Bench::with_trace(&round.repeat(3));
    let events = "INST_RETIRED,CPU_CLK_UNHALTED:u,CPU_CLK_UNHALTED:k,CPU_CLK_UNHALTED:e";
    let done = bench.engines(&["-e", events, "--from", "0x2000", "--to", "0x3000"]);
    assert_eq!(done.counts(), [(6, 6), (3, 3), (12, 12), (3, 3)]);
}

// The counts of each interval add up to those of the trace.
#[test]
fn intervals_are_lines() {
    let line = |at: u64| match at % 4 {
        1 => format!("{{\"ip\":\"{at:#x}\",\"loads\":[{{\"addr\":\"0x7000\",\"size\":4}}]}}\n"),
        _ => format!("{{\"ip\":\"{at:#x}\"}}\n"),
    };
    let trace: String = (0..50).map(line).collect();
    let bench = Bench::with_trace(&trace);
    let done = bench.engines(&["-e", "INST_RETIRED,DATA_MEM_REFS,INST_RETIRED:u", "--interval", "20"]);
    assert_eq!(done.values(), [50, 13, 50]);
    let expected = json!([
        { "instructions": 20, "counts": [20, 5, 20] },
        { "instructions": 40, "counts": [20, 5, 20] },
        { "instructions": 50, "counts": [10, 3, 10] },
    ]);
    assert_eq!(done.json["intervals"], expected);
    let lines: Vec<Vec<&str>> = done.stdout.lines().take(4).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["instructions", "INST_RETIRED", "DATA_MEM_REFS", "INST_RETIRED:u"]);
    assert_eq!(lines[1..], [["20", "20", "5", "20"], ["40", "20", "5", "20"], ["50", "10", "3", "10"]]);
}

/// Intervals of a real program, in several passes: their sums are the counts.
#[test]
fn intervals_of_a_program_add_up() {
    let bench = Bench::new();
    let done = bench.run(&["-e", "INST_RETIRED,L2_LINES_IN,DATA_MEM_REFS", "--interval", "10000", "--", "true"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let rows: Vec<&Value> = done.json["intervals"].as_array().unwrap().iter().map(|row| &row["counts"]).collect();
    assert!(rows.len() > 5, "{}", done.json);
    let sums: Vec<u64> = (0..3).map(|at| rows.iter().map(|row| row[at].as_u64().unwrap()).sum()).collect();
    assert_eq!(sums, done.values());
}
