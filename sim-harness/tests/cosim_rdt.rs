//! `lwp-sim cosim --unit rdt`: samples that a reader can follow, a plain count of the accesses of a trace, engines that agree on every shipped
//! session, sessions that are refused.

use crate::cosim_bench::{Bench, UnitDone, unit_engines, unit_run};
use serde_json::{Value, json};
use std::fs;

/// The unit on the three engines, an instruction per cycle.
fn run_engines(trace: &str, session: &str) -> UnitDone {
    unit_engines("rdt", trace, session, &["--cpi", "1"])
}

/// An instruction of one line of code with these loads and stores.
fn instruction(ip: u64, loads: &[u64], stores: &[u64]) -> String {
    let list = |addresses: &[u64]| -> Vec<Value> {
        addresses.iter().map(|addr| json!({"addr": format!("{addr:#x}"), "size": 8})).collect()
    };
    let mut line = json!({"ip": format!("{ip:#x}"), "length": 4});
    if !loads.is_empty() {
        line["loads"] = list(loads).into();
    }
    if !stores.is_empty() {
        line["stores"] = list(stores).into();
    }
    line.to_string() + "\n"
}

/// A program that loads and stores in `bytes` of memory, with a code of `code` bytes.
fn program(instructions: u64, code: u64, bytes: u64) -> String {
    let mut state = 1_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
        (state >> 33) % below
    };
    let one = |number: u64| {
        let ip = 0x40_1000 + 4 * number % code;
        let mut some = |chance: u64| if random(4) < chance { vec![0x10_0000 + random(bytes)] } else { vec![] };
        instruction(ip, &some(2), &some(1))
    };
    (0..instructions).map(one).collect()
}

/// The sample of an RMID that was read last.
fn last(done: &UnitDone, rmid: u64) -> &Value {
    done.records.iter().rfind(|record| record["rmid"] == rmid).unwrap_or_else(|| panic!("no sample of {rmid}"))
}

/// The summary of an RMID.
fn summary(done: &UnitDone, rmid: u64) -> &Value {
    let rmids = done.json["rmids"].as_array().unwrap();
    rmids.iter().find(|of| of["rmid"] == rmid).unwrap_or_else(|| panic!("no RMID {rmid} in {rmids:?}"))
}

// RDTM-02, RDTM-03, RDTM-06, RDTM-28, RDTM-36: each access of four instructions, and what is read behind them
#[test]
fn a_sample_by_hand() {
    // A line of code, three lines of data, one of which is written, and one twice.
    let trace = [
        instruction(0x1000, &[0x2000], &[]),
        instruction(0x1004, &[0x203C], &[0x3000]),
        instruction(0x1008, &[0x2000], &[]),
        instruction(0x100C, &[], &[]),
    ];
    let done = run_engines(&trace.concat(), "[[program]]\nrmid = 2\nclass = 1\n");
    assert_eq!(done.records.len(), 1, "the last one");
    let record = &done.records[0];
    let expected =
        json!({"cycle": record["cycle"], "rmid": 2, "lines": 4, "total_bytes": 256, "local_bytes": 256, "class": 1});
    assert_eq!(*record, expected);
    // 203CH to 2043H are two lines: one that is there, and one that is not.
    let of = summary(&done, 2);
    let counts = ["accesses", "l2_hits", "l3_hits", "misses"].map(|key| of[key].as_u64().unwrap());
    assert_eq!(counts, [6, 2, 0, 4]);
    assert_eq!(done.json["instructions"], 4);
}

/// What a plain walk over a trace accesses: the lines of code that change, and the lines of data.
fn plain_accesses(trace: &str) -> u64 {
    let (mut fetched, mut count) = (None, 0);
    let number = |value: &Value| u64::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
    for line in trace.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let code = number(&line["ip"]) / 64;
        count += u64::from(fetched != Some(code));
        fetched = Some(code);
        for access in ["loads", "stores"].into_iter().filter_map(|key| line[key].as_array()).flatten() {
            let addr = number(&access["addr"]);
            count += (addr + 7) / 64 - addr / 64 + 1;
        }
    }
    count
}

// RDTM-11, RDTM-36, RDTA-02: what a program accesses, what of it a small and a large part of the cache hold
#[test]
fn a_small_part_of_the_cache_holds_less() {
    let trace = program(6000, 512, 0x2000);
    let session = |mask: u64| {
        format!(
            "[cache]\nsets = 16\nways = 16\n[l2]\nsets = 2\nways = 1\n[[program]]\nrmid = 1\nclass = 1\n\
             [[class]]\n[[class]]\nl3_mask = {mask}\n[[sample]]\nevery = 2000\n"
        )
    };
    let runs = [0xFFFF, 0xF].map(|mask| run_engines(&trace, &session(mask)));
    for (done, most) in runs.iter().zip([256, 64]) {
        let of = summary(done, 1);
        let [accesses, l2, l3, misses] =
            ["accesses", "l2_hits", "l3_hits", "misses"].map(|key| of[key].as_u64().unwrap());
        assert_eq!((accesses, accesses), (plain_accesses(&trace), l2 + l3 + misses));
        assert!(done.records.len() > 20 && l3 > 0 && misses > 100, "{of}");
        for record in &done.records {
            assert!(record["lines"].as_u64().unwrap() <= most, "{record}");
        }
        // Each miss reads a line; what was written is written back, unless it is still there.
        let bytes = last(done, 1)["total_bytes"].as_u64().unwrap();
        assert!(bytes >= 64 * misses && bytes <= 128 * misses, "{bytes} of {misses}");
    }
    let misses = runs.map(|done| summary(&done, 1)["misses"].as_u64().unwrap());
    assert!(misses[0] * 2 < misses[1], "{misses:?}");
}

