//! `lwp-sim cosim --unit tsc`: values that a reader can follow, engines that agree, sessions that are refused.

use crate::cosim_bench::{Bench, UnitDone, mixed, plain, steady, unit_engines, unit_run};
use miette::Diagnostic;
use serde_json::{Value, json};
use sim_harness::tsc::session::{Session, SessionError};
use std::fs;
use std::process::Command;

/// The unit on the three engines.
fn run_engines(trace: &str, session: &str, args: &[&str]) -> UnitDone {
    unit_engines("tsc", trace, session, args)
}

/// Some keys of every record.
fn columns(done: &UnitDone, keys: &[&str]) -> Vec<Vec<Value>> {
    done.records.iter().map(|record| keys.iter().map(|key| record[*key].clone()).collect()).collect()
}

/// A counter that counts cycles.
const CYCLES: &str = "[straps]\nrate = \"variable\"\n[clock]\nbus_period = 1\ncore_ratio = 2\n";

/// Instruction n retires in cycle n. Two requests are due with instruction 5, so that instruction 6 retires in cycle 7, and n in cycle
/// n + 1 from there on. The write of cycle 9 adds 991: the counter is 1000 + 1 in cycle 10.
#[test]
fn requests_by_hand() {
    let requests = [
        "instruction = 5\nop = \"rdtsc\"",
        "instruction = 5\nop = \"wrmsr\"\nregister = \"IA32_TSC_AUX\"\nvalue = 7\nlp = 1\ncpl = 0",
        "instruction = 6\nop = \"rdtscp\"\nlp = 1",
        "instruction = 8\nop = \"wrmsr\"\nregister = 16\nvalue = 1000\ncpl = 0",
        "instruction = 10\nop = \"rdtsc\"",
        "instruction = 12\nop = \"rdmsr\"\nregister = \"0x3b\"\ncpl = 0",
        "instruction = 14\nop = \"rdmsr\"\nregister = \"ia32_tsc_adjust\"",
        "instruction = 15\nop = \"rdtsc\"\ntsd = true",
        "instruction = 16\nop = \"rdtsc\"\ntsd = true\ncpl = 0",
        "instruction = 17\nop = \"rdmsr\"\nregister = 0x1b\ncpl = 0",
        "instruction = 100\nop = \"rdtsc\"",
    ];
    let requests: String = requests.iter().map(|keys| format!("[[request]]\n{keys}\n")).collect();
    let done = run_engines(&plain(20), &(CYCLES.to_owned() + &requests), &["--cpi", "1"]);
    let expected = [
        json!([5, 5, 0, "rdtsc", null, "done", "0x5", null]),
        json!([5, 6, 1, "wrmsr", "IA32_TSC_AUX", "done", null, null]),
        json!([6, 7, 1, "rdtscp", null, "done", "0x7", 7]),
        json!([8, 9, 0, "wrmsr", "IA32_TIME_STAMP_COUNTER", "done", null, null]),
        json!([10, 11, 0, "rdtsc", null, "done", "0x3ea", null]),
        json!([12, 13, 0, "rdmsr", "IA32_TSC_ADJUST", "done", "0x3df", null]),
        json!([14, 15, 0, "rdmsr", "IA32_TSC_ADJUST", "#GP(0)", null, null]),
        json!([15, 16, 0, "rdtsc", null, "#GP(0)", null, null]),
        json!([16, 17, 0, "rdtsc", null, "done", "0x3f0", null]),
        json!([17, 18, 0, "rdmsr", "0x1b", "not mine", null, null]),
    ];
    let keys = ["instruction", "cycle", "lp", "op", "register", "result", "value", "aux"];
    assert_eq!(columns(&done, &keys), expected.map(|row| row.as_array().unwrap().clone()));
    // Instruction 19 retires in cycle 20, and cycle 21 finds the trace at its end.
    assert_eq!((&done.json["instructions"], &done.json["cycles"]), (&json!(20), &json!(22)));
    let summary = &done.json["requests"];
    assert_eq!((&summary["total"], &summary["rdtsc"]["done"]), (&json!(10), &json!(3)));
    assert_eq!((&summary["rdmsr"]["not mine"], &summary["rdtsc"]["#GP(0)"]), (&json!(1), &json!(1)));
    assert_eq!(done.json["requests_left"], 1);
    let processors = json!([
        {"counter": "0x3f5", "adjust": "0x3df", "aux": "0x0"},
        {"counter": "0x16", "adjust": "0x0", "aux": "0x7"},
    ]);
    assert_eq!(done.json["processors"], processors);
}

