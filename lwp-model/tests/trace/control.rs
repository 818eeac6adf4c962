//! IA32_DEBUGCTL: debug exceptions, freezing, and system-management mode.

use super::area::{AREA, BUFFER};
use super::bench::*;
use lwp_model::retire::{IntKind, RegOp, RegRequest};
use lwp_model::trace::{Config, Inputs};

type Small = Bench<1, 4>;
type Large = Bench<4, 32>;

const ALL: u64 = 0xDFC3;

// DCTL-16, DCTL-17, DCTL-19: a debug exception clears LBR and BTF alone, and leaves the records
#[test]
fn a_debug_exception() {
    let mut bench = Small::on(Config::default(), LBR);
    bench.jump(0x100, 0x200);
    let lbr = bench.unit.state().lbr;
    bench.write(DEBUGCTL, ALL & !BTS);
    bench.interrupt(IntKind::Exception, DB, 0x200, 0x9000);
    assert_eq!(bench.debugctl(), ALL & !BTS & !LBR & !BTF);
    assert_eq!((bench.unit.state().lbr.entry, bench.tos()), (lbr.entry, lbr.tos), "no record");
    bench.jump(0x9000, 0x9100);
    assert_eq!(bench.tos(), lbr.tos, "the handler leaves none");
}

// DCTL-16: nothing but the vector of an exception makes a debug exception
#[test]
fn other_interruptions_leave_the_flags() {
    let kinds = [
        (IntKind::Exception, 3),
        (IntKind::Exception, 14),
        (IntKind::Interrupt, DB),
        (IntKind::Nmi, 2),
        (IntKind::Unused6, DB),
        (IntKind::Rsm, 0),
    ];
    for (kind, vector) in kinds {
        let mut bench = Small::on(Config::default(), LBR | BTF | FREEZE_LBRS | FREEZE_SMM);
        bench.interrupt(kind, vector, 0x200, 0x9000);
        assert_eq!(bench.debugctl(), LBR | BTF | FREEZE_LBRS | FREEZE_SMM, "{kind:?} {vector}");
    }
    // Without FREEZE_WHILE_SMM an SMI clears nothing.
    let mut bench = Small::on(Config::default(), LBR | BTF);
    bench.interrupt(IntKind::Smi, 0, 0x200, 0x9000);
    assert_eq!((bench.debugctl(), bench.unit.state().control.smm_frozen), (LBR | BTF, false));
}

// DCTL-11, DCTL-22: the request freezes the stack: branches of its cycle are recorded, later ones are not
#[test]
fn a_performance_interrupt_freezes_the_stack() {
    for (flag, frozen) in [(FREEZE_LBRS, true), (0, false), (FREEZE_PERFMON, false)] {
        let mut bench = Small::on(Config::default(), LBR | flag);
        let mut inputs = Inputs { pmi: true, ..Inputs::default() };
        inputs.lanes[0] = jump(0x100, 0x200);
        bench.cycle(inputs);
        assert_eq!(bench.pair(), (0x100, 0x200));
        bench.interrupt(IntKind::Interrupt, 0x80, 0x200, 0x9000);
        bench.jump(0x9000, 0x9100);
        let expected = if frozen { (0x100, 0x200) } else { (0x9000, 0x9100) };
        assert_eq!((bench.pair(), bench.debugctl()), (expected, flag | u64::from(!frozen)));
    }
}

// DCTL-25: the handler reads the interrupted program's branches, and thaws by writing LBR
#[test]
fn the_handler_reads_and_thaws() {
    let mut bench = Small::on(Config::default(), LBR | FREEZE_LBRS);
    bench.jump(0x100, 0x200);
    bench.jump(0x204, 0x300);
    bench.pmi();
    bench.interrupt(IntKind::Interrupt, 0x80, 0x300, 0x9000);
    for n in 0..8 {
        bench.jump(0x9000 + n, 0x9100);
    }
    let tos = bench.read(TOS) as u32;
    assert_eq!([bench.read(FROM + tos), bench.read(TO + tos)], [0x204, 0x300]);
    assert_eq!([bench.read(FROM + tos - 1), bench.read(TO + tos - 1)], [0x100, 0x200]);
    assert_eq!(bench.read(DEBUGCTL), FREEZE_LBRS);
    bench.write(DEBUGCTL, LBR | FREEZE_LBRS);
    bench.jump(0x9100, 0x304);
    assert_eq!(bench.pair(), (0x9100, 0x304));
}

