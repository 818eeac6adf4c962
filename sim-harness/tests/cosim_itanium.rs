//! `lwp-sim cosim --unit itanium`: counts of an IA-32 application that a reader can follow, engines that agree on every shipped session,
//! sessions that are refused.

use crate::cosim_bench::{Bench, UnitDone, unit_engines, unit_run};
use serde_json::{Value, json};
use std::fs;

/// The unit on the three engines, an instruction per cycle.
fn run_engines(trace: &str, session: &str) -> UnitDone {
    unit_engines("itanium", trace, session, &["--cpi", "1"])
}

/// An instruction with these loads and stores.
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

/// A program of which every second instruction loads, and every third stores.
fn program(instructions: u64) -> String {
    let address = |number: u64| 0x10_0000 + 24 * (number * 37 % 5000);
    let one = |number: u64| {
        let loads = if number.is_multiple_of(2) { vec![address(number)] } else { vec![] };
        let stores = if number.is_multiple_of(3) { vec![address(number + 1)] } else { vec![] };
        instruction(0x40_1000 + 4 * (number % 512), &loads, &stores)
    };
    (0..instructions).map(one).collect()
}

/// What a counter of the summary has counted.
fn count(done: &UnitDone, register: u64) -> u64 {
    let counters = done.json["counters"].as_array().unwrap();
    let counter = counters.iter().find(|counter| counter["register"] == register);
    counter.unwrap_or_else(|| panic!("no PMD[{register}] in {counters:?}"))["count"].as_u64().unwrap()
}

// Four instructions, three loads (one of them twice), one store: the default session.
#[test]
fn counts_by_hand() {
    let trace = [
        instruction(0x1000, &[0x2000], &[]),
        instruction(0x1004, &[0x2040], &[0x3000]),
        instruction(0x1008, &[], &[]),
        instruction(0x100C, &[0x2000], &[]),
    ];
    let done = run_engines(&trace.concat(), "");
    assert_eq!([4, 5, 6].map(|register| count(&done, register)), [4, 3, 1]);
    // The second instruction has two accesses and a record for each: it takes a cycle more.
    assert!(count(&done, 7) >= 5, "cycles of the application: {}", count(&done, 7));
    assert_eq!(done.records.len(), 1, "the last one");
    assert_eq!(done.records[0]["counts"].as_array().unwrap()[..3], [json!(4), json!(3), json!(1)]);
    assert_eq!((&done.records[0]["cause"], &done.records[0]["frozen"]), (&json!("end"), &json!(false)));
}

// Every 100 loads overflow, freeze and interrupt. The counter goes on from where it was set, and nothing is lost in the sum.
#[test]
fn overflows_interrupt_and_lose_nothing() {
    let session = "[[counter]]\nevent = \"loads-retired\"\ninterrupt = true\nstart = 0xffff_ff9c\n\
                   [[counter]]\nevent = \"ia32-inst-retired\"\n";
    let done = run_engines(&program(2000), session);
    let overflows: Vec<&Value> = done.records.iter().filter(|record| record["cause"] == "overflow").collect();
    assert_eq!(done.json["overflows"], overflows.len());
    // 1000 loads: the tenth overflow comes with the last load, and may meet the end.
    assert!((9..=10).contains(&overflows.len()), "{}", overflows.len());
    for record in &overflows {
        assert_eq!((&record["frozen"], &record["overflow"][0]), (&json!(true), &json!(true)), "{record}");
    }
    // The cycle in which the application is interrupted shows nothing, so that all instructions but those that retire frozen count.
    let lost = 2000 - count(&done, 5);
    assert!(lost <= overflows.len() as u64, "{lost}");
}

/// A program of data that is not counted: the instruction set does not match.
#[test]
fn an_instruction_set_that_is_left_out_counts_nothing() {
    let session = "[[counter]]\nevent = \"ia32-inst-retired\"\ncode = \"ia-64\"\n\
                   [[counter]]\nevent = \"ia32-inst-retired\"\ncode = \"ia-32\"\n\
                   [[counter]]\nevent = \"ia32-inst-retired\"\nlevels = [0]\n\
                   [[counter]]\nevent = \"ia32-inst-retired\"\nsystem = true\n[psr]\nup = true\npp = false\n";
    let done = run_engines(&program(50), session);
    assert_eq!([4, 5, 6, 7].map(|register| count(&done, register)), [0, 50, 0, 0]);
}

/// Every session that is shipped, on a program that does all that it sets up.
#[test]
fn engines_agree_on_the_shipped_sessions() {
    let trace = program(16_000);
    let mut sessions = vec!["sessions/itanium.toml".into()];
    sessions.extend(fs::read_dir("sessions/itanium").unwrap().map(|entry| entry.unwrap().path()));
    for path in sessions {
        let session = fs::read_to_string(&path).unwrap();
        let done = run_engines(&trace, &session);
        assert!(done.records.len() > 3, "{}", path.display());
        assert!(done.json["situations"]["counter counts"].as_u64() > Some(1000), "{}", path.display());
    }
}

/// Every situation but that of a program of IA-64 is met by the shipped sessions together.
#[test]
fn every_situation_is_met() {
    let trace = program(6000);
    let mut never: Vec<String> = Vec::new();
    for (number, name) in ["itanium.toml", "itanium/freeze.toml", "itanium/printed.toml"].into_iter().enumerate() {
        let session = fs::read_to_string(format!("sessions/{name}")).unwrap();
        let done = unit_run("itanium", &Bench::new(&trace, &session), &[]);
        let met = done.json["situations"].as_object().unwrap();
        let zero: Vec<String> = met.iter().filter(|(_, count)| **count == 0).map(|(name, _)| name.clone()).collect();
        never = if number == 0 { zero } else { never.into_iter().filter(|name| zero.contains(name)).collect() };
    }
    assert_eq!(never, ["bundle tagged"]);
}

#[test]
fn a_session_that_makes_no_sense_points_at_its_line() {
    for (session, said) in [
        ("bundles = 1\n[countr]\nevent = 8", "unknown field `countr`"),
        ("bundles = 4", "line 1, column 11: there is no build that fetches 4 bundles"),
        (
            "[[counter]]\nevent = \"load-retired\"",
            "line 2, column 9: there is no event `load-retired`: did you mean `loads-retired`",
        ),
        ("sink = \"bus\"", "is one of the unit `trace`, and this run is of `itanium`"),
    ] {
        let output = Bench::new("", session).command(&["--unit", "itanium"]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).replace('│', " ");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.code() == Some(2) && text.contains(said) && text.contains("session.toml"), "{text}");
    }
}
