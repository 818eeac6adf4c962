//! Ring 3, the kernel, SMM and page faults, followed by hand. Source: "Overview", "Notes on restoring LWP state", "TLB and
//! Cache misses during LWP logging".

use super::bench::{Answer, BUFFER, Bench, LWPCB, kernel, loads, plain, user};
use lwp_model::lwp::{CtlOp, MemCmd, Mode, StoreState};

// LWP-CNT-03, LWP-SMM-01: only CPL 3 outside SMM counts.
#[test]
fn only_user_mode_counts() {
    let mut bench = Bench::session(&[(1, 100, 100)]);
    for (mode, counter) in [
        (kernel(), 100),
        (Mode { cpl: 1, ..user() }, 100),
        (Mode { cpl: 2, ..user() }, 100),
        (Mode { smm: true, ..user() }, 100),
        (user(), 99),
    ] {
        bench.enter(mode);
        bench.retire(&[plain(1)]);
        assert_eq!(bench.counter(1), counter, "{mode:?}");
    }
}

/// What memory grants outside ring 3, which is left after each number of cycles in turn. Memory grants at once, except that it may grant
/// nothing in the first cycle outside ring 3. In the cycles after the first nothing is requested.
fn granted_after_leaving(busy: bool, start: impl Fn() -> Bench) -> Vec<(MemCmd, u64, u8)> {
    let mut granted = Vec::new();
    for cycles in 0..70 {
        let mut bench = start();
        bench.idle(cycles);
        // What is pending in the first cycle outside ring 3 has been requested in ring 3.
        let asked = bench.unit.outputs();
        bench.log.clear();
        bench.busy = busy;
        bench.enter(kernel());
        let expected =
            if asked.mem_req && !busy { vec![(asked.mem_cmd, asked.mem_addr, asked.mem_be)] } else { vec![] };
        bench.busy = false;
        for _ in 0..40 {
            assert!(!bench.unit.outputs().mem_req, "left after {cycles} cycles");
            bench.idle(1);
        }
        assert_eq!(bench.log, expected, "left after {cycles} cycles");
        granted.append(&mut bench.log);
    }
    granted
}

/// A deferred initialisation begins.
fn deferred() -> Bench {
    let mut bench = Bench::new();
    bench.enter(kernel());
    bench.block(LWPCB, 256, 0, &[(1, 5, 1)]);
    assert_eq!(bench.op(CtlOp::WriteMsr1, LWPCB), Answer::Value(0));
    bench.enter(user());
    bench
}

// LWP-SEC-08, LWP-STO-15: the one exception of the rule that a store and a deferred initialisation access nothing outside ring 3. A
// request that was made in ring 3 is still pending in the first cycle outside it, and memory may grant it there: any of the accesses of
// a store, and any of those of an initialisation. If memory does not, the request is withdrawn. Outside ring 3 nothing is requested.
#[test]
fn only_a_request_of_ring_3_is_granted_and_only_in_the_first_cycle_outside() {
    let store = || {
        let mut bench = Bench::session(&[(1, 5, 1)]);
        bench.retire_now(&[plain(0xA)]);
        bench
    };
    assert_eq!(granted_after_leaving(false, store), STORE);
    assert_eq!(granted_after_leaving(true, store), []);
    // Two probes, four words of the header, eight slots, Flags.
    let granted = granted_after_leaving(false, deferred);
    assert_eq!(
        granted[..3],
        [(MemCmd::Probe, LWPCB, 0xFF), (MemCmd::Probe, LWPCB + 96, 0xFF), (MemCmd::Read, LWPCB, 0xFF)]
    );
    assert_eq!((granted.len(), granted[14]), (15, (MemCmd::Write, LWPCB, 0x0F)));
    assert_eq!(granted_after_leaving(true, deferred), []);
}

// LWP-STO-15 (discard), LWP-SEC-08: leaving ring 3 drops the record; no access follows the first cycle; the next instruction is recorded.
#[test]
fn leaving_ring_3_discards_the_store() {
    for cycles in 0..40 {
        let mut bench = Bench::session(&[(1, 5, 1)]);
        bench.retire_now(&[plain(0xA)]);
        bench.idle(cycles);
        bench.enter(kernel());
        bench.idle(1);
        let accesses = bench.log.len();
        bench.idle(40);
        assert_eq!(bench.log.len(), accesses, "after {cycles} cycles");
        let stored = bench.head() == 32;
        assert_eq!(bench.counter(1), if stored { 5 } else { 0 }, "after {cycles} cycles");
        assert_eq!(bench.unit.state().ring.head, bench.head());
        bench.enter(user());
        bench.retire(&[plain(0xB)]);
        let last = if stored { 0xA } else { 0xB };
        assert_eq!((bench.head(), bench.record(0)[1]), (32, last), "after {cycles} cycles");
    }
}

// LWP-FLT-06, LWP-GAT-07, LWP-GAT-08: a page fault drops the record, the counter stays at zero, and the next instruction
// is recorded once the trap has been taken.
#[test]
fn a_page_fault_drops_the_record() {
    let mut bench = Bench::session(&[(1, 5, 1), (3, 9, 9)]);
    bench.absent.insert(BUFFER / 0x1000);
    bench.retire(&[loads(0xA, &[(1, 1, 3)])]);
    let out = bench.unit.outputs();
    assert_eq!((out.pf_valid, out.pf_write, out.pf_addr), (true, true, BUFFER));
    assert_eq!((bench.head(), bench.missed(), bench.counter(1)), (0, 0, 0));
    // LWP-FLT-14: the other event keeps its decrement. Nothing is gathered while the trap is outstanding.
    assert_eq!(bench.counter(3), 8);
    bench.retire(&[plain(0xB)]);
    assert_eq!(bench.unit.state().store.st, StoreState::Idle);
    bench.take_page_fault();
    bench.retire(&[plain(0xC)]);
    assert_eq!((bench.head(), bench.record(0)[1]), (32, 0xC));
}

