//! What a page fault of a store means, by strap, followed by hand. Source: "TLB and Cache misses during LWP logging".

use super::bench::{Answer, BUFFER, Bench, LWPCB, branch, loads, plain};
use lwp_model::Choice;
use lwp_model::lwp::{
    BranchKind, Config, CtlOp, FaultPolicy, GatherPolicy, IntervalSource, Lane, LeavePolicy, MemCmd, StoreTiming,
};

fn policy(fault_policy: FaultPolicy) -> Config {
    Config { fault_policy, ..Config::default() }
}

fn fault() -> Config {
    Config { store_timing: StoreTiming::Sync, ..policy(FaultPolicy::Fault) }
}

/// Waits until the page fault is requested.
fn wait_for_fault(bench: &mut Bench) -> (u64, bool) {
    for _ in 0..100 {
        let out = bench.unit.outputs();
        if out.pf_valid {
            return (out.pf_addr, out.pf_abort);
        }
        bench.idle(1);
    }
    panic!("no page fault");
}

// LWP-FLT-03, LWP-FLT-04: the buffer is absent. The branch that is to be recorded is undone, with every event it counted for; after
// the handler it is executed again, and recorded. The instruction before it in the group has retired.
#[test]
fn policy_fault_undoes_the_instruction() {
    let mut bench = Bench::session_with(fault(), 0, &[(2, 100, 1), (1, 100, 50)]);
    bench.absent.insert(BUFFER >> 12);
    let group = [plain(1), branch(2, BranchKind::Ret, true, 9), plain(3)];
    bench.retire_now(&group);
    assert_eq!((bench.counter(1), bench.counter(2)), (48, 0));
    assert_eq!(wait_for_fault(&mut bench), (BUFFER, true));
    // As before lane 1: only the first instruction is counted.
    assert_eq!((bench.counter(1), bench.counter(2)), (49, 1));
    assert_eq!((bench.unit.outputs().cut_lane, bench.unit.state().ring.head), (1, 0));
    assert!(bench.unit.outputs().stall, "nothing retires before the fault is taken");
    bench.visit_kernel_for_page_fault();
    bench.retire(&group[1..]);
    bench.retire(&group[2..]);
    assert_eq!((bench.stored(), bench.counter(1), bench.counter(2)), (vec![2], 47, 100));
}

// LWP-FLT-05: a DCache miss: the counter is back at 1, the load hits when it is executed again, and a later miss is recorded.
#[test]
fn policy_fault_and_a_miss_that_does_not_recur() {
    let mut bench = Bench::session_with(fault(), 0, &[(3, 100, 1)]);
    bench.absent.insert(BUFFER >> 12);
    bench.retire_now(&[loads(0x10, &[(0x8000, 99, 3)])]);
    wait_for_fault(&mut bench);
    assert_eq!(bench.counter(3), 1);
    bench.visit_kernel_for_page_fault();
    bench.retire(&[plain(0x10)]);
    bench.retire(&[loads(0x20, &[(0x9000, 77, 3)])]);
    assert_eq!((bench.record(0)[1], bench.record(0)[0] >> 32), (0x20, 77));
}

// LWP-FLT-03: an instruction whose loads came in cycles of their own is undone as a whole.
#[test]
fn policy_fault_undoes_split_instructions() {
    let mut bench = Bench::session_with(fault(), 0, &[(3, 100, 3), (1, 100, 50)]);
    bench.absent.insert(BUFFER >> 12);
    let four = loads(0x10, &[(0x8000, 99, 3), (0x8100, 98, 3)]);
    bench.partial(four);
    assert_eq!(bench.counter(3), 1);
    bench.retire_now(&[four]);
    assert_eq!((bench.counter(3), bench.counter(1)), (0, 49));
    wait_for_fault(&mut bench);
    assert_eq!((bench.counter(3), bench.counter(1)), (3, 50));
}

