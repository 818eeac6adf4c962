//! The ring buffer, followed by hand: head, tail, full, missed, threshold. Source: "LWP Control Block" and "LWPCB Access".

use super::bench::{Answer, Bench, LWPCB, plain};
use lwp_model::lwp::{Config, CtlOp, Inputs, State, WriteOnFull};

fn fill(bench: &mut Bench, records: u64) {
    for ip in 1..=records {
        bench.retire(&[plain(ip)]);
    }
}

// LWP-STO-04, LWP-STO-05, LWP-STO-07, LWP-RST-02: eight slots hold seven records; three more are missed, each reloads.
#[test]
fn a_full_ring_counts_misses() {
    let mut bench = Bench::session(&[(1, 1, 1)]);
    fill(&mut bench, 10);
    assert_eq!((bench.head(), bench.missed()), (7 * 32, 3));
    assert_eq!(bench.counter(1), 1);
    // LWP-STO-06: the slot at head holds the last record that was missed, the published ones are untouched.
    assert_eq!(bench.record(7)[1], 10);
    assert_eq!(bench.record(0)[1], 1);
    assert_eq!(bench.record(6)[1], 7);
}

// LWP-STO-03: software frees two records; the head wraps to 0, and the ring is full again one later.
#[test]
fn the_head_wraps() {
    let mut bench = Bench::session(&[(1, 1, 1)]);
    fill(&mut bench, 7);
    bench.write32(LWPCB + 20, 64);
    fill(&mut bench, 1);
    assert_eq!((bench.head(), bench.missed()), (0, 0));
    fill(&mut bench, 1);
    assert_eq!((bench.head(), bench.missed()), (32, 0));
    fill(&mut bench, 1);
    assert_eq!((bench.head(), bench.missed()), (32, 1));
}

// LWP-STO-13: the count carries into its upper half.
#[test]
fn missed_events_are_64_bits() {
    let mut bench = Bench::session(&[(1, 1, 1)]);
    bench.memory.insert(LWPCB + 24, 0xFFFF_FFFF);
    fill(&mut bench, 8);
    assert_eq!(bench.missed(), 0x1_0000_0000);
}

// LWP-ACC-16: the last good tail is 64: with the next head at 64 the ring is full. A tail that is taken as 0 would leave room for more.
#[test]
fn a_bad_tail_is_the_last_good_one() {
    for bad in [256, 0x1000_0000, 0xFFFF_FFE0] {
        let mut bench = Bench::session(&[(1, 1, 1)]);
        fill(&mut bench, 7);
        bench.write32(LWPCB + 20, 64);
        fill(&mut bench, 1);
        assert_eq!((bench.head(), bench.unit.state().ring.tail), (0, 64));
        bench.write32(LWPCB + 20, bad);
        fill(&mut bench, 3);
        assert_eq!((bench.head(), bench.unit.state().ring.tail, bench.missed()), (32, 64, 2), "{bad:#x}");
    }
}

// LWP-ACC-16: a tail out of range is as if it had not moved; its low bits are ignored.
#[test]
fn a_bad_tail_is_ignored() {
    let mut bench = Bench::session(&[(1, 1, 1)]);
    fill(&mut bench, 6);
    bench.write32(LWPCB + 20, 0xFFFF_FFE0);
    fill(&mut bench, 2);
    assert_eq!((bench.head(), bench.missed()), (7 * 32, 1));
    bench.write32(LWPCB + 20, 32 + 31);
    fill(&mut bench, 1);
    assert_eq!((bench.head(), bench.unit.state().ring.tail), (0, 32));
}

fn threshold_session(threshold: u32) -> Bench {
    let mut bench = Bench::new();
    bench.block(LWPCB, 256, threshold, &[(1, 1, 1)]);
    assert_eq!(bench.op(CtlOp::Llwpcb, LWPCB), Answer::Value(0));
    bench
}

// LWP-RPT-03, LWP-RPT-06: one interrupt on equality; none above the threshold.
#[test]
fn one_interrupt_at_the_crossing() {
    let mut bench = threshold_session(96);
    fill(&mut bench, 2);
    assert_eq!(bench.interrupts, 0);
    fill(&mut bench, 1);
    assert_eq!(bench.interrupts, 1);
    bench.acknowledge_interrupt();
    assert!(!bench.unit.outputs().irq);
    fill(&mut bench, 20);
    assert_eq!(bench.interrupts, 1);
    // Drained below the threshold and crossed again.
    bench.write32(LWPCB + 20, bench.head());
    fill(&mut bench, 3);
    assert_eq!(bench.interrupts, 2);
}

