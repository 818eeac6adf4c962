//! Control blocks of every kind, and what a program alone can do, followed by hand. Source: "LWP Control Instructions" and "LWP
//! Control Block".

use super::bench::{Answer, BUFFER, Bench, LWPCB, branch, kernel, loads, plain, user};
use lwp_model::lwp::{BranchKind, Config, CtlOp, Fault, Inputs, Misaligned, Mode, OpMode};
use lwp_regs::lwp::{EdxLayout, PresenceBit, cpuid};

// LWP-OVR-03, LWP-LLW-01, LWP-LLW-07, LWP-SLW-02, LWP-OVR-10: a program starts, asks and stops, all in ring 3; its records are in its own
// buffer.
#[test]
fn a_program_profiles_itself() {
    let mut bench = Bench::new();
    bench.block(LWPCB, 256, 0, &[(1, 2, 2)]);
    assert_eq!(bench.mode.cpl, 3);
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(0));
    assert_eq!(bench.op(CtlOp::Llwpcb, LWPCB), Answer::Value(0));
    let (block, ring) = (bench.unit.state().block, bench.unit.state().ring);
    assert_eq!((block.base, block.size, ring.head, ring.tail), (BUFFER, 256, 0, 0));
    bench.retire(&[plain(1), plain(2)]);
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    assert_eq!(bench.op(CtlOp::Llwpcb, 0), Answer::Value(LWPCB));
    bench.retire(&[plain(3), plain(4)]);
    assert_eq!((bench.stored(), bench.counter(1)), (vec![2], 2));
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(0));
}

// LWP-LLW-06: the block begins 16 bytes before the end of a page; both pages are probed, loaded and flushed.
#[test]
fn a_block_across_two_pages() {
    let at = 0x5_0FF0;
    let mut bench = Bench::new();
    bench.block(at, 256, 0, &[(1, 2, 2), (0, 0, 0), (2, 9, 9)]);
    bench.op(CtlOp::Llwpcb, at);
    bench.retire(&[plain(1), branch(2, BranchKind::Ret, true, 9)]);
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(at));
    assert_eq!((bench.read32(at + 16), bench.read32(at + 44), bench.read32(at + 60)), (32, 2, 8));
}

// LWP-LLW-08, LWP-SLW-04: real mode: #UD, whatever else.
#[test]
fn not_in_real_mode() {
    let mut bench = Bench::session(&[(1, 2, 2)]);
    bench.enter(Mode { op_mode: OpMode::Real, ..user() });
    assert_eq!(bench.op(CtlOp::Llwpcb, 0), Answer::Fault(Fault::InvalidOpcode));
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Fault(Fault::InvalidOpcode));
    bench.enter(user());
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
}

// LWP-OVR-01: legacy and long mode, the same instructions: the same records.
#[test]
fn legacy_and_long_mode() {
    let mut rings = Vec::new();
    for op_mode in [OpMode::Protected, OpMode::Compatibility, OpMode::Long64] {
        let mut bench = Bench::new();
        bench.enter(Mode { op_mode, ..user() });
        bench.block(LWPCB, 256, 0, &[(1, 3, 3), (2, 4, 4), (3, 2, 2)]);
        bench.op(CtlOp::Llwpcb, LWPCB);
        for ip in 0..5 {
            bench.retire(&[plain(ip), branch(ip + 16, BranchKind::Jcc, true, ip), loads(ip + 32, &[(0x8000, 99, 3)])]);
        }
        rings.push((0..7).map(|index| bench.record(index)).collect::<Vec<_>>());
    }
    assert_eq!(rings[0], rings[1]);
    assert_eq!(rings[0], rings[2]);
    assert_ne!(rings[0][4], [0; 4]);
}