/// The example of the page "Timing": in cycle 7 the counter is 37, and would be 52 if it counted in deep sleep. What was due in the sleep
/// is asked behind it, one request a cycle.
#[test]
fn sleep_by_hand() {
    let session = |deep_sleep: &str| {
        format!(
            "logical_processors = 1\n[straps]\nrate = \"constant-max\"\nmax_ratio = 15\ndeep_sleep = \"{deep_sleep}\"\n\
             [clock]\nbus_period = 1\n[[sleep]]\nkind = \"hlt\"\nfrom = 2\nto = 7\n[[sleep]]\nkind = \"stpclk\"\nfrom = 3\nto = 7\n\
             [[sleep]]\nkind = \"dpslp\"\nfrom = 4\nto = 6\n[[request]]\ncycle = 3\nop = \"rdtsc\"\n[[request]]\ncycle = 7\nop = \"rdtsc\"\n"
        )
    };
    for (deep_sleep, first, second) in [("stop", "0x25", "0x2d"), ("count", "0x34", "0x3c")] {
        let done = run_engines(&plain(10), &session(deep_sleep), &["--cpi", "1"]);
        let expected = [json!([null, 7, first]), json!([null, 8, second])].map(|row| row.as_array().unwrap().clone());
        assert_eq!(columns(&done, &["instruction", "cycle", "value"]), expected);
        // Two instructions before the sleep, the others from cycle 9 on.
        assert_eq!(done.json["cycles"], 9 + 8 + 1);
    }
}

/// The example of the page "Timing": the ratio falls from 10.5 to 6 in cycle 2.
#[test]
fn a_change_of_the_ratio_by_hand() {
    let requests: String = (0..5).map(|at| format!("[[request]]\ninstruction = {at}\nop = \"rdtsc\"\n")).collect();
    let values = |rate: &str| {
        let session = format!(
            "[straps]\nrate = \"{rate}\"\n[clock]\nbus_period = 1\ncrystal_period = 1\ncore_ratio = 21\n[[clock.change]]\n\
             at_instruction = 2\ncore_ratio = 12\n{requests}"
        );
        columns(&run_engines(&plain(6), &session, &["--cpi", "1"]), &["value"]).concat()
    };
    assert_eq!(values("variable"), ["0x0", "0xa", "0x15", "0x1b", "0x21"]);
    assert_eq!(values("constant-boot"), ["0x0", "0xa", "0x15", "0x1f", "0x2a"]);
    assert_eq!(values("constant-max"), ["0x0", "0xf", "0x1e", "0x2d", "0x3c"]);
    assert_eq!(values("invariant"), ["0x0", "0x53", "0xa6", "0xfa", "0x14d"]);
}

/// An instruction with which something is due is the last of its cycle; the others of the four retire in the next one.
#[test]
fn groups_end_with_a_request() {
    let session = CYCLES.to_owned() + "[[request]]\nevery = 3\nop = \"rdtsc\"\n";
    let done = run_engines(&plain(12), &session, &[]);
    // 0 to 3, 4 to 6, 7 to 9, 10 and 11; then the end.
    let expected = [json!([3, 0, "0x0"]), json!([6, 1, "0x1"]), json!([9, 2, "0x2"])];
    let expected = expected.map(|row| row.as_array().unwrap().clone());
    assert_eq!(columns(&done, &["instruction", "cycle", "value"]), expected);
    assert_eq!(done.json["cycles"], 4);
}

