//! How records reach the ring, by strap, followed by hand. Source: "Overview" steps 3 and 4, "LWPCB Access".

use super::bench::{Answer, BUFFER, Bench, LWPCB, MSR0_ALL, branch, kernel, plain, user};
use lwp_model::lwp::{
    BranchKind, Config, CtlOp, HeadFlush, IntervalSource, LeavePolicy, MemCmd, MissedMode, StoreState, TailReread,
    WriteOnFull,
};

const HEAD: u64 = LWPCB + 16;

fn fill(bench: &mut Bench, ips: core::ops::RangeInclusive<u64>) {
    for ip in ips {
        bench.retire(&[plain(ip)]);
    }
}

fn deferred() -> Config {
    Config { head_flush: HeadFlush::Deferred, ..Config::default() }
}

fn lazy() -> Config {
    Config { tail_reread: TailReread::Lazy, ..Config::default() }
}

// LWP-ACC-02, LWP-ACC-03, LWP-ACC-04, LWP-CTX-15: threshold 96. The first two heads stay inside, the third goes out, as does each
// one after it; and SLWPCB flushes what is inside.
#[test]
fn a_deferred_head_comes_with_the_threshold() {
    let mut bench = Bench::session_with(deferred(), 96, &[(1, 1, 1)]);
    fill(&mut bench, 1..=2);
    assert_eq!((bench.head(), bench.unit.state().ring.head), (0, 64));
    assert_eq!(bench.accesses(MemCmd::Write, HEAD), 0);
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    assert_eq!(bench.head(), 64);
    fill(&mut bench, 3..=3);
    assert_eq!((bench.head(), bench.interrupts), (96, 1));
    fill(&mut bench, 4..=4);
    assert_eq!(bench.head(), 128);
}

// LWP-ACC-03: a threshold that is never reached; the ring fills, and the head comes out before the miss is counted.
#[test]
fn a_deferred_head_comes_when_the_ring_is_full() {
    let mut bench = Bench::session_with(deferred(), 256, &[(1, 1, 1)]);
    fill(&mut bench, 1..=7);
    assert_eq!(bench.head(), 0);
    fill(&mut bench, 8..=8);
    assert_eq!((bench.head(), bench.missed()), (224, 1));
}

// LWP-ACC-15: without a threshold nothing else would show a poller any progress.
#[test]
fn without_a_threshold_every_head_goes_out() {
    let mut bench = Bench::session_with(deferred(), 0, &[(1, 1, 1)]);
    for records in 1..=4 {
        fill(&mut bench, 1..=1);
        assert_eq!(bench.head(), 32 * records);
    }
}

// LWP-ACC-01, LWP-LCB-08, LWP-LCB-14: whatever is kept inside, the block after SLWPCB is the same.
#[test]
fn the_block_after_a_flush_does_not_tell_what_was_cached() {
    let mut images = Vec::new();
    let cached = Config { missed_mode: MissedMode::Cached, tail_reread: TailReread::Lazy, ..deferred() };
    for straps in [Config::default(), deferred(), lazy(), cached] {
        let mut bench = Bench::session_with(straps, 64, &[(1, 2, 2), (2, 5, 5)]);
        for ip in 1..=20 {
            bench.retire(&[branch(ip, BranchKind::Jmp, true, 9)]);
        }
        bench.op(CtlOp::Slwpcb, 0);
        images.push((0..8).map(|word| bench.read64(LWPCB + 8 * word)).collect::<Vec<_>>());
    }
    assert!(images.iter().all(|image| *image == images[0]), "{images:x?}");
}

// LWP-ACC-05: the tail is read for each record, or only once the threshold is met: reads after 1, 2, 3, 4 records.
#[test]
fn a_lazy_tail_is_read_when_it_matters() {
    for (straps, reads) in [(Config::default(), [1, 2, 3, 4]), (lazy(), [0, 0, 1, 2])] {
        let mut bench = Bench::session_with(straps, 96, &[(1, 1, 1)]);
        let found = [1, 2, 3, 4].map(|ip| {
            fill(&mut bench, ip..=ip);
            bench.accesses(MemCmd::Read, HEAD)
        });
        assert_eq!(found, reads);
    }
}

// LWP-ACC-08, LWP-ACC-09: n = 3: above the threshold every third record reads the tail, on a full ring every one does.
#[test]
fn every_nth_time() {
    let mut bench = Bench::session_with(Config { tail_nth: 3, ..lazy() }, 64, &[(1, 1, 1)]);
    let reads: Vec<usize> = (1..=10)
        .map(|ip| {
            fill(&mut bench, ip..=ip);
            bench.accesses(MemCmd::Read, HEAD)
        })
        .collect();
    // Used after record 2 is 64, the threshold: records 2 and 5 read; from record 8 on the ring is full.
    assert_eq!(reads, [0, 1, 1, 1, 2, 2, 2, 3, 4, 5]);
    assert_eq!(bench.missed(), 3);
}

