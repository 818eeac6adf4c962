//! Straps that the core notices at its retire port: groups that are cut, instructions that are undone, traps while it stalls,
//! and ring 3 that must not be left.

use crate::cosim_bench::{Bench, Done, misses, mixed, plain};

/// A ring of 64 records, and one event.
fn session(event: u32, interval: u32, straps: &str) -> String {
    format!("[straps]\n{straps}\n[lwpcb]\nbuffer_size = 2048\n[[lwpcb.event]]\nid = {event}\ninterval = {interval}\n")
}

/// Every `step`-th of the instructions of [`plain`], beginning with number `first`.
fn ips(first: u64, step: u64, count: usize) -> Vec<u64> {
    (first..).step_by(step as usize).map(|number| 0x40_1000 + 4 * number).take(count).collect()
}

/// Records, block and ring.
fn left(done: &Done) -> (&[serde_json::Value], &[u8], &[u8]) {
    (&done.records, &done.lwpcb, &done.buffer)
}

// LWP-STO-11: done with the retiring instruction, whatever the memory; nothing is counted twice, nothing is left out.
#[test]
fn a_synchronous_store_gives_every_record_at_full_speed() {
    for memory in ["", "[memory]\nlatency = [1, 30]\nstall = 0.4\n"] {
        let bench = Bench::new(&plain(100), &(session(1, 3, "store_timing = \"sync\"") + memory));
        for lanes in ["1", "2", "3", "4"] {
            let done = bench.run_engines(&["--retire-lanes", lanes]);
            assert_eq!(done.column("ip"), ips(2, 3, 33), "{lanes} lanes");
            assert_eq!((done.number("instructions"), done.number("instructions_ring3")), (100, 100));
        }
    }
    // Without it the unit is busy with one record while others expire.
    let done = Bench::new(&plain(100), &session(1, 3, "")).run_engines(&[]);
    assert!(done.records.len() < 33);
}

#[test]
fn synchronous_stores_do_not_depend_on_lanes() {
    let more =
        "random = 3\nthreshold = 640\n[[lwpcb.event]]\nid = 3\ninterval = 5\n[[lwpcb.event]]\nid = 2\ninterval = 9\n";
    for straps in [
        "store_timing = \"sync\"",
        "store_timing = \"sync\"\ngather_policy = \"all\"\none_per_instr = false",
        "store_timing = \"sync\"\ngather_policy = \"all\"\ncollision = \"discard\"\ngather_select = \"rotating\"",
        "store_timing = \"sync\"\ngather_target = \"next\"\nmissed_mode = \"cached\"",
        "store_timing = \"sync\"\nwrite_on_full = \"skip\"\nhead_flush = \"deferred\"\ntail_reread = \"lazy\"",
    ] {
        for consumer in ["never", "interrupt"] {
            let text = session(1, 16, straps).replace("buffer_size = 2048\n", &format!("buffer_size = 2048\n{more}"));
            let text = text + &format!("[consumer]\nmode = \"{consumer}\"\n[memory]\nlatency = [1, 9]\nstall = 0.2\n");
            let bench = Bench::new(&mixed(4000), &text);
            let one = bench.run_engines(&["--retire-lanes", "1"]);
            let four = bench.run_engines(&["--retire-lanes", "4"]);
            assert_eq!(left(&one), left(&four), "{text}");
            assert_eq!(one.number("instructions"), 4000);
            assert!(one.number("records/total") > 60, "{}", one.json);
        }
    }
}

const FAULT: &str = "store_timing = \"sync\"\nfault_policy = \"fault\"";

// LWP-FLT-03, LWP-FLT-04: the instruction is undone, executed again, and recorded then.
#[test]
fn an_undone_instruction_is_executed_again() {
    for fault in ["0", "0.02", "0.2"] {
        let bench = Bench::new(&plain(150), &format!("{}[memory]\nfault = {fault}\n", session(1, 3, FAULT)));
        for lanes in ["1", "4"] {
            let done = bench.run_engines(&["--retire-lanes", lanes]);
            assert_eq!(done.column("ip"), ips(2, 3, 50), "fault {fault}, {lanes} lanes");
            assert_eq!((done.number("instructions"), done.number("missed")), (150, 0), "each is counted once");
            assert_eq!(done.number("page_faults") > 0, fault != "0");
        }
    }
}

