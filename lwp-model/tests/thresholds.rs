//! Used space, thresholds, reloads and what a session keeps of its block, followed by hand. Source: "Overview", steps 4 and 5.

use super::bench::{BUFFER, Bench, LWPCB, MSR0_ALL, branch, kernel, plain, user};
use lwp_model::lwp::{BranchKind, Config, CtlOp, HeadFlush, MemCmd, TailReread};
use std::collections::BTreeSet;

const RECORD: u32 = 32;
const SIZE: u32 = 4 * RECORD;

/// A session whose ring holds four records, from this head and tail.
fn from(head: u32, tail: u32, threshold: u32, msr0: u64) -> Bench {
    let mut bench = Bench::with(Config::default());
    bench.enter(kernel());
    bench.op(CtlOp::WriteMsr0, msr0);
    bench.enter(user());
    bench.block(LWPCB, SIZE, threshold, &[(1, 100, 1)]);
    bench.write32(LWPCB + 16, head);
    bench.write32(LWPCB + 20, tail);
    bench.op(CtlOp::Llwpcb, LWPCB);
    bench
}

// LWP-RPT-01, LWP-RPT-02, LWP-RPT-04, LWP-RPT-05, LWP-RPT-07, LWP-RPT-12, LWP-MSR0-08: all heads, tails and thresholds of a small
// ring: one interrupt if the head advances, the difference plus the size if it is negative is the threshold, the threshold is not 0,
// and bit 31 of LWPMSR0 is 1.
#[test]
fn used_space_is_the_difference_with_one_addition() {
    for (head, tail) in (0..16).map(|pair| (pair / 4 * RECORD, pair % 4 * RECORD)) {
        for threshold in [0, RECORD, 2 * RECORD, 3 * RECORD, SIZE] {
            for msr0 in [MSR0_ALL, MSR0_ALL & 0xF] {
                let mut bench = from(head, tail, threshold, msr0);
                bench.retire(&[plain(1)]);
                let next = (head + RECORD) % SIZE;
                let difference = next as i32 - tail as i32;
                let used = if difference < 0 { difference + SIZE as i32 } else { difference };
                let crossed = next != tail && threshold != 0 && used == threshold as i32 && msr0 == MSR0_ALL;
                assert_eq!(bench.interrupts, u32::from(crossed), "head {head} tail {tail} threshold {threshold}");
                assert_eq!(bench.head(), if next == tail { head } else { next });
            }
        }
    }
}

// LWP-RPT-10: at and above the threshold a deferred head goes out and a lazy tail is read with every record; below it, neither; the
// interrupt comes once.
#[test]
fn from_the_threshold_on_every_record_shows() {
    let straps = Config { head_flush: HeadFlush::Deferred, tail_reread: TailReread::Lazy, ..Config::default() };
    let mut bench = Bench::session_with(straps, 3 * RECORD, &[(1, 1, 1)]);
    for record in 1..=6 {
        bench.log.clear();
        bench.retire(&[plain(record)]);
        let reached = usize::from(record >= 3);
        assert_eq!(bench.accesses(MemCmd::Write, LWPCB + 16), reached, "head after record {record}");
        assert_eq!(bench.accesses(MemCmd::Read, LWPCB + 16), reached, "tail at record {record}");
        assert_eq!(bench.interrupts, u32::from(record >= 3));
    }
}

// LWP-LCB-14, LWP-LCB-28, LWP-RST-06, LWP-CNT-01: with Random = 0 records are an interval apart, and the head in memory is that of the
// unit and names the place after the last record.
#[test]
fn records_are_an_interval_apart() {
    let mut bench = Bench::session(&[(1, 7, 7)]);
    for ip in 1..=42_u64 {
        bench.retire(&[plain(ip)]);
        let records = (ip / 7) as u32;
        assert_eq!((bench.head(), bench.counter(1)), (records * RECORD, 7 - (ip % 7) as u32), "after {ip}");
        assert_eq!(bench.unit.state().ring.head, bench.head());
    }
    assert_eq!(bench.stored(), [7, 14, 21, 28, 35, 42]);
}

