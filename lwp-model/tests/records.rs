//! Records, followed by hand: which instruction, which bytes. Source: "Events and Event Records" and "Overview".

use super::bench::{BUFFER, Bench, branch, loads, plain};
use lwp_model::lwp::{BranchKind, Config, Lane, MemCmd};

// LWP-INS-01 to 06: interval 3, counter 3: the third, sixth and ninth instruction.
#[test]
fn every_third_instruction() {
    let mut bench = Bench::session(&[(1, 3, 3)]);
    for number in 1..=9 {
        bench.retire(&[plain(0x1000 + number)]);
    }
    assert_eq!(bench.head(), 3 * 32);
    for (index, ip) in [(0, 0x1003), (1, 0x1006), (2, 0x1009)] {
        assert_eq!(bench.record(index), [1, ip, 0, 0]);
    }
    assert_eq!(bench.counter(1), 3);
}

// LWP-LLW-27: the first record comes after EventCounter events, the next after EventInterval.
#[test]
fn the_first_record_follows_the_counter() {
    let mut bench = Bench::session(&[(1, 4, 2)]);
    for number in 1..=6 {
        bench.retire(&[plain(0x1000 + number)]);
    }
    assert_eq!([bench.record(0)[1], bench.record(1)[1]], [0x1002, 0x1006]);
}

// LWP-LCB-41: interval and counter 0 act like 1.
#[test]
fn interval_zero_records_every_event() {
    let mut bench = Bench::session(&[(1, 0, 0)]);
    for number in 1..=3 {
        bench.retire(&[plain(0x1000 + number)]);
    }
    assert_eq!(bench.head(), 96);
    assert_eq!(bench.record(2)[1], 0x1003);
}

// LWP-BRN-05, LWP-BRN-07, LWP-BRN-08, LWP-BRN-11, LWP-BRN-13, LWP-BRN-14, LWP-BRN-15, LWP-BRN-16: first word: EventId 2 in 7:0, valid 29,
// predicted 30, taken 31. 0xE000_0002 = taken, predicted, valid.
#[test]
fn branch_records() {
    let mut bench = Bench::session(&[(2, 1, 1)]);
    bench.retire(&[branch(0x1000, BranchKind::Jcc, true, 0x2000)]);
    bench.retire(&[branch(0x2000, BranchKind::Jcc, false, 0x2002)]);
    bench.retire(&[plain(0x2002)]);
    bench.retire(&[branch(0x2004, BranchKind::System, true, 0x9000)]);
    assert_eq!(bench.head(), 64);
    assert_eq!(bench.record(0), [0xE000_0002, 0x1000, 0x2000, 0]);
    assert_eq!(bench.record(1), [0x6000_0002, 0x2000, 0x2002, 0]);
}

// LWP-BRN-09, LWP-BRN-10, LWP-BRN-12: the core reports not taken and mispredicted each time. Only Jcc is not taken; direct JMP and CALL are
// predicted.
#[test]
fn branch_records_of_each_kind() {
    for (kind, first) in [
        (BranchKind::Jcc, 0x2000_0002),
        (BranchKind::Jmp, 0xE000_0002),
        (BranchKind::Call, 0xE000_0002),
        (BranchKind::JmpInd, 0xA000_0002),
        (BranchKind::CallInd, 0xA000_0002),
        (BranchKind::Ret, 0xA000_0002),
        (BranchKind::FarJmp, 0xA000_0002),
        (BranchKind::FarCall, 0xA000_0002),
        (BranchKind::FarRet, 0xA000_0002),
    ] {
        let mut bench = Bench::session(&[(2, 1, 1)]);
        bench.retire(&[Lane { branch_pred_ok: false, ..branch(0x1000, kind, false, 0x2000) }]);
        assert_eq!(bench.record(0), [first, 0x1000, 0x2000, 0], "{kind:?}");
    }
}

// LWP-DCM-07, LWP-DCM-09, LWP-DCM-10, LWP-DCM-11, LWP-DCM-19, LWP-DCM-20, LWP-DCM-21, LWP-DCM-22, LWP-DCM-23: source 3 in 31:29, address
// valid 28: 0x7000_0003; latency 200 in the next dword. Without an address bit 28 is 0.
#[test]
fn dcache_records() {
    let mut bench = Bench::session(&[(3, 1, 1)]);
    let with_address = loads(0x1000, &[(0x7FF0, 200, 3)]);
    let mut without = with_address;
    without.loads[0].addr_valid = false;
    bench.retire(&[with_address]);
    bench.retire(&[without]);
    assert_eq!(bench.record(0), [200 << 32 | 0x7000_0003, 0x1000, 0x7FF0, 0]);
    assert_eq!(bench.record(1), [200 << 32 | 0x6000_0003, 0x1000, 0, 0]);
}

/// First word of the record of a miss of 100 cycles from this source, with an address.
fn from_source(straps: Config, source: u8) -> u64 {
    let mut bench = Bench::session_with(straps, 0, &[(3, 1, 1)]);
    bench.retire(&[loads(0x1000, &[(0x7FF0, 100, source)])]);
    bench.record(0)[0]
}

// LWP-DCM-12, LWP-DCM-13, LWP-DCM-14, LWP-DCM-15, LWP-DCM-16, LWP-DCM-17: the source in 31:29, next to the valid address in 28. 4 to 6 are
// reported as 0.
#[test]
fn each_data_source() {
    let tops: [u64; 8] = [0x1, 0x3, 0x5, 0x7, 0x1, 0x1, 0x1, 0xF];
    for (source, top) in (0..).zip(tops) {
        assert_eq!(from_source(Config::default(), source), 100 << 32 | top << 28 | 3, "source {source}");
    }
}

