//! Records that are kept outside ring 3 or behind a page fault, followed by hand. Source: "LWP Control Instructions", "Processor
//! State for context switch, SVM, and SMM", "TLB and Cache misses during LWP logging".

use super::bench::{Answer, BUFFER, Bench, LWPCB, branch, kernel, plain, user};
use lwp_model::lwp::{BranchKind, Config, Control, CtlOp, Fault, FaultPolicy, Inputs, LeavePolicy, MemCmd};

const PAGE: u64 = 0x1000;
const OTHER: u64 = 0x3_0000;

fn hold() -> Config {
    Config { leave_policy: LeavePolicy::Hold, ..Config::default() }
}

/// In the kernel; the record of a branch at address A waits for ring 3.
fn held() -> Bench {
    let mut bench = Bench::session_with(hold(), 0, &[(2, 3, 1)]);
    bench.block(OTHER, 256, 0, &[(1, 9, 9)]);
    bench.retire_now(&[branch(0xA, BranchKind::Jmp, true, 0xB)]);
    bench.enter(kernel());
    assert_eq!((bench.unit.state().records[0].ip, bench.head()), (0xA, 0));
    bench
}

// LWP-LLW-26, LWP-SLW-09: the block is paged out, so the flush of the operation faults. Nothing has changed: the record is still
// there, and is stored in ring 3.
#[test]
fn an_operation_that_faults_leaves_the_record() {
    for (op, value) in [(CtlOp::Slwpcb, 0), (CtlOp::ReadMsr1, 0), (CtlOp::Llwpcb, OTHER), (CtlOp::WriteMsr1, OTHER)] {
        let mut bench = held();
        let before = *bench.unit.state();
        bench.absent.insert(LWPCB / PAGE);
        assert_eq!(bench.op(op, value), Answer::PageFault { addr: LWPCB + 16, write: true });
        let after = *bench.unit.state();
        assert_eq!((after.session, after.block, after.ring), (before.session, before.block, before.ring), "{op:?}");
        assert_eq!((after.events, after.records), (before.events, before.records), "{op:?}");
        bench.absent.clear();
        bench.enter(user());
        bench.idle(40);
        assert_eq!((bench.head(), bench.record(0)), (32, [0xE000_0002, 0xA, 0xB, 0]));
    }
}

// LWP-STO-16: one that succeeds drops it. The counter stays at zero, and the next branch is recorded in its place.
#[test]
fn an_operation_that_succeeds_drops_it() {
    for op in [CtlOp::Slwpcb, CtlOp::ReadMsr1] {
        let mut bench = held();
        assert_eq!(bench.op(op, 0), Answer::Value(LWPCB));
        assert_eq!((bench.unit.state().records[0].event, bench.counter(2)), (0, 0));
        bench.enter(user());
        bench.idle(40);
        assert_eq!(bench.head(), 0);
        bench.retire(&[branch(0xC, BranchKind::Jmp, true, 0xD)]);
        assert_eq!((bench.head(), bench.record(0)[1]), (32, 0xC));
    }
    for op in [CtlOp::Llwpcb, CtlOp::WriteMsr1] {
        let mut bench = held();
        bench.op(op, OTHER);
        assert_eq!(bench.unit.state().records[0].event, 0);
    }
}

// LWP-LLW-26: in ring 3 LLWPCB waits for the store, which faults; then its own probe does. The record waits for the trap, and is stored
// after it.
#[test]
fn a_probe_that_faults_leaves_the_record_of_a_trap() {
    let straps = Config { fault_policy: FaultPolicy::TrapPending, ..Config::default() };
    let mut bench = Bench::session_with(straps, 0, &[(1, 5, 1)]);
    bench.absent.extend([BUFFER / PAGE, OTHER / PAGE]);
    bench.retire_now(&[plain(0xA)]);
    assert_eq!(bench.op(CtlOp::Llwpcb, OTHER), Answer::PageFault { addr: OTHER, write: true });
    assert_eq!((bench.unit.state().records[0].ip, bench.unit.state().pending), (0xA, true));
    bench.take_page_fault();
    assert_eq!((bench.page_faults[0], bench.head(), bench.record(0)[1]), ((BUFFER, true), 32, 0xA));
}

/// LLWPCB of another block behind the fault of a store; whether that block goes away after the flush of the old session.
fn load_behind_a_trap(goes: bool) -> (Bench, Fault) {
    let straps = Config { fault_policy: FaultPolicy::TrapPending, ..Config::default() };
    let mut bench = Bench::session_with(straps, 0, &[(1, 5, 1)]);
    bench.block(OTHER, 256, 0, &[(1, 9, 9)]);
    bench.absent.insert(BUFFER / PAGE);
    bench.retire_now(&[plain(0xA)]);
    let ctl = Control { valid: true, op: CtlOp::Llwpcb, wdata: OTHER, ..Control::default() };
    let mut out = bench.cycle(Inputs { ctl, ..Inputs::default() });
    while !out.rsp_valid {
        // The last access of the flush is the counter of event 1.
        if goes && bench.log.last() == Some(&(MemCmd::Write, LWPCB + 40, 0xF0)) {
            bench.absent.insert(OTHER / PAGE);
        }
        out = bench.cycle(Inputs::default());
    }
    (bench, out.rsp_fault)
}