// LWP-LLW-17: EventId 7 is not implemented, 2 is masked by LWPMSR0: the slot of event 1 works.
#[test]
fn ignored_selections_leave_the_others_working() {
    let mut bench = Bench::new();
    bench.enter(kernel());
    bench.op(CtlOp::WriteMsr0, 0b1011);
    bench.enter(user());
    bench.block(LWPCB, 256, 0, &[(7, 1, 1), (2, 1, 1), (1, 2, 2)]);
    bench.op(CtlOp::Llwpcb, LWPCB);
    bench.retire(&[branch(1, BranchKind::Ret, true, 9), plain(2)]);
    assert_eq!((bench.read32(LWPCB), bench.stored(), bench.record(0)[0]), (0b11, vec![2], 1));
}

// LWP-LLW-28, LWP-LCB-12: a new base and size take effect with LLWPCB; the low 5 bits of the base do not count.
#[test]
fn base_and_size_are_read_anew() {
    let mut bench = Bench::session(&[(1, 1, 1)]);
    bench.retire(&[plain(1)]);
    bench.memory.insert(LWPCB + 8, 0x6_001F);
    bench.retire(&[plain(2)]);
    assert_eq!(bench.read64(BUFFER + 32 + 8), 2, "not before");
    bench.write32(LWPCB + 4, 128);
    bench.op(CtlOp::Llwpcb, LWPCB);
    bench.retire(&[plain(3)]);
    assert_eq!((bench.read64(0x6_0000 + 64 + 8), bench.unit.state().block.size), (3, 128));
}

// LWP-CNT-16: SLWPCB flushes 10 and then counts as the instruction it is; LLWPCB counts in neither session.
#[test]
fn do_the_instructions_count_themselves() {
    let mut bench = Bench::session(&[(1, 10, 10)]);
    bench.op(CtlOp::Slwpcb, 0);
    bench.retire(&[plain(1)]);
    assert_eq!((bench.read32(LWPCB + 44), bench.counter(1)), (10, 9));
    bench.op(CtlOp::Llwpcb, LWPCB);
    bench.retire(&[super::bench::plain(2), lwp_model::lwp::Lane { counts: false, ..plain(3) }]);
    assert_eq!(bench.counter(1), 8);
}

// LWP-CNT-08: the word of a counter is all ones: of it 26 bits are loaded and counted down, and the upper six are written as 0.
#[test]
fn counters_have_26_bits() {
    let mut bench = Bench::session(&[(1, 100, 0xFFFF_FFFF), (2, 100, 0x0400_0001), (3, 100, 0x0200_0000)]);
    assert_eq!([1, 2, 3].map(|event| bench.counter(event)), [0x03FF_FFFF, 1, 0x0200_0000]);
    bench.retire(&[plain(1)]);
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    assert_eq!([44, 52, 60].map(|offset| bench.read32(LWPCB + offset)), [0x03FF_FFFE, 1, 0x0200_0000]);
}

// LWP-LLW-32: by default #GP(0) with LLWPCB and with WRMSR, whatever the low four bits are, and the session goes on unflushed.
#[test]
fn a_misaligned_block_is_refused() {
    let mut bench = Bench::session(&[(1, 2, 2)]);
    bench.block(0x3_0000, 256, 0, &[(2, 9, 9)]);
    for low in 1..16 {
        bench.enter(user());
        assert_eq!(bench.op(CtlOp::Llwpcb, 0x3_0000 + low), Answer::Fault(Fault::GeneralProtection), "{low}");
        bench.enter(kernel());
        assert_eq!(bench.op(CtlOp::WriteMsr1, 0x3_0000 + low), Answer::Fault(Fault::GeneralProtection), "{low}");
    }
    assert_eq!((bench.unit.state().session.lwpcb, bench.log.len()), (LWPCB, 0));
}

