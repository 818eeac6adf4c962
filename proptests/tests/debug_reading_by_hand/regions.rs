//! Transactions.

use super::ports::*;
use lwp_model::debug::{Config, DbClass, LaneKind, Outputs};
use lwp_model::retire::{BranchKind, RegOp, RegResult};

const D: Config = Config::DEFAULT;

// DBG-80, DBG-81, DBG-23: both flags
#[test]
fn a_breakpoint_in_a_transaction() {
    for (dr7_rtm, rtm_debug, rtm) in
        [(0, false, true), (0x800, false, true), (0, true, true), (0x800, true, true), (0x800, true, false)]
    {
        let mut hand = Hand::with(Config { rtm, ..D }, [0x1000, 0, 0, 0], 0x402 | dr7_rtm | 0xD << 16);
        let store = access(at(0x12), true, 0x1000, 4);
        let mut group = lanes(&[tx(at(0x10)), tx(store), tx(at(0x14))]);
        group.rtm_debug = rtm_debug;
        let class = match (rtm, dr7_rtm != 0 && rtm_debug) {
            (false, _) => DbClass::Trap,
            (true, true) => DbClass::Rollback,
            (true, false) => DbClass::Abort,
        };
        let shown = |class| cut(1, false, db(class, 1));
        for other in [DbClass::Trap, DbClass::Fault, DbClass::Abort, DbClass::Rollback] {
            if other != class {
                hand.wrong(group, shown(other));
            }
        }
        hand.right(group, shown(class));
        if class == DbClass::Abort {
            hand.only(In { db_ack: true, ..In::default() }, QUIET, &[frame(false), frame(true)]);
            let mut abort = kind(0x12, LaneKind::Other);
            (abort.transaction.tx_abort, abort.branch.kind, abort.branch.taken) = (true, BranchKind::System, true);
            hand.right(lanes(&[abort]), QUIET);
            hand.read(6, 0xFFFF_0FF0, 0xFFFF_0FF1);
        } else {
            hand.right(deliver(true, 0x10), frame(false));
            let rtm_bit = if class == DbClass::Rollback { 0 } else { 1 << 16 };
            hand.read(6, 0xFFFE_0FF1 | rtm_bit, 0xFFFE_0FF1 | (rtm_bit ^ 1 << 16));
            // DBG-16: another #DB sets RTM again.
            hand.right(lanes(&[kind(0x50, LaneKind::Int1)]), db(DbClass::Trap, 0));
            hand.right(deliver(true, 0x51), frame(false));
            hand.read(6, 0xFFFF_0FF0, 0xFFFE_0FF0);
        }
    }
}

// DBG-80, DBG-82: INT3 in a transaction, and outside
#[test]
fn int3() {
    let mut hand = Hand::new(D);
    hand.only(lanes(&[kind(0x10, LaneKind::Int3)]), QUIET, &[db(DbClass::Trap, 0)]);
    hand.only(lanes(&[tx(kind(0x10, LaneKind::Int3))]), db(DbClass::Abort, 0), &[QUIET, db(DbClass::Trap, 0)]);
    hand.counted("int3_regions");
    let mut hand = Hand::new(D);
    hand.write(7, 0xC00);
    let mut group = lanes(&[tx(kind(0x10, LaneKind::Int3)), at(0x11)]);
    group.rtm_debug = true;
    let rollback = db(DbClass::Rollback, 0);
    hand.only(group, cut(0, false, rollback), &[QUIET, cut(0, false, db(DbClass::Abort, 0))]);
}

// A question inside a transaction
#[test]
fn a_question() {
    let mut hand = Hand::with(D, [0x1000, 0, 0, 0], 0x402);
    let mut question = ask(0x1000);
    question.ask.in_tx = true;
    let stop = |class| lwp_model::debug::Outputs { ask_done: true, ..db(class, 1) };
    hand.only(question, stop(DbClass::Abort), &[stop(DbClass::Fault), stop(DbClass::Rollback)]);
    hand.right(In { db_ack: true, ..In::default() }, QUIET);
    // DBG-80: the instruction that aborts is not hit again.
    let mut abort = at(0x1000);
    (abort.transaction.tx_abort, abort.branch.kind, abort.branch.taken) = (true, BranchKind::System, true);
    hand.only(
        lanes(&[abort, at(0x1000)]),
        cut(1, true, db(DbClass::Fault, 1)),
        &[cut(0, true, db(DbClass::Fault, 1)), QUIET],
    );
}

// DBG-80, DBG-81: general detect in a transaction is a #DB as any other
#[test]
fn general_detect() {
    for (in_tx, control, class) in
        [(false, 0x2400, DbClass::Fault), (true, 0x2400, DbClass::Abort), (true, 0x2C00, DbClass::Rollback)]
    {
        let mut hand = Hand::new(D);
        hand.write(7, control);
        hand.right(ask(0x1000), Outputs { ask_done: true, ..QUIET });
        let mut request = mov(RegOp::ReadDr, 0, 0);
        (request.ask.in_tx, request.rtm_debug) = (in_tx, true);
        let detect = |class| {
            let answered = Outputs { reg_ready: false, ..answer(RegResult::Debug, 0) };
            Outputs { db_valid: true, db_class: class, db_bd: true, ..answered }
        };
        for other in [DbClass::Trap, DbClass::Fault, DbClass::Abort, DbClass::Rollback] {
            if other != class {
                hand.wrong(request, detect(other));
            }
        }
        hand.right(request, detect(class));
    }
}
