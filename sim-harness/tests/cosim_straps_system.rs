//! Sessions that the operating system starts, and threads that it switches.

use crate::cosim_bench::{Bench, Done, mixed, plain, predictable};
use sim_harness::tier::Tier;

fn session(more: &str, straps: &str) -> String {
    format!("[straps]\n{straps}\n[lwpcb]\nbuffer_size = 256\n{more}\n[[lwpcb.event]]\nid = 1\ninterval = 3\n")
}

const WRMSR: &str = "[system]\nstart = \"lwpmsr1\"\n";

fn same(one: &Done, other: &Done) -> bool {
    (&one.records, &one.lwpcb, &one.buffer) == (&other.records, &other.lwpcb, &other.buffer)
}

// LWP-MSR1-04: the block is loaded on the way into ring 3, and then all is as with LLWPCB.
#[test]
fn the_operating_system_starts_the_session() {
    let kernel = "{\"ip\":\"0xffff800000001000\",\"cpl\":0}\n".repeat(5);
    for trace in [plain(12), kernel.clone() + &plain(12)] {
        let started = predictable(&trace, &(session("", "") + WRMSR));
        assert!(same(&started, &predictable(&trace, &session("", ""))));
        assert_eq!(started.records.len(), 4);
        assert_eq!(started.json["operations"]["llwpcb"], "done");
    }
    // Without a single instruction in ring 3 the block is loaded for the last SLWPCB.
    let done = predictable(&kernel, &(session("", "") + WRMSR));
    assert_eq!((done.records.len(), &done.lwpcb[..4]), (0, &[3, 0, 0, 0x80][..]));
}

// LWP-LLW-11: the page fault comes in ring 3, and the block is loaded once the page is there.
#[test]
fn a_deferred_load_that_faults() {
    let text = session("", "") + WRMSR + "[memory]\nfault = 0.1\n";
    let done = Bench::new(&plain(12), &text).run_engines(&["--cpi", "500"]);
    assert!(done.number("page_faults") > 0, "{}", done.json);
    assert!(!done.records.is_empty());
    assert_eq!(done.lwpcb[..4], [3, 0, 0, 0x80]);
}

#[test]
fn a_bad_block_is_refused_late_or_at_once() {
    let done = predictable(&plain(3), &(session("head = 4096", "") + WRMSR));
    assert_eq!((done.records.len(), &done.lwpcb[..4]), (0, &[0u8; 4][..]));
    let done = predictable(&plain(3), &(session("address = 0x1004", "") + WRMSR));
    assert_eq!((done.records.len(), &done.json["operations"]["llwpcb"]), (0, &"#GP(0)".into()));
}

#[test]
fn the_low_bits_of_an_address_may_be_ignored() {
    for start in ["", WRMSR] {
        let done = predictable(&plain(12), &(session("address = 0x7fff000f", "misaligned = \"truncate\"") + start));
        assert_eq!((done.records.len(), done.lwpcb[16]), (4, 128));
    }
}

// LWP-CTX-06, LWP-CTX-12, LWP-CTX-15, LWP-CTX-16: head, counters, what MissedEvents is owed, and a record that is held
// survive; the rest comes from the block.
#[test]
fn a_switched_thread_goes_on_as_if_nothing_had_been() {
    // A record on its way would be lost without the first two of these, or a synchronous store.
    for straps in [
        "leave_policy = \"hold\"",
        "leave_policy = \"drain\"",
        "leave_policy = \"hold\"\nhead_flush = \"deferred\"\ntail_reread = \"lazy\"\ntail_nth = 3",
        "leave_policy = \"hold\"\nmissed_mode = \"cached\"",
        "leave_policy = \"hold\"\ngather_target = \"next\"",
        "store_timing = \"sync\"",
        "store_timing = \"sync\"\nhead_flush = \"deferred\"\nmissed_mode = \"cached\"\nwrite_on_full = \"skip\"",
    ] {
        let text = session("threshold = 192", straps);
        let calm = predictable(&plain(40), &text);
        for every in [150, 700, 1999] {
            let done = predictable(&plain(40), &format!("{text}[system]\nswitch_every = {every}\n"));
            assert!(same(&done, &calm), "{straps}, every {every} cycles");
            assert_eq!(done.number("missed"), calm.number("missed"));
        }
    }
}

