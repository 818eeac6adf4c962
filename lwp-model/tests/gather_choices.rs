//! Which occurrence of which event is recorded, by strap, followed by hand. Source: "Overview" step 2 and "Multiple
//! simultaneous events".

use super::bench::{BUFFER, Bench, branch, loads, plain};
use lwp_model::lwp::{
    BranchKind, Collision, Config, GatherPolicy, GatherSelect, GatherTarget, Inputs, Lane, StoreTiming,
};

/// A branch that misses: all three events at once.
fn busy(ip: u64) -> Lane {
    let miss = loads(ip, &[(0x9000, 100, 3)]);
    Lane { loads: miss.loads, ..branch(ip, BranchKind::JmpInd, true, 0x5000) }
}

/// The events of the records in the ring, in order.
fn events(bench: &Bench) -> Vec<u64> {
    (0..bench.stored().len() as u64).map(|index| bench.record(index)[0] & 0xFF).collect()
}

fn all() -> Config {
    Config { gather_policy: GatherPolicy::All, ..Config::default() }
}

// LWP-GAT-02: interval 3. The third instruction brings the counter to zero; "same" records it, "next" the one after it.
#[test]
fn same_or_next_instruction() {
    for (gather_target, recorded) in [(GatherTarget::Same, [3, 6]), (GatherTarget::Next, [4, 8])] {
        let mut bench = Bench::session_with(Config { gather_target, ..Config::default() }, 0, &[(1, 3, 3)]);
        for ip in 1..9 {
            bench.retire(&[plain(ip)]);
        }
        assert_eq!(bench.stored(), recorded, "{gather_target:?}");
    }
}

// LWP-GAT-03, LWP-GAT-04, LWP-GAT-01: two counters expire with different instructions of one cycle. "one" records the first,
// and the branch event waits for another branch; "all" records both, one after the other, a place each.
#[test]
fn one_record_at_a_time_or_one_for_each_event() {
    let slots = [(1, 100, 1), (2, 100, 1)];
    let group = [plain(1), branch(2, BranchKind::Jmp, true, 9), branch(3, BranchKind::Jmp, true, 9)];
    let mut one = Bench::session(&slots);
    one.retire(&group);
    assert_eq!((one.stored(), one.counter(2)), (vec![1], 0));
    one.retire(&[branch(4, BranchKind::Jmp, true, 9)]);
    assert_eq!(one.stored(), [1, 4]);
    let mut both = Bench::session_with(all(), 0, &slots);
    both.retire(&group);
    both.idle(40);
    assert_eq!((both.stored(), events(&both)), (vec![1, 2], vec![1, 2]));
    assert_eq!((both.counter(1), both.counter(2)), (100, 100));
    assert_eq!(both.read64(BUFFER + 32 + 8), 2);
}

// LWP-SIM-02, LWP-SIM-03: all three events expire with one instruction: one record, the others take later instructions. The
// literal reading of step 2 (one_per_instr = 0) records the instruction three times.
#[test]
fn one_record_for_one_instruction_or_several() {
    let slots = [(1, 100, 1), (2, 100, 1), (3, 100, 1)];
    let mut once = Bench::session_with(all(), 0, &slots);
    once.retire(&[busy(1)]);
    assert_eq!((once.stored(), events(&once)), (vec![1], vec![1]));
    once.retire(&[busy(2), busy(3)]);
    once.idle(40);
    assert_eq!((once.stored(), events(&once)), (vec![1, 2, 3], vec![1, 2, 3]));
    let literal = Config { one_per_instr: false, ..all() };
    let mut thrice = Bench::session_with(literal, 0, &slots);
    thrice.retire(&[busy(1)]);
    thrice.idle(40);
    assert_eq!((thrice.stored(), events(&thrice)), (vec![1, 1, 1], vec![1, 2, 3]));
}

