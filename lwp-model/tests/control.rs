//! LLWPCB, SLWPCB and the MSRs, followed by hand. Source: "LWPMSRs" and "LWP Control Instructions".

use super::bench::{Answer, BUFFER, Bench, LWPCB, MSR0_ALL, kernel, plain, user};
use lwp_model::lwp::{Block, CtlOp, Fault, MemCmd, Mode};

const OTHER: u64 = 0x3_0000;
/// A buffer of its own for that block.
const ELSEWHERE: u64 = 0x6_0000;

// LWP-LLW-02, LWP-SLW-03: A, B, 0 return 0, A, B.
#[test]
fn the_previous_pointer_is_returned() {
    let mut bench = Bench::new();
    bench.block(LWPCB, 256, 0, &[(1, 5, 5)]);
    bench.block(OTHER, 256, 0, &[(2, 5, 5)]);
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(0));
    assert_eq!(bench.op(CtlOp::Llwpcb, LWPCB), Answer::Value(0));
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    assert_eq!(bench.op(CtlOp::Llwpcb, OTHER), Answer::Value(LWPCB));
    assert_eq!(bench.op(CtlOp::Llwpcb, 0), Answer::Value(OTHER));
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(0));
}

// LWP-LLW-14, LWP-FLG-01 to 07: EN, BRE, DME and INT; the unknown event 7, the duplicate 2 and the empty slot do not show.
#[test]
fn flags_say_what_is_profiled() {
    let mut bench = Bench::new();
    bench.block(LWPCB, 256, 0, &[(0, 1, 1), (7, 1, 1), (2, 10, 9), (2, 20, 19), (3, 30, 29)]);
    let before = bench.read64(LWPCB + 64);
    assert_eq!(bench.op(CtlOp::Llwpcb, LWPCB), Answer::Value(0));
    assert_eq!(bench.read32(LWPCB), 0x8000_000D);
    // LWP-LLW-18, LWP-LLW-19: the earliest slot wins; the duplicate is left as it was.
    let event = bench.unit.state().events[1];
    assert_eq!((event.slot, event.interval, event.counter), (2, 10, 9));
    assert_eq!(bench.read64(LWPCB + 64), before);
}

// LWP-LLW-16, LWP-LCB-42: no events, or a buffer that cannot be used: Flags 0 and not active.
#[test]
fn unusable_blocks_are_not_activated() {
    let good = [(1, 5, 5)];
    for (size, head, tail, slots) in [
        (256, 0, 0, &[(7, 5, 5)]),
        (0, 0, 0, &good),
        (32, 0, 0, &good),
        (63, 0, 0, &good),
        (256, 256, 0, &good),
        (256, 0, 256, &good),
        (256, 0x1000_0000, 0, &good),
    ] {
        let mut bench = Bench::new();
        bench.block(LWPCB, size, 0, slots);
        bench.write32(LWPCB, 0x55);
        bench.write32(LWPCB + 16, head);
        bench.write32(LWPCB + 20, tail);
        assert_eq!(bench.op(CtlOp::Llwpcb, LWPCB), Answer::Value(0));
        assert_eq!(bench.read32(LWPCB), 0, "size {size} head {head} tail {tail}");
        assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(0));
    }
}

// The smallest ring holds one record.
#[test]
fn two_records_are_enough() {
    let mut bench = Bench::new();
    bench.block(LWPCB, 64 + 31, 0, &[(1, 1, 1)]);
    bench.write32(LWPCB + 16, 32 + 5);
    bench.op(CtlOp::Llwpcb, LWPCB);
    assert_eq!(bench.read32(LWPCB), 0x8000_0003);
    // The head, 37, counts as 32; the next one is 0, which is the tail: the ring is full.
    bench.retire(&[plain(1)]);
    assert_eq!(bench.missed(), 1);
    assert_eq!(bench.read64(BUFFER + 32 + 8), 1);
}

// LWP-SLW-01, LWP-SLW-08, LWP-LCB-31, LWP-LCB-44: head and counters are written, nothing else.
#[test]
fn slwpcb_flushes() {
    let mut bench = Bench::session(&[(1, 10, 10), (0, 0, 77), (2, 20, 0xFC00_0014)]);
    bench.retire(&[plain(1), plain(2), plain(3)]);
    bench.log.clear();
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    assert_eq!(
        bench.log,
        [(MemCmd::Write, LWPCB + 16, 0x0F), (MemCmd::Write, LWPCB + 40, 0xF0), (MemCmd::Write, LWPCB + 56, 0xF0)]
    );
    assert_eq!((bench.read32(LWPCB + 44), bench.read32(LWPCB + 52), bench.read32(LWPCB + 60)), (7, 77, 20));
    assert_eq!(bench.counter(1), 7);
}

