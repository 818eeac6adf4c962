//! Traces that end in the middle, in every format and compression: what stands before is run, the rest is an error with its place.

use crate::cosim_bench::{Bench, Done, plain};
use crate::trace_support::{champsim, compressed, random_capture};
use std::fs;

const SESSION: &str = "[lwpcb]\nbuffer_size = 1024\n[[lwpcb.event]]\nid = 1\ninterval = 100\n";

/// A trace in each format, what it ends in the middle of, and its instructions. (A frame of a capture has 131,072.)
fn samples() -> [(&'static str, Vec<u8>, &'static str, u64); 3] {
    let records = (0..16_000).flat_map(|at| champsim(0x40_0000 + at, [0, 0], [1, 0], [2, 0, 0, 0], [0x5000, 0, 0, 0]));
    [
        ("capture", random_capture(11, 270_000).1, "frame", 270_000),
        ("ChampSim", records.collect(), "record", 16_000),
        ("retire log", plain(16_000).into_bytes(), "line", 16_000),
    ]
}

/// Two thirds of it, and not the end of a line or record.
fn cut(bytes: &[u8]) -> &[u8] {
    let end = (bytes.len() / 3 * 2..).find(|end| end % 64 != 0 && bytes[end - 1] != b'\n' && bytes[*end] != b'\n');
    &bytes[..end.expect("some byte")]
}

fn run(bytes: &[u8], more: &[&str]) -> Done {
    let bench = Bench::new("", SESSION);
    fs::write(bench.path("trace.jsonl"), bytes).unwrap();
    bench.run(more)
}

/// Words of an error, without frame and line ends.
fn words(stderr: &str) -> String {
    stderr.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_stands_before_the_cut_is_run() {
    for (format, bytes, part, count) in samples() {
        for (compression, packed) in compressed(&bytes) {
            // What is packed is the same trace; to read it takes no RTL.
            let engine = ["--engine", if compression == "plain" { "lockstep" } else { "model" }];
            let done = run(cut(&packed), &engine);
            let (what, stderr) = (format!("{format}, {compression}"), words(&done.stderr));
            assert_eq!(done.code, 2, "{what}: {stderr}");
            assert!(stderr.contains("is truncated: it ends in the middle of"), "{what}: {stderr}");
            assert!(
                stderr.contains("can be replayed with a limit") && !stderr.contains("panicked"),
                "{what}: {stderr}"
            );
            // Without compression the place is known to the byte or line.
            let place = stderr.split("in the middle of").nth(1).unwrap();
            assert!(compression != "plain" || place.contains(part), "{what}: {stderr}");
            // The run was brought to its end: all that retired is counted, the session is stored.
            let instructions = done.number("instructions");
            assert!((1..count).contains(&instructions), "{what}: {instructions}");
            assert!(done.json["error"].as_str().unwrap().contains("truncated"), "{what}: {}", done.json);
            assert_eq!(done.json["operations"]["slwpcb"], "done", "{what}");
            assert_eq!(done.records.len() as u64, done.number("records/total").min(31), "{what}");
            // The advice: as much again, with a limit, is no error.
            let limited = run(cut(&packed), &[&engine[..], &["--limit", &instructions.to_string()]].concat());
            assert_eq!((limited.code, limited.number("instructions")), (0, instructions), "{what}: {}", limited.stderr);
            assert_eq!((&limited.records, &limited.lwpcb), (&done.records, &done.lwpcb), "{what}");
        }
    }
}

/// Even where nothing whole is left.
#[test]
fn a_few_bytes_are_no_trace() {
    for (format, bytes, ..) in samples() {
        for (compression, packed) in compressed(&bytes) {
            for length in [1, 5, 9, 20] {
                let done = run(&packed[..length], &[]);
                assert_eq!(done.code, 2, "{format}, {compression}, {length} bytes: {}", done.stderr);
                assert!(done.stderr.contains("help:"), "{format}, {compression}, {length} bytes: {}", done.stderr);
                assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
            }
        }
    }
}