// LWP-STO-09, LWP-STO-10: a second event expires while a record is being stored. "delay" keeps its record and stores it next;
// "discard" drops it: the counter stays at zero and the next instruction that causes the event is recorded.
#[test]
fn records_that_meet_are_delayed_or_discarded() {
    let slots = [(1, 100, 1), (2, 100, 1)];
    for (collision, second) in [(Collision::Delay, 2), (Collision::Discard, 3)] {
        let mut bench = Bench::session_with(Config { collision, ..all() }, 0, &slots);
        bench.retire_now(&[plain(1)]);
        bench.idle(3);
        bench.retire_now(&[branch(2, BranchKind::Jmp, true, 9)]);
        assert_eq!(bench.counter(2), 0, "{collision:?}");
        bench.idle(60);
        bench.retire(&[branch(3, BranchKind::Jmp, true, 9)]);
        assert_eq!(bench.stored(), [1, second], "{collision:?}");
    }
}

// LWP-GAT-06, LWP-SIM-04: instructions and branches expire together, again and again. The lowest slot always wins; rotating,
// they take turns, so that neither waits for more than one record of the other.
#[test]
fn the_choice_among_expired_events() {
    let slots = [(2, 1, 1), (1, 1, 1)];
    for (gather_select, chosen) in [(GatherSelect::LowestSlot, [2, 2, 2, 2]), (GatherSelect::Rotating, [2, 1, 2, 1])] {
        let mut bench = Bench::session_with(Config { gather_select, ..Config::default() }, 0, &slots);
        for ip in 1..5 {
            bench.retire(&[branch(ip, BranchKind::Jmp, true, 9)]);
        }
        assert_eq!(events(&bench), chosen, "{gather_select:?}");
    }
    let random = Config { gather_select: GatherSelect::Random, ..Config::default() };
    let mut bench = Bench::session_with(random, 0, &slots);
    let mut seen = [false; 3];
    for ip in 1..60 {
        bench.retire(&[branch(ip, BranchKind::Jmp, true, 9)]);
        let head = bench.unit.state().ring.head;
        bench.write32(super::bench::LWPCB + 20, head);
        seen[(bench.record(u64::from(head / 32 + 7) % 8)[0] & 3) as usize - 1] = true;
    }
    assert_eq!(seen, [true, true, false], "both were chosen at some time");
}

// LWP-STO-11, LWP-CNT-13: with a synchronous store the group ends with the instruction that is recorded: the core presents the
// rest again, and finds the store finished. So four lanes give what one lane gives.
#[test]
fn a_synchronous_store_cuts_the_group() {
    let straps = Config { store_timing: StoreTiming::Sync, ..Config::default() };
    let mut bench = Bench::session_with(straps, 0, &[(1, 2, 2)]);
    bench.retire_now(&[plain(1), plain(2), plain(3), plain(4)]);
    let out = bench.unit.outputs();
    assert!(out.stall && out.cut_valid);
    assert_eq!((out.cut_lane, bench.counter(1)), (1, 0));
    let mut waited = 0;
    while bench.unit.outputs().stall {
        bench.idle(1);
        waited += 1;
    }
    assert_eq!((bench.head(), bench.counter(1)), (32, 2));
    assert!(waited > 15, "retirement waits for the record");
    bench.retire(&[plain(3), plain(4)]);
    assert_eq!(bench.stored(), [2, 4]);
}

// LWP-STO-12, LWP-GAT-10: whatever memory does, the record describes the instruction that was gathered, not a later one.
#[test]
fn a_late_record_is_the_same_record() {
    let mut records = Vec::new();
    for late in [0, 1, 7, 200] {
        let mut bench = Bench::session(&[(2, 100, 1)]);
        bench.busy = true;
        bench.retire_now(&[branch(0x1234, BranchKind::Jcc, true, 0x5678)]);
        for ip in 0..late {
            bench.retire_now(&[branch(0x8000 + ip, BranchKind::Ret, true, ip)]);
        }
        bench.busy = false;
        bench.idle(60);
        records.push(bench.record(0));
    }
    assert_eq!(records, [[0xE000_0002, 0x1234, 0x5678, 0]; 4]);
}