/// Each build, the shipped session on it, and levels that the trace gives.
#[test]
fn engines_agree_on_every_build_and_nothing_is_drawn_twice() {
    let shipped = fs::read_to_string("sessions/tsc.toml").unwrap();
    for processors in [2, 4, 8] {
        let session = shipped.replace("logical_processors = 2", &format!("logical_processors = {processors}"));
        let done = run_engines(&mixed(45_000), &session, &[]);
        assert_eq!(done.json["processors"].as_array().unwrap().len(), processors);
        assert_eq!(done.json["requests"]["wrmsr"]["done"], 2);
        assert!(done.json["requests"]["rdtsc"]["done"].as_u64().unwrap() > 100);
        let times: Vec<u64> = done.records.iter().map(|record| record["cycle"].as_u64().unwrap()).collect();
        assert!(times.is_sorted_by(|one, next| one < next), "one request in a cycle");
        assert!(times.iter().all(|cycle| !(8000..10_000).contains(cycle)), "nobody asks in the sleep");
    }
    let bench = Bench::new(&mixed(20_000), "logical_processors = 1\n");
    let (two, one, other) = (
        unit_run("tsc", &bench, &[]),
        unit_run("tsc", &bench, &["--threads", "1"]),
        unit_run("tsc", &bench, &["--seed", "8"]),
    );
    assert_eq!((steady(&one.json), &one.records), (steady(&two.json), &two.records));
    assert_ne!(other.records, two.records, "another seed, other distances");
    // Without a session, too.
    let command = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lwp-sim"));
        let trace = bench.path("trace.jsonl");
        command.args(["cosim", "--unit", "tsc", "--json", "-", "--trace"]).arg(trace).args(args).output().unwrap()
    };
    let summary: Value = serde_json::from_slice(&command(&["--limit", "9000"]).stdout).unwrap();
    assert_eq!((&summary["logical_processors"], &summary["instructions"]), (&json!(2), &json!(9000)));
    assert!(summary["requests"]["rdtsc"]["done"].as_u64().unwrap() > 30);
}

fn refused(text: &str) -> SessionError {
    Session::parse("s.toml", text).expect_err(text)
}