// LWP-LLW-32: "truncate": address plus 8 is the address, for LLWPCB and for WRMSR.
#[test]
fn a_misaligned_block_may_be_truncated() {
    for op in [CtlOp::Llwpcb, CtlOp::WriteMsr1] {
        let mut bench = Bench::with(Config { misaligned: Misaligned::Truncate, ..Config::default() });
        bench.block(LWPCB, 256, 0, &[(1, 2, 2)]);
        bench.enter(if op == CtlOp::Llwpcb { user() } else { kernel() });
        assert_eq!(bench.op(op, LWPCB + 8), Answer::Value(0));
        bench.enter(user());
        bench.idle(60);
        assert_eq!((bench.op(CtlOp::Slwpcb, 0), bench.read32(LWPCB)), (Answer::Value(LWPCB), 0x8000_0003));
    }
}

// LWP-CNT-04: what the core squashes never retires; what retires without counting (here an instruction that the convention leaves out)
// changes nothing; lanes in a stalled cycle have not retired.
#[test]
fn only_what_retires_and_counts() {
    let mut bench = Bench::session(&[(1, 10, 10)]);
    bench.retire(&[
        lwp_model::lwp::Lane { valid: false, ..plain(1) },
        lwp_model::lwp::Lane { counts: false, ..plain(2) },
    ]);
    assert_eq!(bench.counter(1), 10);
    let ctl = lwp_model::lwp::Control { valid: true, op: CtlOp::Slwpcb, ..Default::default() };
    bench.cycle(Inputs { ctl, ..Inputs::default() });
    assert!(bench.unit.outputs().stall);
    let mut inputs = Inputs::default();
    inputs.lanes[0] = plain(3);
    bench.cycle(inputs);
    bench.idle(40);
    assert_eq!(bench.counter(1), 10);
}

// LWP-CPU-03, LWP-CPU-34, LWP-CPU-04, LWP-CPU-05, LWP-MSR0-11, LWP-REC-10: both signs of presence agree; EAX follows LWPMSR0 at once,
// and never shows more than EDX; bits 15:8 of EBX are 32, the size of a record.
#[test]
fn cpuid_follows_the_straps_and_lwpmsr0() {
    for present in [true, false] {
        let unit = lwp_model::lwp::Lwp::<1, 8, 31>::new(Config { present, ..Config::default() }).unwrap();
        let [_, _, ecx, edx] = unit.cpuid(cpuid::LEAF_PRESENCE, EdxLayout::AsPrinted);
        let features = unit.cpuid(cpuid::LEAF_FEATURES, EdxLayout::AsPrinted);
        assert_eq!((PresenceBit::default().is_set(ecx, edx), features[3] & 1 == 1), (present, present));
        assert_eq!(unit.cpuid(cpuid::LEAF_EXTENDED, EdxLayout::AsPrinted), [0; 4]);
    }
    let mut bench = Bench::with(Config { avail_bre: false, ..Config::default() });
    bench.enter(kernel());
    for msr0 in [0, 1, 0b1011, 0x8000_0009, 0x8000_000B] {
        assert_eq!(bench.op(CtlOp::WriteMsr0, msr0), Answer::Value(0));
        let [eax, ebx, ecx, edx] = bench.unit.cpuid(cpuid::LEAF_FEATURES, EdxLayout::AsPrinted);
        assert_eq!(u64::from(eax), msr0);
        // EDX: 0 LWP, 1 interrupt, 2 IRE, 4 DME; no BRE in bit 3.
        assert_eq!((ebx, ecx, edx), (0x0108_2068, 0xC000_003F, 0b1_0111));
    }
}

// LWP-SEC-07: a record of a plain instruction after one full of addresses holds nothing of it.
#[test]
fn nothing_stale_is_in_a_record() {
    let mut bench = Bench::session(&[(2, 2, 1), (1, 3, 2)]);
    bench.retire(&[branch(0xAAAA, BranchKind::Ret, true, 0xBBBB)]);
    bench.retire(&[plain(0x11)]);
    assert_eq!(bench.record(0)[2], 0xBBBB);
    assert_eq!(bench.record(1), [1, 0x11, 0, 0]);
}