// LWP-ACC-06, LWP-ACC-07, LWP-RPT-09: software has drained the ring by the time the cached tail says "full" and "threshold":
// nothing is missed and nothing interrupts.
#[test]
fn a_drain_just_in_time() {
    let mut bench = Bench::session_with(lazy(), 128, &[(1, 1, 1)]);
    fill(&mut bench, 1..=3);
    bench.write32(LWPCB + 20, 96);
    fill(&mut bench, 4..=4);
    assert_eq!((bench.interrupts, bench.unit.state().ring.tail), (0, 96));
    let mut full = Bench::session_with(lazy(), 0, &[(1, 1, 1)]);
    fill(&mut full, 1..=7);
    full.write32(LWPCB + 20, 64);
    fill(&mut full, 8..=8);
    assert_eq!((full.missed(), full.head()), (0, 0));
}

// LWP-RPT-10: a lazy unit raises the interrupts of one that always looks: rereading starts at >=, the interrupt is at ==.
#[test]
fn a_lazy_unit_raises_the_same_interrupts() {
    let mut counts = Vec::new();
    for straps in [Config::default(), lazy()] {
        let mut bench = Bench::session_with(straps, 96, &[(1, 1, 1)]);
        let mut interrupts = Vec::new();
        for ip in 1..=40 {
            fill(&mut bench, ip..=ip);
            interrupts.push(bench.interrupts);
            bench.acknowledge_interrupt();
            if ip % 7 == 0 {
                let head = bench.unit.state().ring.head;
                bench.write32(LWPCB + 20, head);
            }
        }
        counts.push(interrupts);
    }
    assert_eq!(counts[0], counts[1]);
    assert!(counts[0][39] > 3, "{counts:?}");
}

// LWP-RST-09, LWP-ACC-10, LWP-LCB-07: read from the block for each record or kept since LLWPCB: the same, unless software
// changes it.
#[test]
fn the_interval_may_be_read_again() {
    let reread = Config { interval_source: IntervalSource::Reread, ..Config::default() };
    for (straps, changed) in [(Config::default(), 10), (reread, 4)] {
        let mut bench = Bench::session_with(straps, 0, &[(1, 10, 1)]);
        bench.retire(&[plain(1)]);
        assert_eq!(bench.counter(1), 10);
        for ip in 0..9 {
            bench.retire(&[plain(ip)]);
        }
        bench.write32(LWPCB + 40, 1 << 26 | 4);
        bench.retire(&[plain(2)]);
        assert_eq!((bench.stored().len(), bench.counter(1)), (2, changed));
    }
}

// LWP-ACC-12: three misses; in memory at once, or with the next flush.
#[test]
fn missed_events_may_be_cached() {
    let cached = Config { missed_mode: MissedMode::Cached, ..Config::default() };
    for (straps, in_memory) in [(Config::default(), 3), (cached, 0)] {
        let mut bench = Bench::session_with(straps, 0, &[(1, 1, 1)]);
        fill(&mut bench, 1..=10);
        assert_eq!(bench.missed(), in_memory);
        bench.op(CtlOp::Slwpcb, 0);
        assert_eq!(bench.missed(), 3);
        bench.op(CtlOp::Slwpcb, 0);
        assert_eq!(bench.missed(), 3, "flushed once");
    }
}

// LWP-ACC-14: memory is slow: the second miss waits in Store until the first has been counted.
#[test]
fn one_increment_is_outstanding() {
    let mut bench = Bench::session(&[(1, 1, 1)]);
    fill(&mut bench, 1..=7);
    bench.retire_now(&[plain(8)]);
    while bench.unit.state().ring.missed == 0 {
        bench.idle(1);
    }
    bench.busy = true;
    for ip in 9..30 {
        bench.retire_now(&[plain(ip)]);
        assert_eq!(bench.unit.state().ring.missed, 1);
    }
    assert_eq!((bench.missed(), bench.counter(1)), (0, 0));
    bench.busy = false;
    bench.idle(60);
    assert_eq!(bench.missed(), 2);
}

// LWP-STO-06: the place at head after two misses: the last record, or what was there before. What was published is untouched.
#[test]
fn write_on_full() {
    let skip = Config { write_on_full: WriteOnFull::Skip, ..Config::default() };
    for (straps, place) in [(Config::default(), 9), (skip, 0)] {
        let mut bench = Bench::session_with(straps, 0, &[(1, 1, 1)]);
        fill(&mut bench, 1..=9);
        assert_eq!((bench.missed(), bench.read64(BUFFER + 7 * 32 + 8)), (2, place));
        assert_eq!(bench.stored(), [1, 2, 3, 4, 5, 6, 7]);
        bench.write32(LWPCB + 20, 32);
        fill(&mut bench, 10..=10);
        assert_eq!((bench.head(), bench.read64(BUFFER + 7 * 32 + 8)), (0, 10));
    }
}

