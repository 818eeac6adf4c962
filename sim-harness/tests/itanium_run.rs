//! `lwp-sim itanium`: what the counters say of programs whose heads promise what retires. Chapter: docs/src/itanium/histograms.md.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Counts by table and name.
type Counts = BTreeMap<(String, String), u64>;

struct Done {
    code: i32,
    stdout: String,
    stderr: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/ia64")
}

fn source(name: &str) -> PathBuf {
    folder().join(name).with_extension("s")
}

/// `lwp-sim itanium` with these arguments.
fn run(args: &[&str]) -> Done {
    let output = Command::new(env!("CARGO_BIN_EXE_lwp-sim")).arg("itanium").args(args).output().unwrap();
    let Output { status, stdout, stderr } = output;
    Done {
        code: status.code().unwrap_or(-1),
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}

/// The counts of a program.
fn counts(name: &str, args: &[&str]) -> Counts {
    let path = source(name);
    let done = run(&[&[path.to_str().unwrap(), "--json", "-"][..], args].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let lines = done.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let count = |line: Value| {
        let text = |key: &str| line[key].as_str().unwrap().to_owned();
        ((text("table"), text("name")), line["count"].as_u64().unwrap())
    };
    lines.map(count).collect()
}

/// What the head of a program says behind a mark: `NAME NUMBER, NAME NUMBER`.
fn promised(name: &str, mark: &str) -> BTreeMap<String, u64> {
    let text = fs::read_to_string(source(name)).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(mark));
    let pairs = line.unwrap_or_default().split(", ").filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| pair.rsplit_once(' ').unwrap())
        .map(|(name, number)| (name.to_owned(), number.parse().unwrap()))
        .collect()
}

fn of(counts: &Counts, table: &str, name: &str) -> u64 {
    counts[&(table.to_owned(), name.to_owned())]
}

/// The programs without a kernel.
const PROGRAMS: [&str; 6] = ["blocks", "calls", "copy", "float", "long", "sort"];

// ITA-09: an instruction-type histogram, as the heads of the programs promise. An X is an I or a B.
#[test]
fn kinds_and_events_are_what_the_heads_promise() {
    for name in PROGRAMS {
        let events = "ia64-inst-retired,branch-taken-slot,loads-retired,stores-retired,predicate-squashed-retired";
        for bundles in ["1", "2"] {
            let all = counts(name, &["--histogram", "kinds", "--event", events, "--bundles", bundles]);
            let head = promised(name, "retires: ");
            let kind = |kind: &str| of(&all, "kinds", kind);
            assert_eq!([kind("M"), kind("F")], ["M", "F"].map(|kind| head[kind]), "{name}");
            assert!(kind("I") >= head["I"] && kind("B") >= head["B"], "{name}: {all:?}");
            assert_eq!(kind("I") + kind("B"), head["I"] + head["B"] + head["X"], "{name}");
            let total: u64 = ["M", "I", "F", "B", "X"].iter().map(|kind| head[*kind]).sum();
            let events = [
                ("ia64-inst-retired", total),
                ("branch-taken-slot", head["taken"]),
                ("loads-retired", head["loads"]),
                ("stores-retired", head["stores"]),
                ("predicate-squashed-retired", head["off"]),
            ];
            for (event, count) in events {
                assert_eq!(of(&all, "events", event), count, "{name}, {bundles} bundles: {event}");
            }
        }
    }
}

// ITA-09: basic blocks by tagged nops
#[test]
fn blocks_are_counted_by_their_nops() {
    let all = counts("blocks", &["--histogram", "blocks"]);
    let tags = promised("blocks", "tags: ");
    assert_eq!(tags.len(), 5);
    let counted: BTreeMap<String, u64> = all.into_iter().map(|((_, name), count)| (name, count)).collect();
    assert_eq!(counted, tags);
}