// RDTM-10, RDTM-26, RDTM-32, RDTM-33, RDTA-23: a context switch, power and no data, each in the samples
#[test]
fn events_show_in_the_samples() {
    let session = "[[program]]\nrmid = 1\nclass = 1\n[memory]\nremote = [0]\n\
        [[event]]\nat = 6000\nprogram = 0\nrmid = 2\nclass = 2\n\
        [[event]]\nat = 12000\nunavailable = true\nfor = 1000\n\
        [[event]]\nat = 15000\nl3_power = 0\n[[event]]\nat = 17000\nl3_power = 4\n\
        [[event]]\nat = 17500\nsmi = true\nfor = 100\n[[sample]]\nevery = 500\n";
    let done = run_engines(&program(3000, 512, 0x1000), session);
    let of = |rmid: u64, from: u64, to: u64| -> Vec<&Value> {
        let within =
            |record: &&Value| record["rmid"] == rmid && (from..to).contains(&record["cycle"].as_u64().unwrap());
        let found: Vec<&Value> = done.records.iter().filter(within).collect();
        assert!(found.len() > 1, "RMID {rmid}, {from} to {to}");
        found
    };
    assert!(of(1, 1000, 6000).iter().all(|record| record["lines"].as_u64() > Some(0) && record["local_bytes"] == 0));
    assert!(of(2, 1000, 6000).iter().all(|record| record["lines"] == 0 && record["total_bytes"] == 0));
    // RMID 1 keeps its lines until they are replaced, and moves nothing but what is written back.
    assert!(of(2, 7000, 12000).iter().all(|record| record["lines"].as_u64() > Some(0) && record["class"] == 2));
    assert!(of(1, 12_000, 13_000).iter().all(|record| record["lines"] == "unavailable"));
    assert!(of(1, 13000, 15000).iter().all(|record| record["lines"].is_u64()));
    for rmid in [1, 2] {
        assert!(of(rmid, 15700, 17000).iter().all(|record| record["lines"] == 0), "{:?}", of(rmid, 15700, 17000));
    }
    assert!(of(2, 18500, 20000).iter().all(|record| record["lines"].as_u64() > Some(0)));
    assert_eq!(done.json["power_changes"], 2);
}

/// Every session that is shipped, on a program that does all that it sets up.
#[test]
fn engines_agree_on_the_shipped_sessions() {
    let trace = program(16_000, 0x2000, 0x8000);
    let mut sessions = vec!["sessions/rdt.toml".into()];
    sessions.extend(fs::read_dir("sessions/rdt").unwrap().map(|entry| entry.unwrap().path()));
    for path in sessions {
        let session = fs::read_to_string(&path).unwrap();
        let done = run_engines(&trace, &session);
        assert_eq!(done.json["events_left"], 0, "{}", path.display());
        assert!(done.records.len() > 10, "{}", path.display());
        let met = done.json["situations"].as_object().unwrap();
        assert!(met["miss that fills"].as_u64() > Some(100), "{}: {met:?}", path.display());
    }
}

/// Every situation is met by the shipped sessions together.
#[test]
fn every_situation_is_met() {
    let trace = program(6000, 0x2000, 0x8000);
    let mut never: Vec<String> = Vec::new();
    for (number, name) in ["rdt.toml", "rdt/power.toml", "rdt/direct.toml", "rdt/code.toml"].into_iter().enumerate() {
        let session = fs::read_to_string(format!("sessions/{name}")).unwrap();
        let done = unit_run("rdt", &Bench::new(&trace, &session), &[]);
        let met = done.json["situations"].as_object().unwrap();
        let zero: Vec<String> = met.iter().filter(|(_, count)| **count == 0).map(|(name, _)| name.clone()).collect();
        never = if number == 0 { zero } else { never.into_iter().filter(|name| zero.contains(name)).collect() };
    }
    // The operating system asks for nothing that is refused: sessions check that.
    assert_eq!(never, ["request refused"]);
}

#[test]
fn a_session_that_makes_no_sense_points_at_its_line() {
    for (session, said) in [
        ("seed = 1\n[cashe]\nsets = 8", "unknown field `cashe`"),
        ("[cache]\nsets = 128", "line 2, column 8: no build has a cache of 128 sets: the builds have up to 8, 64"),
        ("[[class]]\nl3_mask = 0x5", "line 2, column 11: IA32_L3_MASK_n: bits"),
        ("[[program]]\nrmid = 9", "line 2, column 8: there is no RMID 9"),
        ("sink = \"bus\"", "is one of the unit `trace`, and this run is of `rdt`"),
    ] {
        let output = Bench::new("", session).command(&["--unit", "rdt"]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).replace('│', " ");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.code() == Some(2) && text.contains(said) && text.contains("session.toml"), "{text}");
    }
}
