//! Branch trace messages on the system bus: for which transfers, at which level, and what waits.

use super::bench::*;
use lwp_model::retire::{BranchKind, IntKind, OpMode, RegOp, RegRequest};
use lwp_model::trace::{Config, Inputs, Queue};

type Small = Bench<1, 4>;
type Large = Bench<4, 32>;

// DCTL-06, BTS-01, BTS-02, BTS-03: one message for each branch, interrupt and exception, with source and destination
#[test]
fn one_message_for_each() {
    let mut bench = Large::on(deep(), TR);
    bench.retire(&[jump(0x100, 0x200), at(0x200), predicted(of_kind(BranchKind::Ret, 0x203, 0x300), true)]);
    bench.rest();
    bench.retire(&[predicted(of_kind(BranchKind::System, 0x304, 0x8000), false)]);
    bench.rest();
    bench.interrupt(IntKind::Interrupt, 0x80, 0x8000, 0x9000);
    bench.interrupt(IntKind::Exception, 14, 0x9000, 0xA000);
    bench.interrupt(IntKind::Nmi, 2, 0xA000, 0xB000);
    bench.interrupt(IntKind::Smi, 0, 0xB000, 0x3_8000);
    bench.interrupt(IntKind::Rsm, 0, 0x3_8004, 0xB000);
    bench.rest();
    let expected = [
        (0x100, 0x200, false),
        (0x203, 0x300, true),
        (0x304, 0x8000, false),
        (0x8000, 0x9000, false),
        (0x9000, 0xA000, false),
        (0xA000, 0xB000, false),
        (0xB000, 0x3_8000, false),
    ];
    assert_eq!(bench.seen.messages, expected);
    assert_eq!((bench.seen.stored, bench.seen.lost, bench.memory.log.len()), (0, 0, 0));
}

// DCTL-06, BTS-38: TR generates messages: none without it, whatever LBR and BTS are
#[test]
fn no_messages_without_tr() {
    for debugctl in [0, LBR, BTS, LBR | BTS | BTINT] {
        let mut bench = Small::on(Config::default(), debugctl);
        bench.jump(0x100, 0x200);
        bench.interrupt(IntKind::Interrupt, 0x80, 0x200, 0x9000);
        bench.pass(4);
        assert_eq!((bench.seen.messages.len(), bench.memory.log.len()), (0, 0), "{debugctl:x}");
    }
}

// DCTL-17, BTS-02: a debug exception makes a message by its strap, and TR goes on
#[test]
fn a_debug_exception() {
    for db_message in [false, true] {
        let mut bench = Small::on(Config { db_message, ..Config::default() }, TR);
        bench.interrupt(IntKind::Exception, DB, 0x100, 0x9000);
        bench.rest();
        bench.jump(0x9000, 0x9100);
        bench.rest();
        let expected = [(0x100, 0x9000, false), (0x9000, 0x9100, false)];
        assert_eq!(bench.seen.messages, expected[usize::from(!db_message)..]);
    }
}

// DCTL-09, DCTL-10, DCTL-21: by the level at the source
#[test]
fn privilege() {
    let levels = [
        (OpMode::Long64, 0, true),
        (OpMode::Long64, 1, false),
        (OpMode::Protected, 2, false),
        (OpMode::Compatibility, 3, false),
        (OpMode::Real, 3, true),
        (OpMode::Virtual8086, 0, false),
    ];
    for (flags, os, usr) in
        [(0, true, true), (OFF_OS, false, true), (OFF_USR, true, false), (OFF_OS | OFF_USR, false, false)]
    {
        for (op_mode, cpl, system) in levels {
            let mut bench = Small::on(Config::default(), LBR | TR | flags);
            (bench.stays.mode.op_mode, bench.stays.mode.cpl) = (op_mode, cpl);
            bench.jump(0x100, 0x200);
            bench.rest();
            // The way into the kernel is a transfer of the level that it leaves.
            bench.interrupt(IntKind::Interrupt, 0x80, 0x200, 0x9000);
            bench.rest();
            let expected = if if system { os } else { usr } { 2 } else { 0 };
            assert_eq!((bench.seen.messages.len(), bench.tos()), (expected, 2), "{flags:x} {op_mode:?} {cpl}");
        }
    }
}

