//! Sessions that can be encoded and that hardware refuses: the program runs on, unprofiled, and every engine agrees.

use crate::cosim_bench::{Bench, plain, predictable};

const EVENT: &str = "[[lwpcb.event]]\nid = 1\ninterval = 1\n";

/// Runs ten instructions and expects no record, and LLWPCB to have answered so.
fn nothing_is_recorded(session: &str, llwpcb: &str) {
    let done = predictable(&plain(10), session);
    assert_eq!((done.number("records/total"), done.number("instructions")), (0, 10), "{session}");
    assert_eq!(done.json["operations"]["llwpcb"], llwpcb, "{session}");
    assert!(done.stderr.contains("warning: "), "{session}: {}", done.stderr);
}

#[test]
fn unusable_blocks_are_rejected_without_a_fault() {
    for keys in [
        "buffer_size = 0",
        "buffer_size = 33",
        "buffer_size = 32",
        "head = 131072",
        "tail = 131072",
        "tail = 0xffffffff",
    ] {
        nothing_is_recorded(&format!("[lwpcb]\n{keys}\n{EVENT}"), "done");
    }
    nothing_is_recorded("[lwpcb]\n[[lwpcb.event]]\nid = 40\ninterval = 1\n", "done");
    nothing_is_recorded("[lwpcb]\n", "done");
}

#[test]
fn faults_of_the_operations_are_told() {
    nothing_is_recorded(&format!("[lwpcb]\naddress = 0x1004\n{EVENT}"), "#GP(0)");
    nothing_is_recorded(&format!("[msr0]\nenabled = false\n[lwpcb]\n{EVENT}"), "#UD");
    nothing_is_recorded(&format!("[straps]\npresent = false\n[lwpcb]\n{EVENT}"), "#UD");
    nothing_is_recorded(&format!("[msr0]\nvalue = \"0xffffffffffffffff\"\n[lwpcb]\n{EVENT}"), "#UD");
}

#[test]
fn the_rejected_block_says_so() {
    let done = predictable(&plain(1), &format!("[lwpcb]\nbuffer_size = 32\n{EVENT}"));
    assert_eq!(done.lwpcb[..4], [0; 4], "Flags are zero");
}

#[test]
fn low_bits_are_ignored() {
    // A base of 0x10000010 is 0x10000000, a size of 100 is 96, a threshold of 65 is 64.
    let text = format!(
        "[lwpcb]\nbuffer_base = 0x10000010\nbuffer_size = 100\nthreshold = 65\n{EVENT}[consumer]\nmode = \"irq\"\n"
    );
    let done = predictable(&plain(4), &text);
    assert_eq!((done.number("interrupts"), done.number("missed")), (2, 0));
    assert_eq!(done.column("ip"), [0x40_1000, 0x40_1004, 0x40_1008, 0x40_100c]);
    assert_eq!(done.buffer.len(), 100);
    assert_eq!(done.buffer[8..11], [0x0c, 0x10, 0x40], "the fourth record is in the first place");
}

#[test]
fn of_two_slots_with_one_event_the_first_counts() {
    let text = "[[lwpcb.event]]\nid = 1\ninterval = 4\n[[lwpcb.event]]\nid = 1\ninterval = 1\n";
    assert_eq!(predictable(&plain(8), text).column("ip"), [0x40_100c, 0x40_101c]);
}

#[test]
fn a_memory_that_always_faults_or_never_grants_ends_in_an_error() {
    for (memory, what) in
        [("fault = 1.0", "LLWPCB still page-faults after 200000 tries"), ("stall = 1", "nothing has happened for")]
    {
        let bench = Bench::new(&plain(10), &format!("[memory]\n{memory}\n"));
        for engine in ["model", "lockstep"] {
            let done = bench.run(&["--engine", engine]);
            assert_eq!(done.code, 2, "{}", done.stderr);
            assert!(done.stderr.contains(what), "{}", done.stderr);
            assert!(
                done.json["error"].as_str().is_some_and(|error| error.contains(what)),
                "outputs are written all the same"
            );
            assert_eq!(done.lwpcb.len(), 104);
        }
    }
}