// LWP-FLT-12: a fault on the tail read is handled alike; its address is that of the tail.
#[test]
fn a_page_fault_on_the_block() {
    let mut bench = Bench::session(&[(1, 5, 1)]);
    bench.absent.insert(LWPCB / 0x1000);
    bench.retire(&[plain(0xA)]);
    let out = bench.unit.outputs();
    assert_eq!((out.pf_valid, out.pf_write, out.pf_addr), (true, false, LWPCB + 20));
    assert_eq!(bench.record(0)[1], 0xA);
    assert_eq!((bench.head(), bench.counter(1)), (0, 0));
}

/// The accesses of a store: the record, the tail, the head.
const STORE: [(MemCmd, u64, u8); 6] = [
    (MemCmd::Write, BUFFER, 0xFF),
    (MemCmd::Write, BUFFER + 8, 0xFF),
    (MemCmd::Write, BUFFER + 16, 0xFF),
    (MemCmd::Write, BUFFER + 24, 0xFF),
    (MemCmd::Read, LWPCB + 16, 0xF0),
    (MemCmd::Write, LWPCB + 16, 0x0F),
];

// LWP-STO-16: LLWPCB and SLWPCB wait for the store. Their own accesses follow its last one, and the flush has the counter as the record
// left it.
#[test]
fn llwpcb_and_slwpcb_wait_for_the_store() {
    let other = 0x3_0000;
    for (op, pointer) in [(CtlOp::Slwpcb, 0), (CtlOp::Llwpcb, 0), (CtlOp::Llwpcb, LWPCB), (CtlOp::Llwpcb, other)] {
        let mut bench = Bench::session(&[(1, 5, 1)]);
        bench.block(other, 256, 0, &[(1, 7, 7)]);
        bench.retire_now(&[plain(0xA)]);
        assert_eq!(bench.op(op, pointer), Answer::Value(LWPCB));
        assert_eq!(bench.log[..6], STORE, "{op:?} {pointer:#x}");
        assert!(bench.log.len() > 6, "{op:?} {pointer:#x}");
        assert_eq!((bench.head(), bench.read32(LWPCB + 44), bench.record(0)[1]), (32, 5, 0xA));
    }
}

// LWP-STO-16: the same if the store is dropped, here because the buffer is not present.
#[test]
fn llwpcb_and_slwpcb_follow_a_store_that_is_dropped() {
    for op in [CtlOp::Slwpcb, CtlOp::Llwpcb] {
        let mut bench = Bench::session(&[(1, 5, 1)]);
        bench.absent.insert(BUFFER / 0x1000);
        bench.retire_now(&[plain(0xA)]);
        assert_eq!(bench.op(op, 0), Answer::Value(LWPCB));
        assert_eq!(
            bench.log,
            [STORE[0], (MemCmd::Write, LWPCB + 16, 0x0F), (MemCmd::Write, LWPCB + 40, 0xF0)],
            "{op:?}: the write that faults, then the flush"
        );
        assert_eq!((bench.head(), bench.read32(LWPCB + 44)), (0, 0));
    }
}

// The new block faults after the old one was flushed: the old session comes back from its block.
#[test]
fn the_old_session_comes_back_from_its_block() {
    let mut bench = Bench::session(&[(1, 5, 5)]);
    bench.retire(&[plain(1), plain(2)]);
    let other = 0x3_0000;
    bench.block(other, 256, 0, &[(1, 7, 7)]);
    let ctl = lwp_model::lwp::Control { valid: true, op: CtlOp::Llwpcb, wdata: other, ..Default::default() };
    let mut out = bench.cycle(lwp_model::lwp::Inputs { ctl, ..Default::default() });
    while !out.rsp_valid {
        // The page goes between the probe and the load.
        if bench.log.last() == Some(&(MemCmd::Write, LWPCB + 40, 0xF0)) {
            bench.absent.insert(other / 0x1000);
        }
        out = bench.cycle(Default::default());
    }
    assert_eq!(
        (out.rsp_fault, out.rsp_fault_addr, out.rsp_fault_write),
        (lwp_model::lwp::Fault::PageFault, other, false)
    );
    bench.idle(80);
    assert_eq!((bench.unit.state().session.lwpcb, bench.counter(1)), (LWPCB, 3));
    bench.retire(&[plain(3), plain(4), plain(5)]);
    assert_eq!((bench.head(), bench.record(0)[1]), (32, 5));
}

// An instruction that was interrupted between its loads leaves no candidate behind.
#[test]
fn a_candidate_does_not_outlive_ring_3() {
    let mut bench = Bench::session(&[(3, 9, 1)]);
    bench.partial(loads(0xA, &[(0xA0, 10, 3)]));
    assert!(bench.unit.state().cand.valid);
    bench.enter(kernel());
    assert!(!bench.unit.state().cand.valid);
    bench.enter(user());
    bench.retire(&[plain(0xB)]);
    assert_eq!(bench.head(), 0);
    bench.retire(&[loads(0xC, &[(0xC0, 12, 3)])]);
    assert_eq!((bench.record(0)[1], bench.record(0)[2]), (0xC, 0xC0));
}