// DCTL-11: a WRMSR in the cycle of the request does not undo the freeze; FREEZE_LBRS_ON_PMI of the cycle decides
#[test]
fn a_write_in_the_cycle_of_the_request() {
    for (old, new, expected) in [
        (LBR | FREEZE_LBRS, LBR | FREEZE_LBRS, FREEZE_LBRS),
        (LBR | FREEZE_LBRS, LBR, 0),
        (LBR, LBR | FREEZE_LBRS, LBR | FREEZE_LBRS),
    ] {
        let mut bench = Small::on(Config::default(), old);
        let reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number: DEBUGCTL, wdata: new };
        bench.cycle(Inputs { reg, pmi: true, ..Inputs::default() });
        assert_eq!(bench.debugctl(), expected, "{old:x} {new:x}");
        assert_eq!(bench.unit.state().control.lbr_frozen, expected & LBR == 0);
    }
}

// LBR-03, DCTL-11, DCTL-17: with `lbr_tr` a debug exception does not stop the stack, a performance interrupt does
#[test]
fn a_stack_that_follows_tr() {
    let straps = Config { lbr_tr: true, ..Config::default() };
    let mut bench = Small::on(straps, LBR | TR | FREEZE_LBRS);
    bench.interrupt(IntKind::Exception, DB, 0x200, 0x9000);
    bench.jump(0x9000, 0x9100);
    assert_eq!((bench.debugctl(), bench.pair()), (TR | FREEZE_LBRS, (0x9000, 0x9100)));
    bench.pmi();
    bench.jump(0x9100, 0x9200);
    assert_eq!((bench.pair(), bench.unit.state().control.lbr_frozen), ((0x9000, 0x9100), true));
    // A refused write does not thaw; any other does.
    assert!(bench.wrmsr(DEBUGCTL, TR | 4).is_err());
    assert!(bench.unit.state().control.lbr_frozen);
    bench.write(DEBUGCTL, TR | FREEZE_LBRS);
    bench.jump(0x9200, 0x9300);
    assert_eq!((bench.pair(), bench.unit.state().control.lbr_frozen), ((0x9200, 0x9300), false));
}

// DCTL-13, DCTL-14: an SMI saves, and clears LBR, BTF, TR and BTS; RSM restores
#[test]
fn an_smi_saves_and_rsm_restores() {
    let mut bench = Small::on(Config::default(), ALL);
    bench.write(DS_AREA, 0x3000);
    bench.interrupt(IntKind::Smi, 0, 0x200, 0x3_8000);
    let control = bench.unit.state().control;
    assert_eq!((bench.debugctl(), control.smm_debugctl, control.smm_frozen), (0xDF00, 0xDFC3, true));
    assert_eq!((bench.unit.state().queue.count, bench.tos()), (0, 0), "the SMI is not recorded");
    bench.jump(0x3_8000, 0x3_9000);
    assert_eq!((bench.unit.state().queue.count, bench.tos()), (0, 0), "nor is its handler");
    bench.write(DEBUGCTL, 0);
    bench.interrupt(IntKind::Rsm, 0, 0x3_9000, 0x200);
    let control = bench.unit.state().control;
    assert_eq!((bench.debugctl(), control.smm_debugctl, control.smm_frozen), (ALL, 0, false));
    assert_eq!(bench.tos(), 0, "RSM as an interruption makes no record");
    bench.rest();
    // A second RSM restores nothing.
    bench.write(DEBUGCTL, LBR);
    bench.interrupt(IntKind::Rsm, 0, 0x200, 0x200);
    assert_eq!(bench.debugctl(), LBR);
}

// DCTL-13: a second SMI before RSM saves again
#[test]
fn a_second_smi() {
    let mut bench = Small::on(Config::default(), LBR | FREEZE_SMM);
    bench.interrupt(IntKind::Smi, 0, 0x200, 0x3_8000);
    bench.write(DEBUGCTL, BTF | FREEZE_SMM);
    bench.interrupt(IntKind::Smi, 0, 0x200, 0x3_8000);
    assert_eq!(bench.unit.state().control.smm_debugctl, (BTF | FREEZE_SMM) as u16);
    // Without FREEZE_WHILE_SMM the copy stays.
    bench.write(DEBUGCTL, LBR);
    bench.interrupt(IntKind::Smi, 0, 0x200, 0x3_8000);
    assert_eq!((bench.debugctl(), bench.unit.state().control.smm_debugctl), (LBR, (BTF | FREEZE_SMM) as u16));
    bench.interrupt(IntKind::Rsm, 0, 0x3_9000, 0x200);
    assert_eq!(bench.debugctl(), BTF | FREEZE_SMM);
}