// LWP-FLT-12, LWP-FLT-03: the ring is full and MissedEvents cannot be written: undone as well, and the miss is not owed.
#[test]
fn policy_fault_on_missed_events() {
    let mut bench = Bench::session_with(fault(), 0, &[(1, 1, 1)]);
    for ip in 1..=7 {
        bench.retire(&[plain(ip)]);
    }
    bench.retire_now(&[plain(8)]);
    while bench.unit.state().ring.missed == 0 {
        bench.idle(1);
    }
    bench.absent.insert(LWPCB >> 12);
    assert_eq!(wait_for_fault(&mut bench), (LWPCB + 24, true));
    assert_eq!((bench.counter(1), bench.unit.state().ring.missed), (1, 0));
    bench.visit_kernel_for_page_fault();
    bench.retire(&[plain(8)]);
    assert_eq!(bench.missed(), 1);
}

// LWP-FLT-06, LWP-FLT-02: policy trap drops the record, for each access of a store: head and MissedEvents stay, the counter is zero,
// and the next occurrence is stored.
#[test]
fn policy_trap_on_each_access() {
    let reread = Config { interval_source: IntervalSource::Reread, ..policy(FaultPolicy::Trap) };
    // The interval (bytes 40), a beat of the record, the tail (byte 20), the head (byte 16).
    for (cmd, addr, at) in [
        (MemCmd::Read, LWPCB + 40, LWPCB + 40),
        (MemCmd::Write, BUFFER + 24, BUFFER + 24),
        (MemCmd::Read, LWPCB + 16, LWPCB + 20),
        (MemCmd::Write, LWPCB + 16, LWPCB + 16),
    ] {
        let mut bench = Bench::session_with(reread, 0, &[(1, 100, 1)]);
        bench.retire_now(&[plain(1)]);
        while bench.unit.outputs().mem_cmd != cmd
            || bench.unit.outputs().mem_addr != addr
            || !bench.unit.outputs().mem_req
        {
            bench.idle(1);
        }
        bench.absent.insert(addr >> 12);
        assert_eq!(wait_for_fault(&mut bench), (at, false));
        assert_eq!((bench.unit.state().ring.head, bench.counter(1)), (0, 0), "{at:#x}");
        bench.visit_kernel_for_page_fault();
        bench.retire(&[plain(2)]);
        assert_eq!(bench.stored(), [2], "{at:#x}");
    }
}

// LWP-FLT-07: the record is kept. After the handler it is stored before anything retires: it is that of the first instruction.
#[test]
fn policy_trap_pending_keeps_the_record() {
    let mut bench = Bench::session_with(policy(FaultPolicy::TrapPending), 0, &[(1, 100, 1)]);
    bench.absent.insert(BUFFER >> 12);
    bench.retire_now(&[plain(1)]);
    assert_eq!(wait_for_fault(&mut bench), (BUFFER, false));
    assert!(bench.unit.state().pending && bench.unit.outputs().stall);
    bench.visit_kernel_for_page_fault();
    // The first cycle in ring 3 is dead; from the next one on the unit stalls until the record is stored.
    while bench.unit.outputs().stall {
        assert_eq!(bench.counter(1), 0);
        bench.idle(1);
    }
    assert_eq!((bench.stored(), bench.counter(1), bench.unit.state().pending), (vec![1], 100, false));
}

// LWP-FLT-07: the kernel is not held up by a pending record.
#[test]
fn a_pending_record_does_not_stall_the_kernel() {
    let mut bench = Bench::session_with(policy(FaultPolicy::TrapPending), 0, &[(1, 100, 1)]);
    bench.absent.insert(BUFFER >> 12);
    bench.retire_now(&[plain(1)]);
    wait_for_fault(&mut bench);
    bench.enter(super::bench::kernel());
    bench.idle(1);
    assert!(!bench.unit.outputs().stall && bench.unit.state().pending);
    bench.log.clear();
    bench.idle(50);
    assert_eq!(bench.log, []);
}

// LWP-FLT-14: under trap the other events keep their decrements.
#[test]
fn policy_trap_keeps_other_counts() {
    for fault_policy in [FaultPolicy::Trap, FaultPolicy::TrapPending, FaultPolicy::Nonpaged] {
        let mut bench = Bench::session_with(policy(fault_policy), 0, &[(2, 100, 1), (1, 100, 50)]);
        bench.absent.insert(BUFFER >> 12);
        bench.retire_now(&[branch(2, BranchKind::Ret, true, 9), plain(3)]);
        wait_for_fault(&mut bench);
        assert_eq!((bench.counter(1), bench.counter(2)), (48, 0), "{fault_policy:?}");
    }
}