// LWP-RPT-08, LWP-INT-03: the request rises so many cycles after the crossing; the record is that of the crossing, and its head is
// in memory before.
#[test]
fn a_delayed_interrupt() {
    let mut rises = Vec::new();
    for irq_delay in [0, 1, 64] {
        let mut bench = Bench::session_with(Config { irq_delay, ..Config::default() }, 32, &[(1, 1, 1)]);
        let began = bench.cycles;
        bench.retire_now(&[plain(0x77)]);
        while !bench.unit.outputs().irq {
            bench.idle(1);
        }
        assert_eq!((bench.head(), bench.record(0)[1]), (32, 0x77));
        rises.push(bench.cycles - began);
    }
    assert_eq!([rises[1] - rises[0], rises[2] - rises[0]], [1, 64]);
}

// LWP-RPT-08: software drains the ring, and the next crossing comes while the interrupt is delayed, in one run of them in the last
// cycle of the delay: it merges, and no delay begins again.
#[test]
fn a_crossing_merges_with_the_delay() {
    let mut last_cycles = 0;
    for irq_delay in 20..60 {
        let mut bench = Bench::session_with(Config { irq_delay, ..Config::default() }, 32, &[(1, 1, 1)]);
        bench.retire_now(&[plain(1)]);
        while bench.unit.state().irq.count == 0 {
            bench.idle(1);
        }
        bench.write32(LWPCB + 20, 32);
        bench.idle(1);
        bench.retire_now(&[plain(2)]);
        while bench.unit.state().store.st != StoreState::Report {
            bench.idle(1);
        }
        let count = bench.unit.state().irq.count;
        bench.idle(1);
        let merged = if count == 0 { irq_delay } else { count - 1 };
        assert_eq!((bench.head(), bench.unit.state().irq.count), (64, merged), "{irq_delay}");
        last_cycles += u32::from(count == 1);
    }
    assert_eq!(last_cycles, 1);
}

// LWP-INT-02: interrupts are switched off while a delayed one is under way: it does not rise.
#[test]
fn a_delayed_interrupt_needs_its_enable() {
    let mut bench = Bench::session_with(Config { irq_delay: 50, ..Config::default() }, 32, &[(1, 1, 1)]);
    bench.retire(&[plain(1)]);
    bench.enter(kernel());
    bench.op(CtlOp::WriteMsr0, MSR0_ALL & 0xF);
    bench.idle(80);
    assert!(!bench.unit.outputs().irq);
    assert_eq!(bench.unit.state().irq.count, 0);
}

// LWP-RPT-13: a session that begins above its threshold interrupts only when it crosses it again.
#[test]
fn a_session_that_begins_above_its_threshold() {
    let mut bench = Bench::new();
    bench.block(LWPCB, 256, 64, &[(1, 1, 1)]);
    bench.write32(LWPCB + 16, 96);
    bench.op(CtlOp::Llwpcb, LWPCB);
    fill(&mut bench, 1..=2);
    assert_eq!(bench.interrupts, 0);
    bench.write32(LWPCB + 20, 160);
    fill(&mut bench, 3..=4);
    assert_eq!(bench.interrupts, 1);
}

// LWP-STO-15: ring 3 is left while a record is on its way. It is dropped; or the core is asked to wait, and it is stored; or it is
// kept, and stored after the return. No policy writes the buffer outside ring 3.
#[test]
fn leaving_ring_3_with_a_record() {
    for (leave_policy, recorded) in [(LeavePolicy::Discard, 2), (LeavePolicy::Drain, 1), (LeavePolicy::Hold, 1)] {
        let mut bench = Bench::session_with(Config { leave_policy, ..Config::default() }, 0, &[(1, 100, 1)]);
        bench.retire_now(&[plain(1)]);
        bench.idle(5);
        assert_eq!(bench.unit.outputs().drain, leave_policy == LeavePolicy::Drain);
        while bench.unit.outputs().drain {
            bench.idle(1);
        }
        bench.enter(kernel());
        bench.log.clear();
        bench.idle(60);
        assert_eq!(bench.log, [], "{leave_policy:?}");
        bench.enter(user());
        bench.idle(60);
        bench.retire(&[plain(2)]);
        assert_eq!(bench.stored(), [recorded], "{leave_policy:?}");
    }
}

// LWP-OVR-02: interrupts off, threshold set, three times round the ring with a consumer that only polls.
#[test]
fn a_session_without_interrupts() {
    let mut bench = Bench::new();
    bench.enter(kernel());
    bench.op(CtlOp::WriteMsr0, MSR0_ALL & 0xF);
    bench.enter(user());
    bench.block(LWPCB, 256, 64, &[(1, 1, 1)]);
    bench.op(CtlOp::Llwpcb, LWPCB);
    let mut taken = Vec::new();
    let mut tail = 0;
    for ip in 1..=24 {
        bench.retire(&[plain(ip)]);
        while tail != bench.head() {
            taken.push(bench.record(u64::from(tail / 32))[1]);
            tail = (tail + 32) % 256;
            bench.write32(LWPCB + 20, tail);
        }
    }
    assert_eq!(taken, (1..=24).collect::<Vec<_>>());
    assert_eq!((bench.interrupts, bench.missed()), (0, 0));
}
