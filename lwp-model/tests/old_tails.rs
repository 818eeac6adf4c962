//! When an old copy of the tail serves, with `tail_nth` above 1, followed by hand. Source: "LWPCB Access".

use super::bench::{Answer, BUFFER, Bench, LWPCB, kernel, plain, user};
use lwp_model::lwp::{Config, CtlOp, MemCmd, StoreState, TailReread};

const HEAD: u64 = LWPCB + 16;
const TAIL: u64 = LWPCB + 20;
const OTHER: u64 = 0x3_0000;

/// A ring of 8 records with a threshold of two; while it is reached, the tail is read for every fourth record.
fn session() -> Bench {
    let straps = Config { tail_reread: TailReread::Lazy, tail_nth: 4, ..Config::default() };
    Bench::session_with(straps, 64, &[(1, 1, 1)])
}

fn records(bench: &mut Bench, count: u64) {
    for ip in 1..=count {
        bench.retire(&[plain(ip)]);
    }
}

/// Record 2 has read the tail; the head with which it reaches the threshold is about to be written.
fn about_to_reach() -> Bench {
    let mut bench = session();
    records(&mut bench, 1);
    bench.retire_now(&[plain(2)]);
    while bench.unit.state().store.st != StoreState::Head {
        bench.idle(1);
    }
    bench
}

// LWP-ACC-06, LWP-ACC-07, LWP-ACC-08: records 2 and 3 each meet the threshold by the copy of the tail, and software has drained the
// ring before either: both read the tail, and nothing interrupts. With record 4 two records are really used. The threshold stays
// reached, and records 5 to 7 have no need to look.
#[test]
fn a_threshold_that_is_met_again_is_a_new_one() {
    let mut bench = session();
    records(&mut bench, 1);
    bench.write32(TAIL, 32);
    records(&mut bench, 1);
    bench.write32(TAIL, 64);
    records(&mut bench, 1);
    let ring = bench.unit.state().ring;
    assert_eq!((ring.head, ring.tail, bench.accesses(MemCmd::Read, HEAD), bench.interrupts), (96, 64, 2, 0));
    records(&mut bench, 1);
    assert_eq!((bench.accesses(MemCmd::Read, HEAD), bench.interrupts), (3, 1));
    records(&mut bench, 3);
    assert_eq!(bench.accesses(MemCmd::Read, HEAD), 3);
    records(&mut bench, 1);
    assert_eq!((bench.accesses(MemCmd::Read, HEAD), bench.interrupts), (4, 1));
}

// LWP-ACC-06: record 2 reads the tail of the threshold and is lost before the head is written, as the core leaves ring 3. Software has
// drained the ring when it comes back: the next record detects the threshold, and reads the tail.
#[test]
fn a_record_that_is_lost_leaves_no_look() {
    let mut bench = about_to_reach();
    bench.busy = true;
    assert_eq!((bench.accesses(MemCmd::Read, HEAD), bench.unit.state().ring.tail_skip), (1, 3));
    bench.enter(kernel());
    bench.idle(2);
    assert_eq!((bench.unit.state().ring.head, bench.unit.state().records[0].event), (32, 0));
    bench.busy = false;
    bench.write32(TAIL, 32);
    bench.enter(user());
    records(&mut bench, 1);
    assert_eq!((bench.head(), bench.accesses(MemCmd::Read, HEAD), bench.interrupts), (64, 2, 0));
}

// LWP-ACC-06: the same behind a page fault of the write of the head.
#[test]
fn nor_does_one_that_faults() {
    let mut bench = about_to_reach();
    bench.read_only.insert(LWPCB / 0x1000);
    bench.idle(4);
    bench.write32(TAIL, 32);
    bench.take_page_fault();
    assert_eq!((bench.page_faults[0], bench.unit.state().ring.head), ((HEAD, true), 32));
    records(&mut bench, 1);
    assert_eq!((bench.head(), bench.accesses(MemCmd::Read, HEAD), bench.interrupts), (64, 2, 0));
}