// LWP-RPT-07: the ring is full at its threshold of seven records, and ten events are missed: the space used still equals the threshold,
// and nothing is compared, because the head does not move.
#[test]
fn missed_events_raise_no_interrupt() {
    for write_on_full in [WriteOnFull::WriteSlot, WriteOnFull::Skip] {
        let straps = Config { write_on_full, ..Config::default() };
        let mut bench = Bench::session_with(straps, 224, &[(1, 1, 1)]);
        fill(&mut bench, 6);
        assert_eq!(bench.interrupts, 0);
        fill(&mut bench, 1);
        assert_eq!(bench.interrupts, 1);
        bench.acknowledge_interrupt();
        fill(&mut bench, 10);
        assert_eq!((bench.interrupts, bench.head(), bench.missed()), (1, 224, 10));
        assert!(!bench.unit.outputs().irq);
    }
}

// LWP-RPT-11: when the request rises the head that caused it is in memory.
#[test]
fn the_head_is_out_before_the_interrupt() {
    let mut bench = threshold_session(32);
    bench.retire_now(&[plain(1)]);
    while !bench.unit.outputs().irq {
        bench.idle(1);
    }
    assert_eq!(bench.head(), 32);
}

// LWP-RPT-12: 65 acts as 64; 31 acts as 0, which is no threshold at all.
#[test]
fn low_bits_of_the_threshold_are_ignored() {
    for (threshold, interrupts) in [(65, 1), (64, 1), (31, 0), (0, 0), (256, 0)] {
        let mut bench = threshold_session(threshold);
        fill(&mut bench, 10);
        assert_eq!(bench.interrupts, interrupts, "threshold {threshold}");
    }
}

/// Head, missed events and interrupts after nine instructions, with these low bits in size, head, tail and threshold, and the unit's
/// registers in every cycle. Two records are in use, of a ring of eight; the threshold is four.
fn with_low_bits([size, head, tail, threshold]: [u32; 4]) -> ((u32, u64, u32), Vec<State>) {
    let mut bench = Bench::new();
    bench.block(LWPCB, 256 + size, 128 + threshold, &[(1, 1, 1)]);
    bench.write32(LWPCB + 16, 96 + head);
    bench.write32(LWPCB + 20, 32 + tail);
    assert_eq!(bench.op(CtlOp::Llwpcb, LWPCB), Answer::Value(0));
    let mut registers = vec![*bench.unit.state()];
    for ip in 1..=9 {
        bench.retire_now(&[plain(ip)]);
        for _ in 0..40 {
            bench.idle(1);
            registers.push(*bench.unit.state());
        }
    }
    ((bench.head(), bench.missed(), bench.interrupts), registers)
}

// LWP-LCB-43: low bits in any of the four fields change no register in any cycle. Five records fit; the head wraps to 0.
#[test]
fn low_bits_of_sizes_and_offsets_are_ignored() {
    let (shown, registers) = with_low_bits([0; 4]);
    assert_eq!(shown, (0, 4, 1));
    for low in [[31, 0, 0, 0], [0, 31, 0, 0], [0, 0, 31, 0], [0, 0, 0, 31], [1, 2, 4, 8], [31; 4]] {
        let (same, as_before) = with_low_bits(low);
        assert_eq!(same, shown, "{low:?}");
        assert!(as_before == registers, "{low:?}");
    }
}

// LWP-INT-06: the request stands until it is acknowledged, whatever becomes of the session.
#[test]
fn the_interrupt_stands_until_acknowledged() {
    let mut bench = threshold_session(32);
    fill(&mut bench, 1);
    assert_eq!(bench.op(CtlOp::Llwpcb, 0), Answer::Value(LWPCB));
    assert!(bench.unit.outputs().irq);
    bench.cycle(Inputs { irq_ack: true, ..Inputs::default() });
    assert!(!bench.unit.outputs().irq);
}