#[test]
fn bad_sessions_point_at_their_line() {
    let request = |keys: &str| format!("[[request]]\n{keys}\n");
    let cases = [
        ("logical_processors = 3".to_owned(), "line 1, column 22", "there is no build of 3 logical processors"),
        ("[straps]\nmax_ratio = 0".to_owned(), "line 2, column 13", "max_ratio must not be 0"),
        ("[straps]\nmax_ratio = 256".to_owned(), "line 2, column 13", "a number from 0 to 255"),
        ("[straps]\nrate = \"fast\"".to_owned(), "line 2, column 8", "there is no choice `fast` here"),
        (
            "[straps]\ndeep_sleep = \"stop\"".to_owned(),
            "line 2, column 14",
            "rate = invariant needs deep_sleep = count",
        ),
        ("[straps]\npresent = false".to_owned(), "line 2, column 11", "adjust needs present"),
        ("[straps]\nart_denominator = 0".to_owned(), "line 2, column 19", "art_denominator"),
        ("[clock]\nbus_period = -1".to_owned(), "line 2, column 14", "a number from 0 to"),
        ("[[clock.change]]\ncore_ratio = 3".to_owned(), "line 1", "either `at_cycle` or `at_instruction`"),
        ("[[clock.change]]\nat_cycle = 3".to_owned(), "line 1", "missing field `core_ratio`"),
        ("[[sleep]]\nkind = \"c6\"\nfrom = 1\nto = 2".to_owned(), "line 2, column 8", "there is no choice `c6` here"),
        ("[[sleep]]\nfrom = 5\nto = 5".to_owned(), "line 3, column 6", "ends in cycle 5, and begins in cycle 5"),
        (request("op = \"rdtsc\""), "line 1", "one of `instruction`, `every` and `cycle`"),
        (request("cycle = 1\nevery = 2"), "line 1", "one of `instruction`, `every` and `cycle`"),
        (request("every = 0"), "line 2, column 9", "a number of instructions from 1"),
        (request("every = [4, 2]"), "line 2, column 9", "the range [4, 2] is empty"),
        (request("cycle = 1\nlp = 2"), "line 3, column 6", "there is no logical processor 2: there are 2"),
        (request("cycle = 1\nop = \"rdpmc\""), "line 3, column 6", "there is no choice `rdpmc` here"),
        (request("cycle = 1\nop = \"rdmsr\""), "line 1", "rdmsr needs a `register`"),
        (request("cycle = 1\nop = \"wrmsr\"\nregister = 16"), "line 1", "wrmsr needs a `value`"),
        (request("cycle = 1\nregister = 16"), "line 3, column 12", "rdtsc has no `register`"),
        (request("cycle = 1\nvalue = 16"), "line 3, column 9", "rdtsc writes no `value`"),
        (request("cycle = 1\nop = \"rdmsr\"\nregister = \"TSC\""), "line 4, column 12", "there is no register `TSC`"),
        (request("cycle = 1\ncpl = 4"), "line 3, column 7", "a number from 0 to 3"),
        (request("cycle = 1\nmode = \"long\""), "line 3, column 8", "there is no choice `long` here"),
    ];
    for (text, place, what) in cases {
        let message = refused(&text).to_string();
        assert!(message.starts_with("s.toml, line ") && message.contains(place) && message.contains(what), "{message}");
    }
    let help = |text: &str| refused(text).help().unwrap().to_string();
    assert_eq!(help("[straps]\nmax_ration = 3"), "did you mean `max_ratio`?");
    assert_eq!(help("[[request]]\ncycle = 1\nop = \"rdtcs\""), "did you mean `rdtsc`?");
    assert_eq!(Session::parse("", "").unwrap(), Session::default());
}

/// What is wrong with the unit is said in one message.
#[test]
fn units_sessions_and_options_have_to_fit() {
    let said = |session: &str, args: &[&str]| {
        let output = Bench::new(&plain(3), session).command(args).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        stderr.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = said("", &["--unit", "tac"]);
    assert!(text.contains("there is no unit `tac`; there are `lwp`, `tsc`"), "{text}");
    let text = said("[clock]\nbus_period = 1\n", &[]);
    assert!(
        text.contains("is one of the unit `tsc`, and this run is of `lwp`") && text.contains("`--unit tsc`"),
        "{text}"
    );
    let text = said("[consumer]\nmode = \"never\"\n", &["--unit", "tsc"]);
    assert!(
        text.contains("is one of the unit `lwp`, and this run is of `tsc`") && text.contains("`--unit lwp`"),
        "{text}"
    );
    let text = said("[clocks]\n", &["--unit", "tsc"]);
    assert!(text.contains("unknown field `clocks`") && text.contains("did you mean `clock`?"), "{text}");
    let text = said("", &["--unit", "tsc", "--dump-lwpcb", "x"]);
    assert!(text.contains("the unit `tsc` has no --dump-lwpcb: it is an option of `lwp`"), "{text}");
}

/// Assertions, waves and RTL alone.
#[test]
fn the_traced_build_runs() {
    let bench = Bench::new(&plain(3000), "");
    unit_run("tsc", &bench, &["--assertions"]);
    for engine in ["lockstep", "rtl"] {
        unit_run("tsc", &bench, &["--engine", engine, "--waves", "waves.fst"]);
        assert!(fs::metadata(bench.path("waves.fst")).unwrap().len() > 1000);
    }
}
