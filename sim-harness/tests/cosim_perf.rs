//! `lwp-sim cosim --unit perf`: counts that a plain counter over the same trace confirms, samples that a reader can follow, engines that
//! agree, sessions that are refused.

use crate::cosim_bench::{UnitDone, plain, unit_engines};
use miette::Diagnostic;
use serde_json::{Value, json};
use sim_harness::perf::session::{Session, SessionError};
use std::fs;

/// The unit on the three engines.
fn run_engines(trace: &str, session: &str, args: &[&str]) -> UnitDone {
    unit_engines("perf", trace, session, args)
}

/// The values of the counters, in the order of the session.
fn values(done: &UnitDone) -> Vec<u64> {
    done.json["counters"].as_array().unwrap().iter().map(|counter| counter["value"].as_u64().unwrap()).collect()
}

/// What happens in an instruction of the test's trace.
#[derive(Clone, Copy, Default)]
struct Happens {
    system: bool,
    branch: bool,
    taken: bool,
    mispredicted: bool,
    loads: u64,
    /// Loads of which the second level does not have the line, and of which no cache has it.
    beyond: u64,
    far: u64,
}

/// A program of which each instruction says what it does. Modes alternate in runs of eight instructions.
fn program() -> Vec<Happens> {
    let one = |number: u64| {
        let (branch, loads) = (number % 3 == 1, number % 4 / 2 * (1 + number % 2));
        let missed = if number.is_multiple_of(5) { loads } else { 0 };
        Happens {
            system: number / 8 % 4 == 3,
            branch,
            taken: branch && number.is_multiple_of(2),
            mispredicted: branch && number % 7 < 3,
            loads,
            beyond: missed,
            far: if number.is_multiple_of(10) { missed } else { 0 },
        }
    };
    (0..4000).map(one).collect()
}

/// The program as an annotated retire log.
fn log(program: &[Happens]) -> String {
    let line = |(number, happens): (usize, &Happens)| {
        let ip = 0x40_1000 + 4 * number as u64;
        let mut line = json!({"ip": format!("{ip:#x}"), "cpl": if happens.system { 0 } else { 3 }});
        if happens.branch {
            let next = if happens.taken { ip + 64 } else { ip + 4 };
            line["branch"] = json!({"kind": "jcc", "taken": happens.taken, "next": format!("{next:#x}"), "predicted": !happens.mispredicted});
        }
        if happens.loads > 0 {
            let load = |number: u64| {
                let source = if number < happens.far { 3 } else { 1 };
                let mut load =
                    json!({"addr": format!("{:#x}", 0x7000 + 64 * number), "size": 8, "miss": number < happens.beyond});
                if number < happens.beyond {
                    (load["latency"], load["source"]) = (json!(40), json!(source));
                }
                load
            };
            line["loads"] = (0..happens.loads).map(load).collect();
        }
        line.to_string() + "\n"
    };
    program.iter().enumerate().map(line).collect()
}

/// What a plain counter counts of the program: the sum of something over its instructions.
fn sum(program: &[Happens], of: impl Fn(&Happens) -> u64) -> u64 {
    program.iter().map(of).sum()
}

/// Event by event, on a P6, at both levels and at each.
#[test]
fn a_plain_counter_counts_the_same() {
    let program = program();
    let trace = log(&program);
    type Of = fn(&Happens) -> u64;
    let events: [(&str, Of); 9] = [
        ("INST_RETIRED", |_| 1),
        ("BR_INST_RETIRED", |happens| happens.branch.into()),
        ("BR_MISS_PRED_RETIRED", |happens| happens.mispredicted.into()),
        ("BR_TAKEN_RETIRED", |happens| happens.taken.into()),
        ("BR_MISS_PRED_TAKEN_RET", |happens| (happens.mispredicted && happens.taken).into()),
        ("DATA_MEM_REFS", |happens| happens.loads),
        ("DCU_LINES_IN", |happens| happens.beyond),
        ("L2_LINES_IN", |happens| happens.beyond),
        ("L2_LD", |happens| happens.beyond),
    ];
    for (event, of) in events {
        let mask = if event == "L2_LD" { "unit_mask = 1\n" } else { "" };
        let session = format!(
            "[[counter]]\ngeneral = 0\nevent = \"{event}\"\n{mask}levels = \"user\"\n\
             [[counter]]\ngeneral = 1\nevent = \"{event}\"\n{mask}levels = \"system\"\n"
        );
        let done = run_engines(&trace, &session, &[]);
        let expected =
            [false, true].map(|system| sum(&program, |happens| if happens.system == system { of(happens) } else { 0 }));
        assert_eq!(values(&done), expected, "{event}");
        assert!(expected.iter().all(|count| *count > 0), "{event}: a count of nothing shows nothing");
    }
}