#[test]
fn a_held_record_is_switched_with_its_thread() {
    // At one instruction a cycle a switch finds most records on their way; each comes to memory all the same.
    for straps in
        ["leave_policy = \"hold\"", "leave_policy = \"drain\"", "store_timing = \"sync\"\nleave_policy = \"hold\""]
    {
        let text =
            session("", straps).replace("256", "65536") + "[system]\nswitch_every = 200\n[memory]\nlatency = [1, 3]\n";
        let done = Bench::new(&plain(2000), &text).run_engines(&["--retire-lanes", "1"]);
        assert_eq!((done.number("instructions"), done.number("missed")), (2000, 0));
        assert!(done.records.len() > 10, "{straps}: {}", done.records.len());
        if straps.contains("sync") {
            assert_eq!(done.records.len(), 2000 / 3);
        }
    }
}

/// Everything at once: for each of these the run has to come to its end, with records of instructions that the trace has.
#[test]
fn no_straps_make_a_run_hang() {
    let sets = [
        "store_timing = \"sync\"",
        "store_timing = \"sync\"\nfault_policy = \"fault\"",
        "store_timing = \"sync\"\nfault_policy = \"fault\"\naddress_policy = \"replay\"\nlatency_source = \"buffer\"",
        "store_timing = \"sync\"\nfault_policy = \"trap+pending\"\nleave_policy = \"hold\"\nmissed_mode = \"cached\"",
        "fault_policy = \"trap+pending\"",
        "fault_policy = \"trap+pending\"\nleave_policy = \"drain\"\naddress_policy = \"replay\"",
        "fault_policy = \"nonpaged\"\nleave_policy = \"drain\"\ngather_policy = \"all\"",
        "leave_policy = \"hold\"\ngather_policy = \"all\"\none_per_instr = false\ngather_select = \"random\"",
        "gather_policy = \"all\"\ncollision = \"discard\"\ngather_select = \"rotating\"\nentropy = \"port\"",
        "gather_target = \"next\"\nwrite_on_full = \"skip\"\nirq_delay = 200",
        "address_policy = \"next\"\naddress_gate = false\nprediction = \"none\"",
        "latency_source = \"buffer\"\nlatency_step = 16\nlatency_phase = \"free-running\"",
        "head_flush = \"deferred\"\ntail_reread = \"lazy\"\ntail_nth = 5\ninterval_source = \"reread\"",
        "write_on_full = \"skip\"\nmissed_mode = \"cached\"\nflush_outside = \"skip\"\nmisaligned = \"truncate\"",
    ];
    let block = "threshold = 128\nrandom = 2";
    let events = "[[lwpcb.event]]\nid = 3\ninterval = 5\n[[lwpcb.event]]\nid = 2\ninterval = 7\n";
    let memory = "[core]\nreplay_abort = 0.2\n[memory]\nlatency = [1, 12]\nstall = 0.2\nfault = 0.03\n";
    let systems = ["start = \"lwpmsr1\"\nswitch_every = 900", "switch_every = 1500"];
    let consumers = ["mode = \"interrupt\"", "period = 777"];
    for (number, straps) in sets.iter().enumerate() {
        for (at, system) in systems.iter().enumerate() {
            for (other, consumer) in consumers.iter().enumerate() {
                // After each change two of the four: every set still meets both systems and both consumers.
                if Tier::get() == Tier::Test && (at + other + number) % 2 == 1 {
                    continue;
                }
                let more = format!("{events}[consumer]\n{consumer}\n{memory}seed = {number}\n[system]\n{system}\n");
                let done = Bench::new(&mixed(3000), &(session(block, straps) + &more)).run_engines(&["--cpi", "12"]);
                assert_eq!(done.number("instructions"), 3000, "{straps}");
                assert!(done.records.len() > 15, "{straps}: {}", done.json);
                let known = |ip: &u64| (0x40_1000..0x40_1000 + 4 * 3000).contains(ip) && ip.is_multiple_of(4);
                assert!(done.column("ip").iter().all(known), "{straps}");
            }
        }
    }
}