// LWP-ACC-06: record 2 reads the tail, and three records may go without; one does. While the thread is switched out, software drains
// the ring to the last record, and the reload reads the tail. The next record detects the threshold and reads the tail again: another
// drain, no second interrupt.
#[test]
fn a_reload_may_end_the_condition() {
    for left in [32, 0] {
        let mut bench = session();
        records(&mut bench, 3);
        assert_eq!((bench.unit.state().ring.tail_skip, bench.interrupts), (2, 1));
        bench.acknowledge_interrupt();
        bench.enter(kernel());
        let words = bench.save_thread();
        assert_eq!(words[3] >> 32 & 15, 2);
        bench.write32(TAIL, 96 - left);
        bench.restore_thread(&words);
        bench.enter(user());
        bench.idle(60);
        assert_eq!((bench.unit.state().ring.tail, bench.unit.state().ring.tail_skip), (96 - left, 2));
        if left == 0 {
            records(&mut bench, 1);
        }
        bench.write32(TAIL, 128 - left);
        records(&mut bench, 1);
        assert_eq!((bench.head(), bench.unit.state().ring.tail, bench.interrupts), (160 - left, 128 - left, 1));
    }
}

// LWP-ACC-06: the reload finds the threshold reached still: two of the three records are left.
#[test]
fn a_reload_goes_on() {
    let mut bench = session();
    records(&mut bench, 3);
    bench.enter(kernel());
    let words = bench.save_thread();
    bench.restore_thread(&words);
    bench.enter(user());
    bench.idle(60);
    bench.log.clear();
    records(&mut bench, 2);
    assert_eq!(bench.accesses(MemCmd::Read, HEAD), 0);
    records(&mut bench, 1);
    assert_eq!(bench.accesses(MemCmd::Read, HEAD), 1);
}

// LWP-ACC-08: restored from a unit with a larger n, no more looks are left out than this one leaves out itself.
#[test]
fn no_more_looks_are_left_out_than_the_unit_has() {
    for (tail_skip, taken) in [(0, 0), (3, 3), (4, 0), (15, 0)] {
        let mut bench = session();
        bench.enter(kernel());
        bench.restore_thread(&[LWPCB, 1 << 32, 0, tail_skip << 32, 0, 0, 0, 0]);
        assert_eq!(u64::from(bench.unit.state().ring.tail_skip), taken);
    }
}

// LWP-ACC-06, LWP-LLW-26: the load of a new block faults after the flush, and the unit loads the old block with the tail that
// software has moved meanwhile.
#[test]
fn so_does_the_way_back_after_a_fault() {
    let mut bench = session();
    bench.block(OTHER, 256, 0, &[(1, 9, 9)]);
    records(&mut bench, 3);
    let ctl = lwp_model::lwp::Control { valid: true, op: CtlOp::Llwpcb, wdata: OTHER, ..Default::default() };
    let mut out = bench.cycle(lwp_model::lwp::Inputs { ctl, ..Default::default() });
    while !out.rsp_valid {
        // The last access of the flush is the counter of event 1.
        if bench.log.last() == Some(&(MemCmd::Write, LWPCB + 40, 0xF0)) {
            bench.absent.insert(OTHER / 0x1000);
            bench.write32(TAIL, 96);
        }
        out = bench.cycle(Default::default());
    }
    assert_eq!(out.rsp_fault, lwp_model::lwp::Fault::PageFault);
    bench.idle(2);
    let ring = bench.unit.state().ring;
    assert_eq!((bench.unit.state().session.lwpcb, ring.tail, ring.tail_skip), (LWPCB, 96, 2));
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    assert_eq!(bench.read64(BUFFER + 64 + 8), 3);
    bench.log.clear();
    records(&mut bench, 1);
    bench.write32(TAIL, 128);
    records(&mut bench, 1);
    assert_eq!((bench.head(), bench.accesses(MemCmd::Read, HEAD), bench.interrupts), (160, 1, 1));
}
