//! Straps of the DCache-miss event: who measures latencies, and how an address comes into a record.

use crate::cosim_bench::{Bench, Done, loading, misses, mixed};
use sim_harness::tier::Tier;
use std::fmt::Write;

/// A ring of 64 records that counts misses.
fn session(interval: u32, straps: &str) -> String {
    format!("[straps]\n{straps}\n[lwpcb]\nbuffer_size = 2048\n[[lwpcb.event]]\nid = 3\ninterval = {interval}\n")
}

/// Misses with room between them, on all engines.
fn spaced(trace: &str, text: &str) -> Done {
    Bench::new(trace, text).run_engines(&["--cpi", "500"])
}

/// Numbers of the instructions of [`misses`] that were recorded.
fn numbers(done: &Done) -> Vec<u64> {
    done.column("ip").iter().map(|ip| (ip - 0x40_1000) / 4).collect()
}

/// Whether every record says of its miss what the trace says, with an address.
fn is_exact(done: &Done) -> bool {
    done.records.iter().zip(numbers(done)).all(|(record, number)| {
        // Bit 28 address valid, bits 31:29 source 3.
        let said = ["data", "address", "flags"].map(|key| record[key].as_u64().unwrap());
        said == [100 + number, 0x7000 + 0x40 * number, 0x7000]
    })
}

// LWP-LAT-02: the unit measures what the trace says, to the cycle; or in steps of 16, whose periods start with the load
// or run freely.
#[test]
fn the_buffer_measures_latencies() {
    let straps = "latency_source = \"buffer\"\n";
    let exact = spaced(&misses(30), &session(1, straps));
    assert_eq!((numbers(&exact), is_exact(&exact)), ((0..30).collect(), true));
    let rounded = spaced(&misses(30), &session(1, &(straps.to_owned() + "latency_step = 16")));
    assert_eq!(rounded.column("data"), (100..130).map(|latency| latency / 16 * 16).collect::<Vec<u64>>());
    let free = straps.to_owned() + "latency_step = 16\nlatency_phase = \"free-running\"";
    let free = spaced(&misses(30), &session(1, &free)).column("data");
    assert!(free.iter().zip(100..).all(|(&data, latency)| data % 16 == 0 && data.abs_diff(latency) < 16), "{free:?}");
    assert!(free.iter().zip(100..).any(|(&data, latency)| data > latency), "they may be too long as well");
}

#[test]
fn loads_in_parts_take_an_entry_each() {
    let loads: Vec<_> = (0..11).map(|number| (0x7000 + 0x40 * number, 40 + 10 * number as u32, 3)).collect();
    for which in 1..=11_u64 {
        let trace = loading(0x40_1000, &loads);
        let text = session(1, "latency_source = \"buffer\"").replace("interval = 1", &format!("interval = {which}"));
        let done = spaced(&trace, &text);
        assert_eq!(done.column("data"), [30 + 10 * which]);
        assert_eq!(done.column("address"), [0x7000 + 0x40 * (which - 1)]);
    }
}

// LWP-ADR-03, LWP-GAT-13: the miss that brings the counter to zero is not reported, the next one is.
#[test]
fn the_next_load_has_the_address() {
    let done = spaced(&misses(30), &session(2, "address_policy = \"next\""));
    assert_eq!((numbers(&done), is_exact(&done)), ((2..30).step_by(3).collect(), true));
    // The core keeps addresses only while the unit asks for them: of two loads that retire in one cycle the second, which is
    // recorded, was executed before.
    let two = loading(0x40_1000, &[(0x7000, 100, 3), (0x8000, 50, 1)]);
    let done = spaced(&two, &session(1, "address_policy = \"next\""));
    assert_eq!((done.column("data"), done.column("address")), (vec![50], vec![0]));
    assert_eq!(done.column("flags"), [0x2000], "no address, source 1");
}

