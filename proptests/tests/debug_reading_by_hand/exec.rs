//! Instruction breakpoints.

use super::ports::*;
use lwp_model::debug::{Config, DbClass, Outputs};
use lwp_model::retire::{IntKind, RegOp, RegResult};
use lwp_regs::debug::Slots;

const D: Config = Config::DEFAULT;
/// G0: instruction at DR0.
const G0: u64 = 0x402;
const DR: [u64; 4] = [0x1000, 0, 0, 0];

// DBG-18, DBG-20, DBG-36: the instruction is not executed
#[test]
fn a_fault_before_the_instruction() {
    for enable in [0x401, 0x402, 0x403] {
        let mut hand = Hand::with(D, DR, enable);
        let group = lanes(&[at(0xFFE), at(0x1000), at(0x1002)]);
        let fault = cut(1, true, db(DbClass::Fault, 1));
        hand.only(
            group,
            fault,
            &[
                QUIET,
                cut(1, false, db(DbClass::Fault, 1)),
                cut(0, true, db(DbClass::Fault, 1)),
                cut(1, true, db(DbClass::Trap, 1)),
                cut(1, true, db(DbClass::Fault, 2)),
                cut(1, true, db(DbClass::Fault, 3)),
                cut(1, true, bs(db(DbClass::Fault, 1))),
                db(DbClass::Fault, 1),
            ],
        );
        // DBG-46, DBG-47: RF is not set for it
        hand.right(In::default(), db(DbClass::Fault, 1));
        hand.only(deliver(false, 0x1000), frame(false), &[frame(true), QUIET, db(DbClass::Fault, 1)]);
        hand.read(6, 0xFFFF_0FF1, 0xFFFF_0FF0);
        hand.counted("exec_faults");
        hand.counted("frames_exec");
        hand.counted("waits");
    }
    let mut hand = Hand::with(D, DR, 0x400);
    hand.only(lanes(&[at(0x1000)]), QUIET, &[cut(0, true, db(DbClass::Fault, 1))]);
    hand.counted("exec_missed");
}

// DBG-39, DBG-48: without RF the breakpoint hits again, with RF it does not, once
#[test]
fn resume() {
    let mut hand = Hand::with(D, DR, G0);
    let group = lanes(&[iret(0x50, false), at(0x1000)]);
    hand.only(group, cut(1, true, db(DbClass::Fault, 1)), &[QUIET]);
    hand.right(deliver(false, 0x1000), frame(false));
    let group = lanes(&[iret(0x50, true), at(0x1000), at(0x1001), at(0x1000)]);
    hand.only(group, cut(3, true, db(DbClass::Fault, 1)), &[cut(1, true, db(DbClass::Fault, 1)), QUIET]);
    hand.counted("exec_rf");
}

// DBG-38: behind an SS load the breakpoint is ignored, for one instruction
#[test]
fn behind_an_ss_load() {
    let mut hand = Hand::with(D, DR, G0);
    let group = lanes(&[ss(0x50), at(0x1000), at(0x1000)]);
    hand.only(group, cut(2, true, db(DbClass::Fault, 1)), &[cut(1, true, db(DbClass::Fault, 1)), QUIET]);
    hand.counted("exec_shadow");
    // An interruption ends the shadow.
    let mut hand = Hand::with(D, DR, G0);
    hand.right(lanes(&[ss(0x50)]), QUIET);
    hand.right(int(IntKind::Exception, false), frame(true));
    hand.only(lanes(&[at(0x1000)]), cut(0, true, db(DbClass::Fault, 1)), &[QUIET]);
    // SS loads in a row, by strap.
    let three = lanes(&[ss(0x50), ss(0x52), at(0x1000)]);
    Hand::with(D, DR, G0).only(three, cut(2, true, db(DbClass::Fault, 1)), &[QUIET]);
    let chain = Config { ss_chain: true, ..D };
    Hand::with(chain, DR, G0).only(three, QUIET, &[cut(2, true, db(DbClass::Fault, 1))]);
    // The third one does not stand in a shadow.
    let four = lanes(&[ss(0x50), ss(0x52), ss(0x54), at(0x1000)]);
    Hand::with(D, DR, G0).only(four, QUIET, &[cut(3, true, db(DbClass::Fault, 1))]);
}