/// The architectural events, on general and fixed counters of a version 2 with two logical processors, of which one is halted.
#[test]
fn architectural_events_count_the_same() {
    let program = program();
    let session = "logical_processors = 2\n[straps]\npersonality = \"version 2\"\ncounters = 4\nfixed = 3\n\
        [[counter]]\ngeneral = 0\nevent = \"LLC Reference\"\n[[counter]]\ngeneral = 1\nevent = \"llc-misses\"\n\
        [[counter]]\ngeneral = 2\nevent = 0xc4\n[[counter]]\ngeneral = 3\nevent = \"Branch Misses Retired\"\n\
        [[counter]]\nfixed = 0\n[[counter]]\nlp = 1\ngeneral = 0\nevent = \"Instruction Retired\"\n";
    let done = run_engines(&log(&program), session, &[]);
    let counts: [fn(&Happens) -> u64; 5] = [
        |happens| happens.beyond,
        |happens| happens.far,
        |happens| happens.branch.into(),
        |happens| happens.mispredicted.into(),
        |_| 1,
    ];
    let expected: Vec<u64> = counts.iter().map(|of| sum(&program, of)).chain([0]).collect();
    assert_eq!(values(&done), expected);
}

/// P6-44, P6-51. One instruction per cycle, an overflow at every tenth: the request is visible in the next cycle, the latency is 3 cycles more.
#[test]
fn samples_by_hand() {
    let session =
        "[[counter]]\ngeneral = 0\nevent = \"INST_RETIRED\"\nperiod = 10\n[interrupt]\nlatency = 3\nhandler = 0\n";
    let done = run_engines(&plain(60), session, &["--retire-lanes", "1", "--cpi", "1"]);
    let columns = ["counter", "instruction", "skid", "ip", "overflow_ip"];
    let rows: Vec<Vec<Value>> =
        done.records.iter().map(|record| columns.map(|key| record[key].clone()).to_vec()).collect();
    let expected = [
        // The tenth instruction overflows; three more retire before the core takes the interrupt.
        json!(["0", 13, 3, "0x401030", "0x401024"]),
        json!(["0", 26, 3, "0x401064", "0x401058"]),
        json!(["0", 39, 3, "0x401098", "0x40108c"]),
        json!(["0", 52, 3, "0x4010cc", "0x4010c0"]),
    ];
    assert_eq!(rows, expected.map(|row| row.as_array().unwrap().clone()));
    assert_eq!(done.json["counters"][0]["overflows"], 4);
    let mut hottest: Vec<_> = done.json["hottest"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hot| [&hot["ip"], &hot["count"]].map(Value::as_u64))
        .collect();
    hottest.sort_unstable();
    let each = [0x40_1030, 0x40_1064, 0x40_1098, 0x40_10CC].map(|ip| [Some(ip), Some(1)]);
    assert_eq!(hottest, each, "the histogram of the samples");
}