// LWP-DCM-18: a unit that does not provide the source reports 0 for each; address and latency stay.
#[test]
fn no_data_source() {
    for source in 0..8 {
        let straps = Config { data_source: false, ..Config::default() };
        assert_eq!(from_source(straps, source), 100 << 32 | 1 << 28 | 3, "source {source}");
    }
}

// LWP-DCM-26: two misses take two from a counter of 5, and stop at 0 from a counter of 1; the first is the one recorded.
#[test]
fn several_misses_of_one_instruction() {
    let mut bench = Bench::session(&[(3, 5, 5)]);
    bench.retire(&[loads(0x1000, &[(0xA0, 10, 3), (0xB0, 11, 3)])]);
    assert_eq!(bench.counter(3), 3);
    bench.retire(&[loads(0x1001, &[(0xC0, 12, 3), (0xD0, 13, 3)])]);
    assert_eq!(bench.counter(3), 1);
    bench.retire(&[loads(0x1002, &[(0xE0, 14, 1), (0xF0, 15, 3)])]);
    assert_eq!(bench.record(0), [14 << 32 | 0x3000_0003, 0x1002, 0xE0, 0]);
    assert_eq!(bench.counter(3), 5);
}

// The load that reaches zero is the second one here: counter 2.
#[test]
fn the_second_load_reaches_zero() {
    let mut bench = Bench::session(&[(3, 9, 2)]);
    bench.retire(&[loads(0x1000, &[(0xA0, 10, 3), (0xB0, 11, 3)])]);
    assert_eq!(bench.record(0), [11 << 32 | 0x7000_0003, 0x1000, 0xB0, 0]);
}

// An instruction with five misses on two ports: two partial cycles. Counter 4: the fourth load, in the second partial cycle.
#[test]
fn more_loads_than_ports() {
    let mut bench = Bench::session(&[(3, 9, 4)]);
    bench.partial(loads(0x1000, &[(0xA0, 10, 3), (0xB0, 11, 3)]));
    bench.partial(loads(0x1000, &[(0xC0, 12, 3), (0xD0, 13, 3)]));
    assert_eq!(bench.head(), 0);
    bench.retire(&[loads(0x1000, &[(0xE0, 14, 3)])]);
    assert_eq!(bench.record(0), [13 << 32 | 0x7000_0003, 0x1000, 0xD0, 0]);
    assert_eq!(bench.head(), 32);
    assert!(!bench.unit.state().cand.valid);
}

// LWP-SIM-01 to 03: an indirect jump with a miss expires all three; slot 0 (branches) wins, the others stay at zero and take
// the next instruction that causes them, again the lowest slot first.
#[test]
fn the_lowest_slot_wins() {
    let mut bench = Bench::session(&[(2, 100, 1), (3, 100, 1), (1, 100, 1)]);
    let jump = |ip| {
        let mut lane = loads(ip, &[(0xA0, 50, 3)]);
        lane.branch_kind = BranchKind::JmpInd;
        lane.branch_next = 0x2000;
        lane
    };
    bench.retire(&[jump(0x1000)]);
    assert_eq!(bench.head(), 32);
    assert_eq!(bench.record(0)[0] & 0xFF, 2);
    assert_eq!((bench.counter(1), bench.counter(2), bench.counter(3)), (0, 100, 0));
    bench.retire(&[jump(0x1001)]);
    assert_eq!((bench.record(1)[0] & 0xFF, bench.record(1)[1]), (3, 0x1001));
    bench.retire(&[jump(0x1002)]);
    assert_eq!((bench.record(2)[0] & 0xFF, bench.record(2)[1]), (1, 0x1002));
}

// LWP-CNT-13: four instructions in one cycle, interval 2: the second is recorded; the fourth finds the store busy and waits.
#[test]
fn lanes_count_in_program_order() {
    let mut bench = Bench::session(&[(1, 2, 2)]);
    bench.retire(&[plain(1), plain(2), plain(3), plain(4)]);
    assert_eq!(bench.head(), 32);
    assert_eq!(bench.record(0)[1], 2);
    // Frozen at zero from the second on; the reload came later.
    assert_eq!(bench.counter(1), 2);
}

// LWP-CNT-06, LWP-CNT-07: while instructions are frozen at zero the branches go on.
#[test]
fn a_frozen_counter_does_not_stop_the_others() {
    let mut bench = Bench::session(&[(1, 1, 1), (2, 100, 100)]);
    bench.retire_now(&[plain(1)]);
    for ip in 2..6 {
        bench.retire_now(&[branch(ip, BranchKind::Ret, true, 0)]);
    }
    assert_eq!((bench.counter(1), bench.counter(2)), (0, 96));
}

// LWP-STO-14: all four beats of the record, then the tail is read, then the head is written.
#[test]
fn order_of_accesses() {
    let mut bench = Bench::session(&[(1, 1, 1)]);
    bench.retire(&[plain(1)]);
    let block = super::bench::LWPCB;
    let expected = [
        (MemCmd::Write, BUFFER, 0xFF),
        (MemCmd::Write, BUFFER + 8, 0xFF),
        (MemCmd::Write, BUFFER + 16, 0xFF),
        (MemCmd::Write, BUFFER + 24, 0xFF),
        (MemCmd::Read, block + 16, 0xF0),
        (MemCmd::Write, block + 16, 0x0F),
    ];
    assert_eq!(bench.log, expected);
}