// LWP-STO-16: the record of the old session is dropped when the load begins. Its counter was flushed as 0.
#[test]
fn a_load_drops_the_record_of_a_trap() {
    let (bench, fault) = load_behind_a_trap(false);
    let state = bench.unit.state();
    assert_eq!((fault, state.session.lwpcb, state.records[0].event, state.pending), (Fault::None, OTHER, 0, false));
    assert_eq!(bench.read32(LWPCB + 44), 0);
}

// LWP-LLW-26: if the load faults, the old session comes back from its block, without the record; the next instruction is recorded in
// its place.
#[test]
fn a_load_that_faults_drops_it_too() {
    let (mut bench, fault) = load_behind_a_trap(true);
    assert_eq!((fault, bench.unit.state().session.lwpcb), (Fault::PageFault, LWPCB));
    assert_eq!((bench.unit.state().records[0].event, bench.unit.state().pending, bench.counter(1)), (0, false, 0));
    bench.take_page_fault();
    assert_eq!(bench.head(), 0);
    bench.retire(&[plain(0xC)]);
    assert_eq!((bench.head(), bench.record(0)[1]), (32, 0xC));
}

// A record that software restored without a session is dropped when a load begins, even one that faults.
#[test]
fn a_load_drops_what_belongs_to_no_session() {
    let mut bench = Bench::with(hold());
    bench.block(OTHER, 256, 0, &[(1, 9, 9)]);
    bench.restore(4, 1);
    assert_eq!(bench.unit.state().records[0].event, 1);
    let ctl = Control { valid: true, op: CtlOp::Llwpcb, wdata: OTHER, ..Control::default() };
    let mut out = bench.cycle(Inputs { ctl, ..Inputs::default() });
    while !out.rsp_valid {
        // The second probe is of the last of eight slots.
        if bench.log.last() == Some(&(MemCmd::Probe, OTHER + 96, 0xFF)) {
            bench.absent.insert(OTHER / PAGE);
        }
        out = bench.cycle(Inputs::default());
    }
    assert_eq!((out.rsp_fault, bench.unit.state().records[0].event), (Fault::PageFault, 0));
}

/// The record that hardware writes from words 4 to 6 of a restored context, restored in this order. Word 5 is 1234H.
fn written(order: [u8; 3], first: u64, addr: u64) -> [u64; 4] {
    let mut bench = Bench::session_with(hold(), 0, &[(first as u32 & 3, 9, 9)]);
    bench.enter(kernel());
    bench.restore_thread(&[0; 8]);
    for word in order {
        bench.restore(word, [first, 0x1234, addr][usize::from(word) - 4]);
    }
    for (word, value) in [(3, 0), (2, 0), (1, 1 << 32), (0, LWPCB)] {
        bench.restore(word, value);
    }
    bench.enter(user());
    bench.idle(80);
    assert_eq!(bench.head(), 32);
    bench.record(0)
}

// LWP-REC-09, LWP-INS-04, LWP-INS-06, LWP-BRN-07, LWP-BRN-13, LWP-BRN-22, LWP-DCM-09, LWP-DCM-22: software restores a record with bits in
// every field. Hardware writes 0 in what a record of the event reserves, in a prediction whose bit 29 is 0, and in an address whose
// bit 28 is 0.
#[test]
fn reserved_fields_of_a_restored_record_are_zero() {
    for order in [[6, 5, 4], [4, 5, 6]] {
        let written = |first, addr| written(order, first, addr);
        assert_eq!(written(0x7EAD_BEEF_FFFF_0001, 0x5678), [0x1, 0x1234, 0, 0]);
        assert_eq!(written(0x7EAD_BEEF_FFFF_0002, 0x5678), [0xE000_0002, 0x1234, 0x5678, 0]);
        assert_eq!(written(0x7EAD_BEEF_5FFF_0002, 0x5678), [0x2, 0x1234, 0x5678, 0], "5: bits 28 and 30");
        assert_eq!(written(0x7EAD_BEEF_7FFF_0003, 0x5678), [0x7EAD_BEEF_7000_0003, 0x1234, 0x5678, 0]);
        assert_eq!(written(0x7EAD_BEEF_6FFF_0003, 0x5678), [0x7EAD_BEEF_6000_0003, 0x1234, 0, 0]);
    }
}
