//! Single step, INT1 and task switches.

use super::ports::*;
use lwp_model::debug::{Config, DbClass, LaneKind, Outputs};
use lwp_model::retire::{BranchKind, IntKind};

const D: Config = Config::DEFAULT;

// DBG-64, DBG-65: TF when the instruction began
#[test]
fn behind_each_instruction() {
    let step = cut(1, false, bs(db(DbClass::Trap, 0)));
    let group = lanes(&[at(0x10), tf(at(0x11)), tf(at(0x12))]);
    Hand::new(D).only(
        group,
        step,
        &[QUIET, cut(0, false, bs(db(DbClass::Trap, 0))), cut(1, false, db(DbClass::Trap, 0))],
    );
    // DBG-68: INT n, INT3 and INTO clear TF
    for kind in [LaneKind::IntN, LaneKind::Int3] {
        let mut hand = Hand::new(D);
        hand.only(lanes(&[tf(super::ports::kind(0x10, kind))]), QUIET, &[bs(db(DbClass::Trap, 0))]);
        hand.counted("int_unstepped");
    }
    // DBG-73: not behind an SS load, but behind the next instruction
    let mut hand = Hand::new(D);
    hand.only(lanes(&[tf(ss(0x10)), tf(at(0x11)), tf(at(0x12))]), step, &[cut(0, false, bs(db(DbClass::Trap, 0)))]);
    hand.counted("shadow_unstepped");
}

// BTF: behind a branch alone
#[test]
fn branches() {
    let mut jump = tf(at(0x12));
    (jump.branch.kind, jump.branch.taken) = (BranchKind::Cond, true);
    let mut not = jump;
    not.branch.taken = false;
    let mut group = lanes(&[tf(at(0x10)), not, jump, tf(at(0x20))]);
    group.btf = true;
    let mut hand = Hand::new(D);
    hand.only(group, cut(2, false, bs(db(DbClass::Trap, 0))), &[QUIET, cut(0, false, bs(db(DbClass::Trap, 0)))]);
    hand.counted("branch_steps");
    hand.counted("branch_unstepped");
}

// DBG-33
#[test]
fn int1() {
    for step in [false, true] {
        let straps = Config { int1_step: step, ..D };
        let (plain, both) = (cut(0, false, db(DbClass::Trap, 0)), cut(0, false, bs(db(DbClass::Trap, 0))));
        let group = |lane| lanes(&[lane, at(0x11)]);
        Hand::new(straps).only(group(kind(0x10, LaneKind::Int1)), plain, &[QUIET, both]);
        let (right, wrong) = if step { (both, plain) } else { (plain, both) };
        Hand::new(straps).only(group(tf(kind(0x10, LaneKind::Int1))), right, &[QUIET, wrong]);
    }
}

// DBG-19, DBG-21, DBG-67, DBG-74
#[test]
fn task_switches() {
    let mut hand = Hand::new(D);
    hand.write(7, 0x4FF);
    let mut lane = kind(0x10, LaneKind::TaskSwitch);
    (lane.debug.t_flag, lane.debug.rf_image) = (true, true);
    let bt = Outputs { db_bt: true, ..db(DbClass::Trap, 0) };
    hand.only(lanes(&[lane]), bt, &[QUIET, db(DbClass::Trap, 0), cut(0, true, bt)]);
    hand.only(deliver(true, 0x100), frame(true), &[frame(false)]);
    hand.read(6, 0xFFFF_8FF0, 0xFFFF_0FF0);
    hand.read(7, 0x4AA, 0x4FF);
    hand.counted("local_reads");
    // Through a task gate.
    let mut hand = Hand::new(D);
    hand.write(7, 0x4FF);
    let mut gate = int(IntKind::Interrupt, false);
    (gate.int.task, gate.int.t) = (true, true);
    let bt = Outputs { db_bt: true, frame_valid: true, ..db(DbClass::Trap, 0) };
    hand.only(gate, bt, &[frame(false)]);
    // DBG-75: the debug task has T set itself.
    gate = deliver(true, 0x100);
    (gate.int.task, gate.int.t) = (true, true);
    hand.only(gate, bt, &[frame(false)]);
    hand.counted("gate_traps");
}

// DBG-11: what stays of earlier exceptions, by strap
#[test]
fn the_status() {
    use lwp_regs::debug::StatusKept::{All, AllButBreakpoints, Nothing};
    for (status, right, wrong) in [
        (AllButBreakpoints, 0xFFFF_4FF1, 0xFFFF_4FF3),
        (Nothing, 0xFFFF_0FF1, 0xFFFF_4FF1),
        (All, 0xFFFF_4FF3, 0xFFFF_4FF1),
    ] {
        let mut hand = Hand::with(Config { status, ..D }, [0x1000, 0, 0, 0], 0x402);
        hand.write(6, 0xFFFF_4FF2);
        hand.right(lanes(&[at(0x1000)]), cut(0, true, db(DbClass::Fault, 1)));
        hand.right(deliver(false, 0x1000), frame(false));
        hand.read(6, right, wrong);
    }
}