// LWP-LLW-12, LWP-LLW-20, LWP-LLW-31: pause and resume loses nothing.
#[test]
fn pause_and_resume() {
    let mut bench = Bench::session(&[(1, 10, 10)]);
    bench.retire(&[plain(1), plain(2)]);
    assert_eq!(bench.op(CtlOp::Llwpcb, 0), Answer::Value(LWPCB));
    assert_eq!(bench.read32(LWPCB), 0x8000_0003);
    bench.retire(&[plain(3), plain(4)]);
    assert_eq!(bench.op(CtlOp::Llwpcb, LWPCB), Answer::Value(0));
    assert_eq!(bench.counter(1), 8);
    assert_eq!(bench.op(CtlOp::Llwpcb, LWPCB), Answer::Value(LWPCB));
    assert_eq!(bench.counter(1), 8);
}

// LWP-LLW-26: the second page of the new block is not present: #PF, and the old session goes on.
#[test]
fn a_faulting_llwpcb_changes_nothing() {
    let mut bench = Bench::session(&[(1, 10, 10)]);
    bench.retire(&[plain(1)]);
    let across = 0x5_0FF0;
    bench.absent.insert(0x51);
    let before = *bench.unit.state();
    assert_eq!(bench.op(CtlOp::Llwpcb, across), Answer::PageFault { addr: across + 96, write: true });
    let after = *bench.unit.state();
    assert_eq!((after.session, after.events), (before.session, before.events));
    bench.absent.clear();
    bench.block(across, 256, 0, &[(1, 3, 3)]);
    assert_eq!(bench.op(CtlOp::Llwpcb, across), Answer::Value(LWPCB));
    assert_eq!(bench.read32(LWPCB + 44), 9);
}

// LWP-SLW-09: a flush to a block that went away faults and keeps the state.
#[test]
fn a_faulting_flush_keeps_the_state() {
    let mut bench = Bench::session(&[(1, 10, 10)]);
    bench.retire(&[plain(1)]);
    bench.absent.insert(LWPCB / 0x1000);
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::PageFault { addr: LWPCB + 16, write: true });
    assert_eq!(bench.op(CtlOp::Llwpcb, 0), Answer::PageFault { addr: LWPCB + 16, write: true });
    bench.absent.clear();
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    assert_eq!(bench.read32(LWPCB + 44), 9);
}

// LWP-LLW-10, LWP-LLW-11, LWP-LLW-30, LWP-MSR1-04: outside ring 3 only the pointer is loaded; the page fault comes in ring 3.
#[test]
fn initialisation_waits_for_ring_3() {
    let mut bench = Bench::new();
    bench.block(LWPCB, 256, 0, &[(1, 3, 3)]);
    bench.enter(kernel());
    bench.log.clear();
    assert_eq!(bench.op(CtlOp::WriteMsr1, LWPCB), Answer::Value(0));
    assert_eq!(bench.op(CtlOp::ReadMsr1, 0), Answer::Value(LWPCB));
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    bench.idle(50);
    assert_eq!(bench.log, []);
    bench.absent.insert(LWPCB / 0x1000);
    bench.enter(user());
    bench.idle(20);
    assert_eq!(bench.log, [(MemCmd::Probe, LWPCB, 0xFF)]);
    bench.take_page_fault();
    assert_eq!(bench.page_faults, [(LWPCB, true)]);
    assert_eq!(bench.read32(LWPCB), 0x8000_0003);
    for ip in 1..=3 {
        bench.retire(&[plain(ip)]);
    }
    assert_eq!(bench.record(0)[1], 3);
}

// LWP-LLW-29 (flush at once), AMB-45: LLWPCB in the kernel flushes the old block there and then.
#[test]
fn llwpcb_in_the_kernel_flushes_at_once() {
    let mut bench = Bench::session(&[(1, 10, 10)]);
    bench.retire(&[plain(1)]);
    bench.enter(kernel());
    assert_eq!(bench.op(CtlOp::Llwpcb, 0), Answer::Value(LWPCB));
    assert_eq!(bench.read32(LWPCB + 44), 9);
}

// LWP-MSR0-15: clearing an event bit stops that event; clearing Enabled drops the session without touching memory.
#[test]
fn msr0_during_a_session() {
    let mut bench = Bench::session(&[(1, 10, 10), (2, 20, 20)]);
    bench.enter(kernel());
    assert_eq!(bench.op(CtlOp::WriteMsr0, 0b101), Answer::Value(0));
    bench.enter(user());
    bench.retire(&[super::bench::branch(1, lwp_model::lwp::BranchKind::Ret, true, 2)]);
    assert_eq!((bench.counter(1), bench.counter(2)), (10, 19));
    bench.enter(kernel());
    bench.log.clear();
    assert_eq!(bench.op(CtlOp::WriteMsr0, 0b110), Answer::Value(0));
    assert_eq!(bench.unit.outputs().msr0, 0b110);
    assert_eq!(bench.op(CtlOp::ReadMsr1, 0), Answer::Fault(Fault::GeneralProtection));
    assert_eq!(bench.op(CtlOp::WriteMsr0, MSR0_ALL), Answer::Value(0));
    assert_eq!(bench.op(CtlOp::ReadMsr1, 0), Answer::Value(0));
    assert_eq!(bench.log, []);
}