// DCTL-11, DCTL-13: a request in the cycle of the SMI: the copy is that of the frozen stack
#[test]
fn a_request_in_the_cycle_of_an_smi() {
    let mut bench = Small::on(Config::default(), LBR | BTF | FREEZE_LBRS | FREEZE_SMM);
    let mut inputs = Inputs { pmi: true, ..Inputs::default() };
    (inputs.int.valid, inputs.int.kind) = (true, IntKind::Smi);
    bench.cycle(inputs);
    bench.interrupt(IntKind::Rsm, 0, 0, 0);
    assert_eq!(bench.debugctl(), BTF | FREEZE_LBRS | FREEZE_SMM);
}

// DCTL-11, DCTL-14: a request in SMM, or in the cycle of RSM, freezes the stack of the interrupted program, also behind RSM
#[test]
fn a_request_in_smm() {
    for in_the_cycle_of_rsm in [false, true] {
        let mut bench = Small::on(Config::default(), LBR | BTF | FREEZE_LBRS | FREEZE_SMM);
        bench.jump(0x100, 0x200);
        bench.interrupt(IntKind::Smi, 0, 0x200, 0x3_8000);
        let mut rsm = Inputs { pmi: in_the_cycle_of_rsm, ..Inputs::default() };
        (rsm.int.valid, rsm.int.kind) = (true, IntKind::Rsm);
        if !in_the_cycle_of_rsm {
            bench.pmi();
        }
        bench.cycle(rsm);
        assert_eq!(bench.debugctl(), BTF | FREEZE_LBRS | FREEZE_SMM);
        bench.jump(0x204, 0x300);
        assert_eq!(bench.pair(), (0x100, 0x200));
    }
    // The old program's records may reach the threshold in SMM.
    let mut bench = Small::tracing(Config::default(), LBR | TR | BTS | BTINT | FREEZE_LBRS | FREEZE_SMM, 4, 1);
    bench.jump(0x100, 0x200);
    bench.interrupt(IntKind::Smi, 0, 0x200, 0x3_8000);
    bench.rest();
    bench.idle();
    assert_eq!(bench.seen.ds_pmi, 1);
    bench.interrupt(IntKind::Rsm, 0, 0x3_9000, 0x200);
    assert_eq!(bench.debugctl() & LBR, 0);
    // Without FREEZE_LBRS_ON_PMI the copy is whole.
    let mut bench = Small::on(Config::default(), LBR | FREEZE_SMM);
    bench.interrupt(IntKind::Smi, 0, 0x200, 0x3_8000);
    bench.pmi();
    bench.interrupt(IntKind::Rsm, 0, 0x3_9000, 0x200);
    assert_eq!(bench.debugctl(), LBR | FREEZE_SMM);
}

// DCTL-08, DCTL-14, BTS-40: RSM restores another BTINT while records wait: each is stored as its own branch has it
#[test]
fn records_that_wait_keep_their_btint() {
    for (smm, program, stored, first) in [(BTINT, 0, [2, 1], 0x100), (0, BTINT, [3, 0], 0x300)] {
        let mut bench = Large::tracing(deep(), TR | BTS | FREEZE_SMM | program, 2, 9);
        bench.interrupt(IntKind::Smi, 0, 0x50, 0x3_8000);
        bench.write(DEBUGCTL, TR | BTS | FREEZE_SMM | smm);
        bench.jump(0x100, 0x200);
        bench.jump(0x200, 0x300);
        bench.jump(0x300, 0x400);
        assert_eq!(bench.unit.state().queue.count, 3, "the first record is being stored, and two wait");
        bench.interrupt(IntKind::Rsm, 0, 0x3_9000, 0x50);
        assert_eq!(bench.debugctl(), TR | BTS | FREEZE_SMM | program);
        bench.rest();
        bench.idle();
        assert_eq!([bench.seen.stored, bench.seen.lost], stored);
        assert_eq!([0, 24].map(|at| bench.memory.field(BUFFER + at, true)), [first, 0x200]);
        let records = if smm == 0 { 1 } else { 2 };
        assert_eq!(bench.index(AREA, true, false), BUFFER + 24 * records);
    }
}
