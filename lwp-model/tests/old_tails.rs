//! When an old copy of the tail serves, with `tail_nth` above 1, followed by hand. Source: "LWPCB Access".

use super::bench::{Answer, BUFFER, Bench, LWPCB, kernel, plain, user};
use lwp_model::lwp::{Config, CtlOp, MemCmd, TailReread};

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

// LWP-ACC-06: record 2 reads the tail, and three records may go without; one does. While the thread is switched out, software drains
// the ring, and the reload reads the tail. The next record to meet the threshold reads it again: another drain, no second interrupt.
#[test]
fn a_reload_begins_anew() {
    let mut bench = session();
    records(&mut bench, 3);
    assert_eq!((bench.unit.state().ring.tail_skip, bench.interrupts), (2, 1));
    bench.acknowledge_interrupt();
    bench.enter(kernel());
    let words = bench.save_thread();
    assert_eq!(words[3] >> 32 & 15, 2);
    bench.write32(TAIL, 96);
    bench.restore_thread(&words);
    assert_eq!(bench.unit.state().ring.tail_skip, 2);
    bench.enter(user());
    bench.idle(60);
    assert_eq!(bench.unit.state().ring.tail_skip, 0);
    records(&mut bench, 1);
    bench.write32(TAIL, 128);
    records(&mut bench, 1);
    assert_eq!((bench.head(), bench.unit.state().ring.tail, bench.interrupts), (160, 128, 1));
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
    assert_eq!((bench.unit.state().session.lwpcb, ring.tail, ring.tail_skip), (LWPCB, 96, 0));
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    assert_eq!(bench.read64(BUFFER + 64 + 8), 3);
}
