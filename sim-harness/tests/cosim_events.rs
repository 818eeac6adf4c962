//! Which instructions count and what their records say, predicted by hand.

use crate::cosim_bench::{loading, predictable};

fn session(event: u32, interval: u32, more: &str) -> String {
    format!("[lwpcb]\n{more}\n[[lwpcb.event]]\nid = {event}\ninterval = {interval}\n")
}

fn branch(ip: u64, kind: &str, taken: bool, next: u64, predicted: &str) -> String {
    let branch = format!("\"kind\":\"{kind}\",\"taken\":{taken},\"next\":\"{next:#x}\",\"predicted\":{predicted}");
    format!("{{\"ip\":\"{ip:#x}\",\"branch\":{{{branch}}}}}\n")
}

#[test]
fn misses_pass_both_filters() {
    let misses = [(0x7000, 31, 3), (0x7040, 32, 3), (0x7080, 200, 1), (0x70c0, 200, 3), (0x7100, 500, 0)];
    let trace: String = misses.iter().enumerate().map(|(at, miss)| loading(0x40_1000 + at as u64, &[*miss])).collect();
    // At least 2 * 16 cycles, and from DRAM: the first is too short, the third from the local L3, the last from nowhere.
    let done = predictable(&trace, &session(3, 1, "min_latency = 2\nclf = true\nram = true"));
    assert_eq!(done.column("ip"), [0x40_1001, 0x40_1003]);
    assert_eq!(done.column("data"), [32, 200]);
    assert_eq!(done.column("address"), [0x7040, 0x70c0]);
    // Bit 28 address valid, 31:29 source 3: 0x7 in the upper four bits of the 16.
    assert_eq!(done.column("flags"), [0x7000, 0x7000]);
    // Without filters all five.
    let done = predictable(&trace, &session(3, 1, ""));
    assert_eq!(done.column("flags"), [0x7000, 0x7000, 0x3000, 0x7000, 0x1000]);
    // The level bits mean nothing without CLF.
    assert_eq!(predictable(&trace, &session(3, 1, "nbc = true")).records.len(), 5);
}

#[test]
fn the_load_that_reaches_zero_is_recorded() {
    let two = loading(0x40_1000, &[(0x7000, 100, 3), (0x8000, 50, 1)]);
    let done = predictable(&two, &session(3, 2, ""));
    assert_eq!((done.column("address"), done.column("data")), (vec![0x8000], vec![50]));
    let done = predictable(&two, &session(3, 1, ""));
    assert_eq!(done.column("address"), [0x7000], "the second finds the counter at zero");
    // Five loads take two partial cycles; the fourth reaches zero.
    let five: Vec<_> = (0..5).map(|index| (0x7000 + 0x40 * index, 100, 3)).collect();
    let done = predictable(&loading(0x40_1000, &five), &session(3, 4, ""));
    assert_eq!(done.column("address"), [0x70c0]);
    assert_eq!(done.number("instructions"), 1);
    // Of interval 100 five are taken off.
    let done = predictable(&loading(0x40_1000, &five), &session(3, 100, ""));
    assert_eq!(done.lwpcb[44..48], 95u32.to_le_bytes());
}

#[test]
fn hits_and_unknown_addresses() {
    let trace = "{\"ip\":\"0x401000\",\"loads\":[{\"addr\":\"0x7000\"},{\"miss\":true,\"latency\":20,\"source\":7}]}\n";
    let done = predictable(trace, &session(3, 1, ""));
    // Source 7 in 31:29, and no address.
    assert_eq!((done.column("flags"), done.column("address")), (vec![0xe000], vec![0]));
    let straps = "[straps]\naddress_policy = \"none\"\ncore_id = 9\n";
    let trace = loading(0x40_1000, &[(0x7000, 20, 7)]);
    let done = predictable(&trace, &(session(3, 1, "") + straps));
    assert_eq!((done.column("flags"), done.column("address"), done.column("core")), (vec![0xe000], vec![0], vec![9]));
}

// LWP-BRN-09, LWP-BRN-10, LWP-BRN-12
#[test]
fn branch_records_say_taken_and_predicted() {
    let trace = [
        branch(0x40_1000, "jcc", true, 0x40_2000, "true"),
        branch(0x40_2000, "jcc", false, 0x40_2002, "false"),
        branch(0x40_2002, "jmp", true, 0x40_3000, "null"),
        branch(0x40_3000, "call", true, 0x40_4000, "false"),
        branch(0x40_4000, "ret", true, 0x40_3005, "false"),
        branch(0x40_3005, "system", true, 0x40_3007, "true"),
    ]
    .concat();
    let done = predictable(&trace, &session(2, 1, ""));
    assert_eq!(
        done.column("ip"),
        [0x40_1000, 0x40_2000, 0x40_2002, 0x40_3000, 0x40_4000],
        "a system call is no branch"
    );
    assert_eq!(done.column("address"), [0x40_2000, 0x40_2002, 0x40_3000, 0x40_4000, 0x40_3005]);
    // Bit 29 prediction known, 30 correct (direct jumps and calls always), 31 taken.
    assert_eq!(done.column("flags"), [0xe000, 0x2000, 0x8000, 0xe000, 0xa000]);
    assert_eq!(done.number("records/branches_retired"), 5);
    assert_eq!((done.number("front_end/branches"), done.number("front_end/mispredicted")), (5, 3));
    let done = predictable(&trace, &session(2, 1, "ndb = true"));
    assert_eq!(done.column("ip"), [0x40_1000, 0x40_2000, 0x40_3000, 0x40_4000], "no direct jumps, but direct calls");
}

#[test]
fn only_ring_3_outside_smm_counts() {
    let trace = r#"{"ip":"0x401000"}
{"ip":"0xffff800000001000","cpl":0}
{"ip":"0xffff800000001004","cpl":0}
{"ip":"0x401004"}
{"ip":"0x8000","smm":true}
{"ip":"0x401008","cpl":1}
{"ip":"0x40100c"}
"#;
    let done = predictable(trace, &session(1, 1, ""));
    assert_eq!(done.column("ip"), [0x40_1000, 0x40_1004, 0x40_100c]);
    assert_eq!((done.number("instructions_ring3"), done.number("instructions_outside_ring3")), (3, 4));
    // The last instruction in the kernel: SLWPCB still comes from ring 3, and the block is flushed.
    let done = predictable("{\"ip\":\"0x401000\"}\n{\"ip\":\"0x1000\",\"cpl\":0}\n", &session(1, 2, ""));
    assert_eq!(done.lwpcb[44..48], 1u32.to_le_bytes());
}

#[test]
fn several_events_expire_at_one_instruction() {
    // Slot order decides: slot 0 has the branches. The instruction event stays at zero and is taken with the next one.
    let text = "[lwpcb]\n[[lwpcb.event]]\nid = 2\ninterval = 1\n[[lwpcb.event]]\nid = 1\ninterval = 1\n";
    let trace = branch(0x40_1000, "jmp", true, 0x40_2000, "null") + "{\"ip\":\"0x402000\"}\n";
    let done = predictable(&trace, text);
    assert_eq!(done.column("event_id"), [2, 1]);
    assert_eq!(done.column("ip"), [0x40_1000, 0x40_2000]);
}