// ITA-09: register usage. In copy.s r8 is set once, and 16 and 20 times something is added to it; 16 loads of 8 bytes and 20 of 2 write r16,
// and the pipelined loop loads r32 in 11 iterations, the last of which is off.
#[test]
fn registers_are_counted_by_who_writes_them() {
    let all = counts("copy", &["--histogram", "registers"]);
    let register = |name: &str| of(&all, "registers", name);
    assert_eq!([register("r8"), register("r16"), register("r32")], [1 + 16 + 20, 16 + 20, 11]);
    assert!(!all.keys().any(|(_, name)| name == "r100"), "it is in no instruction");
}

// ITA-02, ITA-04: the blocks of blocks.s by their addresses. The block `even` begins at its nop: two bundles, 70 times.
#[test]
fn a_range_of_code_counts_alone() {
    let everything = of(&counts("blocks", &["--event", "ia64-inst-retired"]), "events", "ia64-inst-retired");
    let entry = entry_of("blocks");
    // entry, head (2 bundles), even (2), odd (2), end (2)
    let bundles: Vec<u64> = (0..9)
        .map(|number| {
            let block = format!("{:#x}+16", entry + 16 * number);
            let all = counts("blocks", &["--event", "ia64-inst-retired", "--code", &block]);
            of(&all, "events", "ia64-inst-retired")
        })
        .collect();
    assert_eq!(bundles, [3, 336, 335, 210, 210, 123, 123, 3, 0]);
    assert_eq!(bundles.iter().sum::<u64>(), everything);
}

/// The entry of a program.
fn entry_of(name: &str) -> u64 {
    let output = tempfile::tempdir().unwrap();
    let image = sim_harness::itanium::ia64::assemble_image(&source(name), &folder().join("program.ld"), output.path());
    image.unwrap().entry()
}

// ITA-12, ITA-26: data of another block does not count, and the range leaves out nothing but memory events
#[test]
fn a_range_of_data_counts_alone() {
    let events = ["--event", "loads-retired,stores-retired,ia64-inst-retired"];
    let all = counts("copy", &events);
    let none = counts("copy", &[&events[..], &["--data", "0xf000000000000000+4096"]].concat());
    let of = |counts: &Counts, event: &str| of(counts, "events", event);
    assert_eq!((of(&none, "loads-retired"), of(&none, "stores-retired")), (0, 0));
    assert!(of(&all, "loads-retired") == 46 && of(&none, "ia64-inst-retired") == of(&all, "ia64-inst-retired"));
}

// ITA-14: a program of 707 instructions (334 M, 301 I, 71 B and an X, by its head) at a level, and monitors of levels
#[test]
fn levels_count_alone() {
    let count = |level: &str, levels: &str| {
        of(&counts("sort", &["--level", level, "--levels", levels, "--event", "8"]), "events", "8")
    };
    assert_eq!([count("3", "3"), count("0", "0"), count("3", "0,1,2,3")], [707; 3]);
    assert_eq!([count("3", "0,1,2"), count("0", "3")], [0, 0]);
}

/// The kernel sets up PMC\[4\], and the counts are the same with one and two bundles in a cycle, on the model alone and in lockstep.
#[test]
fn a_kernel_sets_up_the_counters_itself() {
    let all: Vec<Counts> = [["1", "lockstep"], ["2", "lockstep"], ["1", "model"]]
        .iter()
        .map(|[bundles, engine]| {
            counts("kernel", &["--own", "--timer", "50", "--bundles", bundles, "--engine", engine])
        })
        .collect();
    // In the third process: two instructions behind sum, two behind the system call, two bundles of three, and rum.
    assert_eq!(of(&all[0], "own", "PMD[4]"), 2 + 2 + 3 + 3 + 1);
    assert_eq!(of(&all[0], "own", "PMC[0]"), 0, "it is not frozen");
    assert_eq!([&all[0]; 2], [&all[1], &all[2]]);
}