/// Misses of the same trace by a counter that interrupts and by LWP: the counter's samples are instructions behind the loads that miss, as
/// many as their skid says; LWP's records are those loads.
#[test]
fn misses_are_sampled_behind_the_load_and_recorded_at_it() {
    let program: Vec<Happens> = program().into_iter().map(|happens| Happens { system: false, ..happens }).collect();
    let trace = log(&program);
    let misses = |ip: u64| program[((ip - 0x40_1000) / 4) as usize].beyond > 0;
    let one_lane = ["--retire-lanes", "1", "--cpi", "1"];
    let number = |value: &Value| match value {
        Value::String(text) => u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap(),
        value => value.as_u64().unwrap(),
    };

    let session = "[[counter]]\ngeneral = 0\nevent = \"DCU_LINES_IN\"\nperiod = 7\n[interrupt]\nlatency = 6\n";
    let samples = run_engines(&trace, session, &one_lane).records;
    assert!(samples.len() > 20, "{} samples", samples.len());
    for sample in &samples {
        let [ip, overflow, skid] = ["ip", "overflow_ip", "skid"].map(|key| number(&sample[key]));
        assert!(misses(overflow), "{sample}");
        assert_eq!((ip - overflow, skid), (4 * skid, 6), "{sample}");
    }
    let exact = samples.iter().filter(|sample| misses(number(&sample["ip"]))).count();
    assert!(exact < samples.len() / 2, "{exact} of {} samples at a load that misses", samples.len());

    let session = "[[lwpcb.event]]\nid = 3\ninterval = 7\n";
    let records = unit_engines("lwp", &trace, session, &one_lane).records;
    assert!(records.len() > 20, "{} records", records.len());
    for record in &records {
        assert!(misses(number(&record["ip"])), "{record}");
    }
}

/// The whole error: what is wrong, and the text that it points at.
fn refused(session: &str) -> (String, String) {
    let error = Session::parse("session.toml", session).unwrap_err();
    let SessionError::Invalid(_) = &error else { panic!("{error:?}") };
    let label = error.labels().and_then(|mut labels| labels.next());
    let pointed = label.map_or("", |label| &session[label.offset()..label.offset() + label.len()]);
    (error.to_string(), pointed.to_owned())
}

#[test]
fn what_cannot_be_counted_is_refused_by_name() {
    let counter = |keys: &str| format!("[[counter]]\ngeneral = 0\n{keys}\n");
    for (session, pointed, what) in [
        (counter("event = \"ITLB_MISS\""), "\"ITLB_MISS\"", "neither a trace nor the front end knows `itlb_miss`"),
        (counter("event = \"INST_RETIERD\""), "\"INST_RETIERD\"", "there is no event `INST_RETIERD` on this processor"),
        (counter("event = 0xc0\nunit_mask = 1"), "1", "event 0xc0 with unit mask 0x01 does not exist on counter 0"),
        (counter("event = \"INST_RETIRED\"\nperiod = 0"), "0", "a period is 1 to 2147483648 events"),
        (counter("event = \"INST_RETIRED\"\nany_thread = true"), "true", "any_thread needs the strap `any_thread`"),
        ("[[counter]]\ngeneral = 2\nevent = 0xc0\n".to_owned(), "2", "there is no such counter 2: the straps have 2"),
        ("[straps]\nfixed = 1\n".to_owned(), "1", "fixed needs version 2 or 3"),
        ("logical_processors = 3\n".to_owned(), "3", "there is no build with 3 logical processors"),
        ("[interrupt]\nvector = 3\n".to_owned(), "3", "vectors 0 to 15 are not delivered"),
        ("[[request]]\ninstruction = 1\nop = \"wrmsr\"\nregister = 0x186\n".to_owned(), "", "wrmsr needs a `value`"),
        (
            "[[request]]\ninstruction = 1\nop = \"rdmsr\"\nregister = \"PerfCtr7\"\n".to_owned(),
            "\"PerfCtr7\"",
            "there is no register `PerfCtr7`",
        ),
    ] {
        let (error, place) = refused(&session);
        assert!(error.contains(what), "{session}{error}");
        assert!(pointed.is_empty() || place == pointed, "{session}{error}: points at {place}");
    }
}

/// Each session that is shipped runs, and its counters count.
#[test]
fn shipped_sessions_count() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/sessions");
    let trace = log(&program());
    for name in ["perf.toml", "perf/memory.toml", "perf/version-3.toml"] {
        let session = fs::read_to_string(format!("{folder}/{name}")).unwrap();
        let done = run_engines(&trace, &session, &[]);
        assert!(
            done.json["counters"].as_array().unwrap().iter().all(|counter| counter["value"] != 0),
            "{name}: {}",
            done.json
        );
    }
}