// LWP-RST-05, LWP-RST-07, LWP-LCB-11, LWP-LCB-18: three random bits: each reload keeps the upper bits of the interval, all eight
// values come, and what the program writes over Random and Threshold of a running session changes nothing.
#[test]
fn reloads_are_random_in_their_low_bits() {
    let mut bench = Bench::with(Config::default());
    bench.block(LWPCB, 3 << 28 | 256, 2 * RECORD, &[(1, 16, 1)]);
    bench.op(CtlOp::Llwpcb, LWPCB);
    bench.write32(LWPCB + 4, 256);
    bench.write32(LWPCB + 32, 0);
    let mut seen = BTreeSet::new();
    for _ in 0..24 {
        let before = bench.unit.state().ring.head;
        bench.retire(&vec![plain(1); bench.counter(1).min(4) as usize]);
        if bench.unit.state().ring.head != before {
            assert_eq!(bench.counter(1) & !7, 16);
            seen.insert(bench.counter(1));
        }
    }
    assert_eq!(bench.interrupts, 1, "the threshold is still two records");
    assert_eq!(bench.missed(), 0);
    let mut more = 0;
    while seen.len() < 8 {
        // The ring stays empty from here on.
        let head = bench.unit.state().ring.head;
        bench.write32(LWPCB + 20, head);
        bench.retire(&vec![plain(1); bench.counter(1).min(4) as usize]);
        if bench.unit.state().ring.head != head {
            assert_eq!(bench.counter(1) & !7, 16);
            seen.insert(bench.counter(1));
        }
        more += 1;
        assert!(more < 1000, "only {seen:?}");
    }
}

// LWP-GAT-05: instructions and branches expire together. The chosen one is stored; the other stays at zero, takes nothing while
// the store runs, passes over what is no branch, and records the next branch.
#[test]
fn an_event_that_was_not_chosen_waits() {
    let mut bench = Bench::session(&[(1, 100, 1), (2, 100, 1)]);
    bench.retire_now(&[branch(1, BranchKind::Jmp, true, 9)]);
    bench.idle(2);
    bench.retire_now(&[branch(2, BranchKind::Jmp, true, 9)]);
    assert_eq!((bench.head(), bench.counter(2)), (0, 0), "the first record is on its way");
    bench.idle(60);
    assert_eq!((bench.stored(), bench.counter(2)), (vec![1], 0));
    bench.retire(&[plain(3)]);
    assert_eq!((bench.stored(), bench.counter(2)), (vec![1], 0));
    bench.retire(&[branch(4, BranchKind::Jmp, true, 9), branch(5, BranchKind::Jmp, true, 9)]);
    assert_eq!(bench.stored(), [1, 4]);
    assert_eq!(bench.record(1)[0] & 0xFF, 2);
}

// LWP-CTX-01: the unit counts, and moves head and tail, in copies of its own: what the program writes over head and counter has no
// effect, and a lazy unit does not see a new tail before it looks.
#[test]
fn counters_head_and_tail_are_copies() {
    let straps = Config { tail_reread: TailReread::Lazy, ..Config::default() };
    let mut bench = Bench::session_with(straps, 0, &[(1, 2, 2)]);
    bench.retire(&[plain(1)]);
    assert_eq!((bench.counter(1), bench.read32(LWPCB + 44)), (1, 2), "memory has the counter of the beginning");
    bench.write32(LWPCB + 44, 1000);
    bench.write32(LWPCB + 16, 96);
    bench.write32(LWPCB + 20, 64);
    bench.retire(&[plain(2)]);
    let ring = bench.unit.state().ring;
    assert_eq!((ring.head, ring.tail, bench.head(), bench.read64(BUFFER + 8)), (32, 0, 32, 2));
}