// LWP-MSR0-09, LWP-MSR0-10: a refused write changes nothing.
#[test]
fn a_refused_msr0_write_changes_nothing() {
    let mut bench = Bench::new();
    bench.enter(kernel());
    assert_eq!(bench.op(CtlOp::WriteMsr0, 0x11), Answer::Fault(Fault::GeneralProtection));
    assert_eq!(bench.op(CtlOp::ReadMsr0, 0), Answer::Value(MSR0_ALL));
}

// AMB-53: DS base is added by LLWPCB and subtracted by SLWPCB.
#[test]
fn ds_relative_pointers() {
    let mut bench = Bench::new();
    bench.block(LWPCB, 256, 0, &[(1, 3, 3)]);
    bench.mode = Mode { op_mode: lwp_model::lwp::OpMode::Protected, ..user() };
    assert_eq!(bench.op_with_base(CtlOp::Llwpcb, 0x4000, 0xC000), Answer::Value(0));
    assert_eq!(bench.op_with_base(CtlOp::Slwpcb, 0, 0xC000), Answer::Value(0x4000));
    assert_eq!(bench.unit.state().session.lwpcb, LWPCB);
}

// Operations that are not defined: #UD, and nothing of LWP changes.
#[test]
fn other_operations_leave_lwp_alone() {
    let mut bench = Bench::session(&[(1, 10, 10), (2, 5, 5)]);
    bench.retire(&[plain(1)]);
    bench.enter(kernel());
    let before = *bench.unit.state();
    for (op, value) in CtlOp::ALL[8..].iter().zip([0, 1, 0x43_00C0, u64::MAX].into_iter().cycle()) {
        assert_eq!(bench.op(*op, value), Answer::Fault(Fault::InvalidOpcode));
    }
    let after = *bench.unit.state();
    assert_eq!((after.session, after.events, after.lfsr), (before.session, before.events, before.lfsr));
}

// LWP-LLW-26: the new block passes the probe, and its page goes while it is being loaded, after the old session was flushed: #PF for
// the new block, and the old session is active again before the answer, as if nothing had happened. Nothing of the two blocks is
// equal, and the unit has loaded the new one up to its threshold, or all of it. What may differ is `allow`, which is of use only while a
// block is loaded.
#[test]
fn a_fault_after_the_flush_has_no_effect_either() {
    for (access, write) in [(OTHER + 32, false), (OTHER, true)] {
        let mut bench = Bench::new();
        bench.block(LWPCB, 256, 64, &[(1, 2, 2), (2, 20, 20)]);
        bench.write32(LWPCB + 36, 1 << 13);
        bench.op(CtlOp::Llwpcb, LWPCB);
        bench.block(OTHER, 3 << 28 | 128, 96, &[(2, 3, 3)]);
        bench.memory.insert(OTHER + 8, ELSEWHERE);
        bench.memory.insert(OTHER + 16, 64 << 32 | 96);
        bench.write32(OTHER + 36, 9);
        bench.retire(&[plain(1), plain(2)]);
        bench.retire(&[plain(3)]);
        let before = *bench.unit.state();
        let ctl = lwp_model::lwp::Control { valid: true, op: CtlOp::Llwpcb, wdata: OTHER, ..Default::default() };
        let mut out = bench.cycle(lwp_model::lwp::Inputs { ctl, ..Default::default() });
        // Up to the read of the threshold, or to the write of Flags, all goes well.
        while !(out.mem_req
            && out.mem_addr == access
            && (out.mem_cmd == MemCmd::Write) == write
            && out.mem_cmd != MemCmd::Probe)
        {
            out = bench.cycle(lwp_model::lwp::Inputs::default());
        }
        bench.absent.insert(OTHER >> 12);
        while !out.rsp_valid {
            out = bench.cycle(lwp_model::lwp::Inputs::default());
        }
        assert_eq!((out.rsp_fault, out.rsp_fault_addr, out.rsp_fault_write), (Fault::PageFault, access, write));
        let after = *bench.unit.state();
        assert_eq!((after.session, after.events), (before.session, before.events), "{access:#x}");
        let block = Block { allow: before.block.allow, ..after.block };
        assert_eq!((block, after.ring), (before.block, before.ring), "{access:#x}");
        // The second record lands in the old buffer, and meets the old threshold of two records.
        bench.idle(1);
        assert_eq!((bench.interrupts, bench.head()), (0, 32));
        bench.retire(&[plain(4)]);
        assert_eq!((bench.interrupts, bench.head(), bench.record(1)[1]), (1, 64, 4));
        assert!(bench.memory.range(ELSEWHERE..ELSEWHERE + 128).all(|(_, word)| *word == 0));
        bench.retire(&[plain(5)]);
        bench.absent.clear();
        assert_eq!(bench.op(CtlOp::Llwpcb, OTHER), Answer::Value(LWPCB));
        assert_eq!((bench.read32(LWPCB + 44), bench.unit.state().block.base), (1, ELSEWHERE));
    }
}
