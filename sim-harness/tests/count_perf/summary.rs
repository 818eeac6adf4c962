//! `lwp-sim count SUM`: the ten events of the study, and the metrics.

use super::Bench;
use std::fs;

/// What is printed of `counted.S` on two runs.
const GOLDEN: &str = "\
FLOPS: 300
Instructions Per Cycle: 3.958333
MFLOPS: 0.657895 x CPU Speed(MHz)
L1 Cache Hit Rate: 0.992500
L2 Cache Hit Rate: -1.000000
Memory/Flops Ratio: 1.333333
Branch Rate: 0.055956
Branch Miss Rate: 0.000554
TLB Miss Rate: 0.002500
";

// MET-02, MET-03, MET-12, MET-24: ten events in five passes, and the lines of the study
#[test]
fn the_summary_of_a_program() {
    let bench = Bench::new();
    let program = bench.counted();
    let done = bench.run(&["SUM", "--", &program]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(done.json["passes"], 5);
    let events: Vec<&str> =
        done.json["events"].as_array().unwrap().iter().map(|event| event["event"].as_str().unwrap()).collect();
    let expected = [
        "CPU_CLK_UNHALTED",
        "INST_RETIRED",
        "DATA_MEM_REFS",
        "DCU_LINES_IN",
        "L2_LINES_IN",
        "FLOPS",
        "BR_INST_DECODED",
        "BR_MISS_PRED_RETIRED",
        "ITLB_MISS",
        "IFU_IFETCH_MISS",
    ];
    assert_eq!(events, expected);
    let (_, summary) = done.stderr.rsplit_once("\n\n").expect("the summary is behind the table");
    assert_eq!(summary, GOLDEN, "{}", done.stderr);
}

// MET-26: the clock is given, and makes rates
#[test]
fn a_clock_makes_rates() {
    let bench = Bench::new();
    let program = bench.counted();
    let done = bench.run(&["SUM", "--clock", "650", "--", &program]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(done.json["clock_mhz"], 650.0);
    assert!(
        done.stderr.contains(" at 650 MHz\n") && done.stderr.contains("L2 to Memory Bandwidth: "),
        "{}",
        done.stderr
    );
}

// MET-28: means over several runs, and their spread. The program reads a file that each run makes longer.
#[test]
fn several_runs_are_averaged() {
    let bench = Bench::new();
    fs::write(bench.path("file"), "x\n").unwrap();
    let script =
        "open F, '>>', 'file'; print F 'y' x 9, \"\\n\"; close F; open F, 'file'; while (<F>) { $n += length }";
    let done = bench.run(&["-e", "INST_RETIRED", "--runs", "3", "--engine", "model", "--", "perl", "-e", script]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let event = &done.json["events"][0];
    let counts: Vec<f64> = event["counts"].as_array().unwrap().iter().map(|count| count.as_f64().unwrap()).collect();
    assert_eq!((done.json["runs"].as_u64(), counts.len()), (Some(3), 3));
    let mean = counts.iter().sum::<f64>() / 3.0;
    assert!((event["count"].as_f64().unwrap() - mean).abs() < 1e-6, "{event}");
    let squares: f64 = counts.iter().map(|count| (count - mean).powi(2)).sum();
    assert!((event["deviation"].as_f64().unwrap() - (squares / 2.0).sqrt()).abs() < 1e-6, "{event}");
    assert!(done.stderr.contains("1 pass in each of 3 runs") && done.stderr.contains("+- "), "{}", done.stderr);
}

// MET-23: a metric of the user's own; its events are counted
#[test]
fn metrics_of_ones_own() {
    let bench = Bench::new();
    let program = bench.counted();
    let formula = "multiplies per round=MUL / (BR_TAKEN_RETIRED + 0)";
    let done = bench.run(&["-m", formula, "-m", "none=FLOPS/HW_INT_RX", "--", &program]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(done.json["metrics"][0]["value"], 2.0);
    assert!(done.json["metrics"][1]["value"].is_null());
    assert!(done.stderr.contains("multiplies per round: 2.000000\nnone: undefined\n"), "{}", done.stderr);
    assert_eq!(done.values(), [200, 100, 300, 0]);
}