// LWP-CNT-02, LWP-CNT-09: none, one or several events, each counter for itself; all three slots count at the same time.
#[test]
fn each_event_counts_for_itself() {
    let mut bench = Bench::session(&[(3, 100, 100), (1, 100, 100), (2, 100, 100)]);
    bench.retire(&[plain(1), branch(2, BranchKind::Call, true, 9), loads(3, &[(8, 50, 3)]), busy(4)]);
    assert_eq!([1, 2, 3].map(|event| bench.counter(event)), [96, 98, 98]);
    bench.retire(&[Lane { counts: false, ..busy(5) }]);
    assert_eq!([1, 2, 3].map(|event| bench.counter(event)), [96, 98, 98]);
}

// LWP-CNT-15: while the record is on its way nothing is counted towards the next one.
#[test]
fn occurrences_during_the_wait_are_lost() {
    let mut bench = Bench::session(&[(1, 50, 1)]);
    for ip in 0..16 {
        bench.retire_now(&[plain(ip)]);
    }
    assert_ne!(bench.unit.state().records[0].event, 0, "still on its way");
    bench.idle(40);
    assert_eq!((bench.stored(), bench.counter(1)), (vec![0], 50));
}

// LWP-RST-01: in the cycle after reset the counter is the interval, and it counts on.
#[test]
fn counting_resumes_with_the_interval() {
    let mut bench = Bench::session(&[(1, 50, 1)]);
    bench.retire(&[plain(1)]);
    assert_eq!(bench.counter(1), 50);
    bench.cycle(Inputs { lanes: [plain(2), plain(3), Lane::default(), Lane::default()], ..Inputs::default() });
    assert_eq!(bench.counter(1), 48);
}

// LWP-SIM-05: with intervals that have no common divisor an instruction that always causes two events is recorded for both.
#[test]
fn co_prime_intervals_show_every_category() {
    let mut bench = Bench::session(&[(1, 5, 5), (2, 7, 7)]);
    let mut seen = [0; 2];
    for ip in 0..200 {
        let before = bench.unit.state().ring.head;
        bench.retire(&[branch(ip, BranchKind::Ret, true, 9)]);
        let head = bench.unit.state().ring.head;
        if head != before {
            seen[(bench.record(u64::from(before / 32))[0] & 3) as usize - 1] += 1;
        }
        bench.write32(super::bench::LWPCB + 20, head);
    }
    assert!(seen[0] > 20 && seen[1] > 15, "{seen:?}");
}

// LWP-BRN-01, LWP-BRN-20, LWP-BRN-21: taken or not; NDB matters only if branches are counted; far transfers count, what the core
// calls a system transfer (IRET among them) does not.
#[test]
fn branches_that_count() {
    let mut bench = Bench::session(&[(2, 100, 100)]);
    bench.retire(&[branch(1, BranchKind::Jcc, false, 2), branch(2, BranchKind::Jcc, true, 9)]);
    bench.retire(&[branch(1, BranchKind::FarJmp, true, 9), branch(2, BranchKind::FarRet, true, 9)]);
    assert_eq!(bench.counter(2), 96);
    bench.retire(&[branch(3, BranchKind::System, true, 9)]);
    assert_eq!(bench.counter(2), 96);
    for ndb in [0, 1 << 13] {
        let mut bench = Bench::new();
        bench.block(super::bench::LWPCB, 256, 0, &[(1, 100, 100)]);
        bench.write32(super::bench::LWPCB + 36, ndb);
        bench.op(lwp_model::lwp::CtlOp::Llwpcb, super::bench::LWPCB);
        bench.retire(&[branch(1, BranchKind::Jmp, true, 9)]);
        assert_eq!((bench.counter(1), bench.counter(2)), (99, 0));
    }
}

// LWP-REC-03: a single core is number 0.
#[test]
fn a_single_core_is_core_0() {
    let mut bench = Bench::session(&[(1, 100, 1)]);
    bench.retire(&[plain(1)]);
    assert_eq!(bench.record(0)[0] >> 8 & 0xFF, 0);
    let straps = Config { core_id: 0x5A, ..Config::default() };
    let mut other = Bench::session_with(straps, 0, &[(1, 100, 1)]);
    other.retire(&[plain(1)]);
    assert_eq!(other.record(0)[0], 0x5A01);
}
