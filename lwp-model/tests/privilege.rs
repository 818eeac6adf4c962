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

// LWP-STO-15 (discard), LWP-SEC-08: leaving ring 3 drops the record; no access follows; the next instruction is recorded.
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

// LWP-STO-16: LLWPCB and SLWPCB wait for the store.
#[test]
fn slwpcb_waits_for_the_store() {
    let mut bench = Bench::session(&[(1, 5, 1)]);
    bench.retire_now(&[plain(0xA)]);
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    assert_eq!((bench.head(), bench.read32(LWPCB + 44)), (32, 5));
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