// LWP-FLT-05: executed again, the load hits; the counter is back at 1, and a later miss is recorded.
#[test]
fn an_undone_miss_does_not_recur() {
    let bench = Bench::new(&misses(60), &format!("{}[memory]\nfault = 0.1\nseed = 4\n", session(3, 1, FAULT)));
    let one = bench.run_engines(&["--retire-lanes", "1"]);
    assert_eq!((one.number("instructions"), one.number("missed")), (60, 0));
    let recorded = one.column("ip");
    assert!(recorded.len() < 60 && recorded.len() > 10, "{}", one.json);
    assert!(recorded.is_sorted() && recorded.windows(2).all(|pair| pair[0] < pair[1]), "none twice");
    // What a record says belongs to one miss: latency 100 + n at 0x401000 + 4 n.
    assert!(one.records.iter().all(|record| {
        let number = (record["ip"].as_u64().unwrap() - 0x40_1000) / 4;
        (record["data"].as_u64(), record["address"].as_u64()) == (Some(100 + number), Some(0x7000 + 0x40 * number))
    }));
    // An interval that never ends counts every miss once, those of more than one cycle too.
    let bench = Bench::new(&mixed(3000), &session(3, 1_000_000, FAULT));
    let calm = bench.run_engines(&[]);
    assert_eq!(calm.lwpcb[44..48], (1_000_000 - calm.number("front_end/misses") as u32).to_le_bytes());
}

// LWP-FLT-07: the record is stored before the next instruction retires, however often that faults.
#[test]
fn a_pending_record_is_stored_after_the_fault() {
    let text =
        |policy: &str| format!("{}[memory]\nfault = 0.1\n", session(1, 3, &format!("fault_policy = \"{policy}\"")));
    let done = Bench::new(&plain(90), &text("trap+pending")).run_engines(&["--cpi", "500"]);
    assert_eq!(done.column("ip"), ips(2, 3, 30));
    assert!(done.number("page_faults") > 10);
    // With trap those records are dropped.
    let done = Bench::new(&plain(90), &text("trap")).run_engines(&["--cpi", "500"]);
    assert!(done.records.len() < 30 && done.column("ip") != ips(2, 3, done.records.len()));
}

/// User code that records every instruction, and one in the kernel after each.
fn excursions(count: u64) -> String {
    let both =
        |at: u64| format!("{{\"ip\":\"{:#x}\"}}\n{{\"ip\":\"0xffff800000001000\",\"cpl\":0}}\n", 0x40_1000 + 4 * at);
    (0..count).map(both).collect()
}

// LWP-STO-15: discard, drain and hold.
#[test]
fn what_leaving_ring_3_does_to_a_record() {
    let run = |policy: &str, trace: &str, more: &str| {
        let text = session(1, 1, &format!("leave_policy = \"{policy}\"")) + more;
        Bench::new(trace, &text).run_engines(&[])
    };
    // The core waits for the store, and retires nothing meanwhile.
    let done = run("drain", &excursions(30), "");
    assert_eq!((done.column("ip"), done.number("instructions_ring3")), (ips(0, 1, 30), 30));
    let slow = "[memory]\nlatency = [1, 50]\nstall = 0.3\nfault = 0.01\n";
    assert!(run("drain", &excursions(30), slow).number("records/total") >= 20, "a page fault ends the wait");
    // Nothing is stored in the few cycles of ring 3; what the last instruction left goes with the next kernel instruction.
    assert_eq!(run("discard", &excursions(30), "").column("ip"), [0u64; 0]);
    // The record of the first instruction waits for the program to come back, and is there at the end.
    assert_eq!(run("hold", &excursions(30), "").column("ip"), ips(0, 1, 1));
    let back = excursions(1) + &plain(200);
    assert_eq!(run("hold", &back, "").column("ip")[0], 0x40_1000);
}

#[test]
fn an_interrupt_waits_for_the_drain() {
    let straps = "leave_policy = \"drain\"\nirq_delay = 5\ngather_policy = \"all\"";
    let text =
        session(1, 1, straps).replace("2048\n", "2048\nthreshold = 320\n[[lwpcb.event]]\nid = 2\ninterval = 1\n");
    let done = Bench::new(&mixed(2000), &(text + "[consumer]\nmode = \"interrupt\"\n")).run_engines(&[]);
    assert!(done.number("interrupts") > 3, "{}", done.json);
    assert_eq!((done.number("instructions"), done.number("missed")), (2000, 0));
}

#[test]
fn the_run_waits_for_a_late_interrupt() {
    // The third and last record reaches the threshold; the handler takes them 255 cycles later, before SLWPCB.
    let text = session(1, 1, "irq_delay = 255").replace("2048\n", "2048\nthreshold = 96\n");
    let done = Bench::new(&plain(3), &(text + "[consumer]\nmode = \"interrupt\"\n")).run_engines(&["--cpi", "100"]);
    assert_eq!(done.number("interrupts"), 1);
    assert_eq!(done.lwpcb[16..24], [96, 0, 0, 0, 96, 0, 0, 0]);
}
