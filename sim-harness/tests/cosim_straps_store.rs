//! Straps of gather, store and reset, and what they do to memory. With 500 cycles between instructions everything is predicted.

use crate::cosim_bench::{Bench, Done, plain, predictable};

/// A ring of this many bytes, one event.
fn session(size: u32, interval: u32, straps: &str) -> String {
    format!("[straps]\n{straps}\n[lwpcb]\nbuffer_size = {size}\n[[lwpcb.event]]\nid = 1\ninterval = {interval}\n")
}

/// What is left of two runs, but Flags, which say the same anyway.
fn same(one: &Done, other: &Done) -> bool {
    (&one.records, &one.lwpcb, &one.buffer) == (&other.records, &other.lwpcb, &other.buffer)
}

// LWP-GAT-02: the instruction after the one that brings the counter to zero.
#[test]
fn the_next_occurrence_is_recorded() {
    let done = predictable(&plain(12), &session(256, 3, "gather_target = \"next\""));
    assert_eq!(done.column("ip"), [0x40_100c, 0x40_101c, 0x40_102c]);
}

/// Jumps, each of which is an instruction and a branch.
fn jumps(count: u64) -> String {
    let jump = |at: u64| {
        let (ip, next) = (0x40_1000 + 4 * at, 0x40_1004 + 4 * at);
        let branch = format!("\"kind\":\"jcc\",\"taken\":true,\"next\":\"{next:#x}\",\"predicted\":true");
        format!("{{\"ip\":\"{ip:#x}\",\"branch\":{{{branch}}}}}\n")
    };
    (0..count).map(jump).collect()
}

// LWP-GAT-03, LWP-GAT-04, LWP-STO-09, LWP-STO-10: two events expire at the second of four jumps.
#[test]
fn records_that_meet() {
    let run = |straps: &str| {
        let text = session(256, 2, straps) + "[[lwpcb.event]]\nid = 2\ninterval = 2\n";
        let done = predictable(&jumps(4), &text);
        done.column("event_id").into_iter().zip(done.column("ip")).collect::<Vec<_>>()
    };
    let all = "gather_policy = \"all\"\none_per_instr = false";
    // One each, of the same instruction, the earlier slot first.
    assert_eq!(run(all), [(1, 0x40_1004), (2, 0x40_1004), (1, 0x40_100c), (2, 0x40_100c)]);
    // One for each instruction, of each event: the branch waits for the next jump.
    assert_eq!(run("gather_policy = \"all\""), [(1, 0x40_1004), (2, 0x40_1008), (1, 0x40_100c)]);
    // What is discarded chooses anew, too.
    assert_eq!(run(&format!("{all}\ncollision = \"discard\"")), [(1, 0x40_1004), (2, 0x40_1008), (1, 0x40_100c)]);
    assert_eq!(run(""), [(1, 0x40_1004), (2, 0x40_1008), (1, 0x40_100c)]);
}

// LWP-STO-06: the place at head is written, or it is not; what is published is the same.
#[test]
fn the_place_at_head_of_a_full_ring() {
    let write = predictable(&plain(5), &session(96, 1, ""));
    let skip = predictable(&plain(5), &session(96, 1, "write_on_full = \"skip\""));
    assert_eq!((&skip.records, &skip.lwpcb), (&write.records, &write.lwpcb));
    assert_eq!((&skip.buffer[..64], &skip.buffer[64..]), (&write.buffer[..64], &[0u8; 32][..]));
    assert_eq!(write.buffer[72..76], [0x10, 0x10, 0x40, 0], "the last of those that were missed");
}

// LWP-ACC-12, LWP-RST-09, LWP-ACC-10: in the end memory holds the same.
#[test]
fn cached_and_reread_fields_end_up_the_same() {
    let plain = plain(40);
    for interval in [1, 3] {
        let more = |straps: &str| session(192, interval, straps).replace("192\n", "192\nthreshold = 96\nrandom = 1\n");
        for consumer in ["", "[consumer]\nmode = \"interrupt\"\n"] {
            let default = predictable(&plain, &(more("") + consumer));
            for straps in [
                "missed_mode = \"cached\"",
                "interval_source = \"reread\"",
                "head_flush = \"deferred\"",
                "tail_reread = \"lazy\"",
                "head_flush = \"deferred\"\ntail_reread = \"lazy\"\nmissed_mode = \"cached\"\ninterval_source = \"reread\"",
            ] {
                let done = predictable(&plain, &(more(straps) + consumer));
                assert!(same(&done, &default), "{straps}");
                assert_eq!(done.number("interrupts"), default.number("interrupts"), "{straps}");
            }
        }
    }
}

// LWP-RST-08: the low bits come from the port; another seed gives others.
#[test]
fn random_bits_of_the_port() {
    let counters = |seed: u32| -> Vec<u8> {
        (1..20)
            .map(|count| {
                let text = session(256, 16, "entropy = \"port\"").replace("256", "2048\nrandom = 3");
                let text = text.replace("interval = 16", "interval = 16\ncounter = 1");
                // One record each: its reload is seen in the block, less the instructions after it.
                let done = Bench::new(&plain(count), &format!("{text}[memory]\nseed = {seed}\n"))
                    .run(&["--engine", "model", "--cpi", "500"]);
                assert_eq!(done.code, 0, "{}", done.stderr);
                done.lwpcb[44].wrapping_add(count as u8 - 1)
            })
            .collect()
    };
    let one = counters(1);
    assert!(one.iter().all(|counter| (16..24).contains(counter)), "{one:?}");
    assert_ne!(one[0], counters(2)[0]);
    let text = session(2048, 16, "entropy = \"port\"").replace("2048", "2048\nrandom = 4");
    assert!(predictable(&plain(400), &text).records.len() > 15);
}

#[test]
fn rotation_and_chance() {
    for select in ["rotating", "random"] {
        let text =
            session(4096, 1, &format!("gather_select = \"{select}\"")) + "[[lwpcb.event]]\nid = 2\ninterval = 1\n";
        let done = predictable(&jumps(60), &text);
        let of = |event: u64| done.column("event_id").iter().filter(|id| **id == event).count();
        assert_eq!(of(1) + of(2), 60);
        assert!(of(1) > 10 && of(2) > 10, "{select}: {} {}", of(1), of(2));
    }
}