// BTS-03: a message stays as it is until the bus takes it; the next one follows
#[test]
fn a_message_waits_for_the_bus() {
    let mut bench = Large::on(deep(), TR);
    bench.stays.btm_ready = false;
    bench.group(&[predicted(jump(0x100, 0x200), true), jump(0x200, 0x300)]);
    for _ in 0..5 {
        let out = bench.idle();
        assert_eq!((out.btm_valid, out.btm_from, out.btm_to, out.btm_predicted), (true, 0x100, 0x200, true));
        assert!(!out.reg_ready);
    }
    bench.stays.btm_ready = true;
    let out = bench.idle();
    assert_eq!((out.btm_valid, out.btm_from, out.btm_to, out.btm_predicted), (true, 0x200, 0x300, false));
    let out = bench.idle();
    assert_eq!((out.btm_valid, out.btm_from, out.btm_to, out.btm_predicted), (false, 0, 0, false));
    assert!(out.reg_ready);
}

// BTS-05: the core waits while less than a group's places are free; what it shows meanwhile is ignored, and nothing is lost
#[test]
fn the_core_waits_for_the_queue() {
    let mut bench = Large::on(deep(), LBR | TR);
    bench.stays.btm_ready = false;
    let group = |first| [jump(first, 9), jump(first + 1, 9), jump(first + 2, 9), jump(first + 3, 9)];
    assert!(!bench.group(&group(0x100)).stall, "four places are left");
    assert!(bench.group(&group(0x200)).stall, "none is left");
    let out = bench.group(&group(0x300));
    assert_eq!((out.stall, bench.unit.state().queue.count, bench.tos()), (true, 8, 8));
    bench.interrupt(IntKind::Exception, DB, 0x400, 0x9000);
    assert_eq!((bench.debugctl(), bench.tos()), (LBR | TR, 8), "an interruption is ignored, too");
    bench.stays.btm_ready = true;
    for left in [7, 6, 5, 4] {
        let out = bench.idle();
        assert_eq!((bench.unit.state().queue.count, out.stall), (left, left > 4));
    }
    // Four records leave while four others come.
    bench.group(&group(0x300));
    assert_eq!(bench.unit.state().queue.count, 7);
    bench.rest();
    assert_eq!(bench.unit.state().queue, Queue::default(), "what has left is 0");
    let sources: Vec<_> = bench.seen.messages.iter().map(|message| message.0).collect();
    let expected = [0x100_u64, 0x200, 0x300].iter().flat_map(|first| (0..4).map(move |lane| first + lane));
    assert_eq!(sources, expected.collect::<Vec<u64>>());
}

// BTS-05: of one lane the queue holds two records
#[test]
fn a_queue_of_two() {
    let mut bench = Small::on(Config::default(), TR);
    bench.stays.btm_ready = false;
    assert!(!bench.group(&[jump(1, 9)]).stall);
    assert!(bench.group(&[jump(2, 9)]).stall);
    bench.stays.btm_ready = true;
    assert!(!bench.group(&[jump(3, 9)]).stall);
    bench.jump(4, 9);
    bench.rest();
    assert_eq!(bench.seen.messages.iter().map(|message| message.0).collect::<Vec<_>>(), [1, 2, 4]);
}

// DCTL-06: WRMSR waits until every message is on the bus
#[test]
fn a_write_waits_for_the_messages() {
    let mut bench = Small::on(Config::default(), TR);
    bench.stays.btm_ready = false;
    bench.jump(0x100, 0x200);
    let reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number: DEBUGCTL, wdata: 0 };
    for _ in 0..3 {
        assert!(!bench.cycle(Inputs { reg, ..Inputs::default() }).reg_done);
        assert_eq!(bench.debugctl(), TR);
    }
    bench.stays.btm_ready = true;
    assert!(!bench.cycle(Inputs { reg, ..Inputs::default() }).reg_done, "not in the cycle of the last message");
    let out = bench.cycle(Inputs { reg, ..Inputs::default() });
    assert_eq!((out.reg_done, bench.debugctl(), bench.seen.messages.len()), (true, 0, 1));
}

// DCTL-13: an SMI does not take back the messages that wait
#[test]
fn an_smi_leaves_what_waits() {
    let mut bench = Small::on(Config::default(), TR | FREEZE_SMM);
    bench.stays.btm_ready = false;
    bench.jump(0x100, 0x200);
    bench.interrupt(IntKind::Smi, 0, 0x200, 0x3_8000);
    bench.stays.btm_ready = true;
    bench.rest();
    assert_eq!(bench.seen.messages, [(0x100, 0x200, false)]);
}