// DBG-37: the answer to a question, before the instruction's own exceptions
#[test]
fn questions() {
    let mut hand = Hand::with(D, DR, G0);
    let asked = |out| lwp_model::debug::Outputs { ask_done: true, ..out };
    let stop = asked(db(DbClass::Fault, 1));
    hand.only(ask(0x1000), stop, &[QUIET, asked(QUIET), db(DbClass::Fault, 1), cut(0, true, stop)]);
    hand.right(deliver(false, 0x1000), frame(false));
    hand.only(ask(0x1001), asked(QUIET), &[QUIET, stop]);
    // After *go* the instruction is not checked again: RF.
    hand.right(lanes(&[at(0x1001), iret(0x50, true)]), QUIET);
    hand.only(ask(0x1000), asked(QUIET), &[stop]);
    hand.right(lanes(&[at(0x1000)]), QUIET);
    hand.only(lanes(&[at(0x1000)]), cut(0, true, db(DbClass::Fault, 1)), &[QUIET]);
    // A MOV to DR7 that sets a breakpoint on itself.
    let mut hand = Hand::with(D, DR, 0x400);
    hand.right(ask(0x1000), asked(QUIET));
    hand.right(mov(RegOp::WriteDr, 7, G0), answer(RegResult::Done, 0));
    hand.only(lanes(&[at(0x1000)]), QUIET, &[cut(0, true, db(DbClass::Fault, 1))]);
    hand.counted("exec_go");
    // An interruption comes between.
    let mut hand = Hand::with(D, DR, G0);
    hand.right(lanes(&[iret(0x50, true)]), QUIET);
    hand.right(ask(0x1000), asked(QUIET));
    // DBG-46: the instruction has not begun, so that RF is 1 still.
    hand.only(int(IntKind::Interrupt, false), frame(true), &[frame(false)]);
    hand.only(lanes(&[at(0x1000)]), cut(0, true, db(DbClass::Fault, 1)), &[QUIET]);
    // A question next to a lane is ignored.
    let mut hand = Hand::with(D, DR, G0);
    let mut both = lanes(&[at(0x10)]);
    both.ask = ask(0x1000).ask;
    hand.only(both, QUIET, &[stop, asked(QUIET)]);
    hand.counted("unasked");
}

// DBG-28: LEN other than 00, by strap
#[test]
fn lengths() {
    let group = lanes(&[at(0x1000)]);
    let hit = cut(0, true, db(DbClass::Fault, 1));
    Hand::with(D, DR, 0xC_0402).only(group, hit, &[QUIET]);
    Hand::with(Config { exec_length: true, ..D }, DR, 0xC_0402).only(group, QUIET, &[hit]);
    Hand::with(D, DR, 0xC_0402).right(lanes(&[at(0x1001)]), QUIET);
}

// DBG-12: breakpoints that are off, by strap
#[test]
fn breakpoints_that_are_off() {
    let (group, dr) = (lanes(&[at(0x1000)]), [0x1000, 0x1000, 0, 0]);
    let hit = |b| cut(0, true, db(DbClass::Fault, b));
    Hand::with(D, dr, G0).only(group, hit(1), &[hit(3)]);
    Hand::with(Config { status_off: true, ..D }, dr, G0).only(group, hit(3), &[hit(1)]);
}

// A trap of data and the breakpoint of the next instruction, by strap
#[test]
fn two_exceptions_or_one() {
    let (dr, dr7) = ([0x1000, 0x2000, 0, 0], 0xD0_040A);
    let store = access(at(0x50), true, 0x2000, 4);
    let group = lanes(&[store, at(0x1000)]);
    let trap = |b| cut(0, false, db(DbClass::Trap, b));
    let mut hand = Hand::with(D, dr, dr7);
    hand.only(group, trap(2), &[trap(3), QUIET]);
    hand.right(deliver(true, 0x1000), frame(false));
    hand.read(6, 0xFFFF_0FF2, 0xFFFF_0FF3);
    hand.counted("unmerged");
    let merges = Config { merge_next: true, ..D };
    for shown in [2, 3] {
        let mut hand = Hand::with(merges, dr, dr7);
        hand.only(group, trap(shown), &[trap(1), QUIET]);
        hand.right(deliver(true, 0x1000), frame(false));
        hand.read(6, 0xFFFF_0FF3, 0xFFFF_0FF2);
        hand.counted("merged");
    }
    // Not behind a step, with data or without, nor behind INT1.
    let int1 = kind(0x50, lwp_model::debug::LaneKind::Int1);
    for (lane, right, status) in
        [(tf(store), bs(trap(2)), 0xFFFF_4FF2), (tf(at(0x50)), bs(trap(0)), 0xFFFF_4FF0), (int1, trap(0), 0xFFFF_0FF0)]
    {
        let mut hand = Hand::with(merges, dr, dr7);
        hand.only(lanes(&[lane, at(0x1000)]), right, &[Outputs { db_b: right.db_b | Slots::DR0, ..right }, QUIET]);
        hand.right(deliver(true, 0x1000), frame(false));
        hand.read(6, status, status | 1);
    }
}