// LWP-FLT-02, LWP-FLT-08: with pinned memory no access faults, and every record is stored as under any other policy.
#[test]
fn without_faults_all_policies_agree() {
    let mut rings = Vec::new();
    for fault_policy in FaultPolicy::ALL {
        let mut bench =
            Bench::session_with(Config { store_timing: StoreTiming::Sync, ..policy(*fault_policy) }, 0, &[(1, 3, 3)]);
        for ip in 0..15 {
            bench.retire(&[plain(ip)]);
        }
        assert_eq!(bench.page_faults, []);
        rings.push(bench.stored());
    }
    assert!(rings.iter().all(|ring| *ring == [2, 5, 8, 11, 14]), "{rings:?}");
}

// LWP-FLT-10: the page goes away again each time: nothing is ever stored, and nothing hangs.
#[test]
fn thrashing_is_no_deadlock() {
    for fault_policy in [FaultPolicy::Trap, FaultPolicy::TrapPending, FaultPolicy::Nonpaged] {
        let mut bench = Bench::session_with(policy(fault_policy), 0, &[(1, 1, 1)]);
        for ip in 0..20 {
            bench.absent.insert(BUFFER >> 12);
            if !bench.unit.outputs().stall {
                bench.retire_now(&[plain(ip)]);
            }
            wait_for_fault(&mut bench);
            bench.visit_kernel_for_page_fault();
        }
        bench.idle(60);
        bench.retire(&[plain(99)]);
        assert!(!bench.unit.outputs().stall);
        assert!(!bench.stored().is_empty(), "{fault_policy:?}");
    }
}

// A policy fault comes before the instruction has retired: the unit stalls from the cycle after its group until the fault. A trap policy lets
// it retire first. The order against #DB and interrupts: `debug/store_fault.rs`.
#[test]
fn faults_come_before_traps_of_the_instruction_and_trap_policies_after() {
    let mut aborted = Bench::session_with(fault(), 0, &[(1, 100, 1)]);
    aborted.absent.insert(BUFFER >> 12);
    aborted.retire_now(&[plain(1)]);
    while !aborted.unit.outputs().pf_valid {
        assert!(aborted.unit.outputs().stall, "the instruction has not retired");
        aborted.idle(1);
    }
    assert!(aborted.unit.outputs().pf_abort);
    let mut trapped = Bench::session_with(policy(FaultPolicy::Trap), 0, &[(1, 100, 1)]);
    trapped.absent.insert(BUFFER >> 12);
    trapped.retire_now(&[plain(1)]);
    assert!(!trapped.unit.outputs().stall, "it has retired, #DB may be taken");
    assert_eq!(wait_for_fault(&mut trapped), (BUFFER, false));
}

// LWP-LCB-06: the block is unmapped during the session: the next access to it, here an explicit flush, raises #PF.
#[test]
fn an_unmapped_block_faults_with_the_next_access() {
    let mut bench = Bench::session(&[(1, 100, 50)]);
    bench.absent.insert(LWPCB >> 12);
    bench.retire(&[plain(1)]);
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::PageFault { addr: LWPCB + 16, write: true });
    assert_eq!(bench.counter(1), 49);
}

// A record kept for a later try and one that waits behind it: on leaving ring 3 the first stays, the other is gathered anew.
#[test]
fn only_the_first_record_is_kept() {
    let straps = Config { gather_policy: GatherPolicy::All, leave_policy: LeavePolicy::Hold, ..Config::default() };
    let mut bench = Bench::session_with(straps, 0, &[(1, 100, 1), (2, 100, 1)]);
    let group: [Lane; 2] = [plain(1), branch(2, BranchKind::Ret, true, 9)];
    bench.retire_now(&group);
    bench.enter(super::bench::kernel());
    assert_eq!(bench.unit.state().records.map(|record| record.event), [1, 0, 0]);
    bench.enter(super::bench::user());
    bench.idle(60);
    bench.retire(&[branch(3, BranchKind::Ret, true, 9)]);
    assert_eq!(bench.stored(), [1, 3]);
}