#[test]
fn the_text_has_a_bar_for_each_row() {
    let done = run(&[source("blocks").to_str().unwrap(), "--histogram", "blocks"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.starts_with("1,343 instructions in "), "{}", done.stdout);
    assert!(done.stdout.contains("r8 = 111; runs: 3, model and RTL agree in all "), "{}", done.stdout);
    assert!(done.stdout.contains("\n  2  112  ########################################\n"), "{}", done.stdout);
    assert!(done.stdout.contains("\n  1    1  #\n"), "{}", done.stdout);
}

/// A kernel that sets DCR.pp, with this handler of `break`, and a `break 5`.
fn with_handler(handler: &str) -> String {
    let end = "{ .mii\n nop.m 0\n nop.i 0\n nop.i 0 ;;\n}\n";
    format!(
        ".explicit\n.section .ivt, \"ax\"\n.balign 0x8000\nivt:\n.org 0x2c00\n{handler}.org 0x8000\n\
         .section .kernel, \"ax\"\n.global _start\n_start:\n\
         {{ .mlx\n nop.m 0\n movl r16 = ivt ;;\n}}\n{{ .mii\n mov cr.iva = r16\n mov r17 = 1\n nop.i 0 ;;\n}}\n\
         {{ .mii\n mov cr.dcr = r17\n nop.i 0\n nop.i 0 ;;\n}}\n{{ .mii\n break.m 5\n nop.i 0\n nop.i 0 ;;\n}}\n{end}"
    )
}

/// What the interruption made of the PSR: PSR.pp is 1, bit 21.
#[test]
fn a_handler_reads_the_psr_behind_the_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("handler.s");
    let handler = "{ .mii\n mov r8 = psr\n nop.i 0\n nop.i 0 ;;\n}\n{ .mii\n break.m 0\n nop.i 0\n nop.i 0 ;;\n}\n";
    fs::write(&path, with_handler(handler)).unwrap();
    let done = run(&[path.to_str().unwrap(), "--own"]);
    assert!(done.code == 0 && done.stdout.contains(&format!("r8 = {};", 1 << 21)), "{}{}", done.stdout, done.stderr);
}

#[test]
fn what_is_wrong_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let text = path("text.elf", "no program");
    let wrong = path("wrong.s", "    .text\n    frobnicate r1 = r2\n");
    let endless = path(
        "endless.s",
        "    .text\n    .global _start\n_start:\n{ .mib\n    nop.m 0\n    nop.i 0\n    br.cond.sptk _start ;;\n}\n",
    );
    let faulting = path("faulting.s", &with_handler("{ .mii\n break.m 5\n nop.i 0\n nop.i 0 ;;\n}\n"));
    let unknown = path(
        "unknown.s",
        "    .text\n    .global _start\n_start:\n{ .mii\n    ptc.e r1\n    nop.i 0\n    nop.i 0 ;;\n}\n",
    );
    let sort = source("sort").to_str().unwrap().to_owned();
    for (args, code, said) in [
        (vec!["missing.elf"], 2, "cannot read `missing.elf`"),
        (vec![text.as_str()], 2, "ELF"),
        (vec![wrong.as_str()], 2, "frobnicate"),
        (vec![endless.as_str(), "--limit", "1000"], 2, "has not ended after"),
        // A handler that interrupts itself retires nothing.
        (vec![faulting.as_str(), "--limit", "1000"], 2, "has not ended after"),
        (vec![unknown.as_str()], 2, "the executor does not know the instruction"),
        (vec![sort.as_str(), "--event", "load-retired"], 2, "did you mean `loads-retired`"),
        (vec![sort.as_str(), "--code", "0x4000+8"], 2, "whole bundles of 16 bytes"),
        (vec![sort.as_str(), "--own", "--histogram", "kinds"], 2, "cannot be used with"),
        (vec![sort.as_str(), "--json", "/no/such/folder/x"], 3, "/no/such/folder/x"),
    ] {
        let done = run(&args);
        let text = done.stderr.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(done.code == code && text.contains(said), "{args:?}: {} {text}", done.code);
    }
}