// LWP-ADR-06, LWP-ADR-07, LWP-ADR-10: tagged when its data returns, recorded when it retires, and no further miss.
#[test]
fn the_replayed_load_has_the_address() {
    for source in ["core", "buffer"] {
        let straps = format!("address_policy = \"replay\"\nlatency_source = \"{source}\"");
        let done = spaced(&misses(30), &session(2, &straps));
        assert_eq!((numbers(&done), is_exact(&done)), ((2..30).step_by(3).collect(), true), "{source}");
        // A load of a partial cycle.
        let loads: Vec<_> = (0..5).map(|number| (0x9000 + 0x40 * number, 60, 1)).collect();
        let trace = misses(2) + &loading(0x40_2000, &loads);
        let done = spaced(&trace, &session(2, &straps));
        assert_eq!((done.column("ip"), done.column("address")), (vec![0x40_2000], vec![0x9000]), "{source}");
    }
}

// LWP-ADR-11, LWP-GAT-09: the counter stays at zero, and the next eligible load is tagged.
#[test]
fn an_aborted_replay_is_no_record() {
    let text = |chance: &str| session(2, "address_policy = \"replay\"") + &format!("[core]\nreplay_abort = {chance}\n");
    let never = spaced(&misses(30), &text("1.0"));
    assert_eq!((never.records.len(), &never.lwpcb[44..48]), (0, &[0u8; 4][..]));
    let some = spaced(&misses(60), &text("0.5"));
    let gaps: Vec<u64> = numbers(&some).windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(is_exact(&some) && gaps.iter().all(|gap| *gap >= 3) && gaps.iter().any(|gap| *gap > 3), "{gaps:?}");
}

// LWP-GAT-12: what is recorded in place of the miss that brought the counter to zero passes the filters too.
#[test]
fn only_eligible_loads_are_next() {
    let mut trace = String::new();
    for number in 0..40 {
        let latency = if number % 2 == 0 { 20 } else { 90 };
        let _ = write!(trace, "{}", loading(0x40_1000 + 4 * number, &[(0x7000, latency, 3)]));
    }
    for straps in ["address_policy = \"next\"", "address_policy = \"replay\"", "gather_target = \"next\""] {
        let done = spaced(&trace, &session(3, straps).replace("2048", "2048\nmin_latency = 5"));
        // Every fourth of the odd ones.
        assert_eq!(numbers(&done), [7, 15, 23, 31, 39], "{straps}");
    }
}

#[test]
fn at_full_speed_nothing_hangs_and_records_are_true() {
    let instructions = Tier::get().pick(1000, 3000, 10_000);
    for address in ["same", "next", "replay", "none"] {
        for more in [
            "",
            "store_timing = \"sync\"\nfault_policy = \"fault\"",
            "fault_policy = \"trap+pending\"",
            "gather_policy = \"all\"",
        ] {
            let straps = format!("address_policy = \"{address}\"\nlatency_source = \"buffer\"\n{more}");
            let memory = "[memory]\nlatency = [1, 9]\nstall = 0.2\nfault = 0.02\n[core]\nreplay_abort = 0.1\n";
            let done = Bench::new(&misses(600), &(session(4, &straps) + memory)).run_engines(&[]);
            assert_eq!(done.number("instructions"), 600);
            assert!(done.records.len() >= 30, "{straps}: {}", done.records.len());
            for (record, number) in done.records.iter().zip(numbers(&done)) {
                assert_eq!(record["data"].as_u64(), Some(100 + number), "{straps}");
                let known = record["flags"].as_u64().unwrap() & 0x1000 != 0;
                assert_eq!(
                    record["address"].as_u64(),
                    Some(if known { 0x7000 + 0x40 * number } else { 0 }),
                    "{straps}"
                );
            }
            let done = Bench::new(&mixed(instructions), &(session(4, &straps) + memory)).run_engines(&[]);
            assert_eq!(done.number("instructions"), instructions);
        }
    }
}
