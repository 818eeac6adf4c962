//! Messages on the system bus.

use super::super::{LaneIn, PortsOut};
use super::*;

fn tracing(ctl: u64) -> Bench {
    let mut run = Bench::new(Straps::default());
    run.write(DEBUGCTL, ctl);
    run.busy(true);
    run
}

#[test]
fn each_transfer_is_one_message() {
    let mut run = tracing(0x40);
    run.lane(jump(0x10, 0x20));
    run.interruption(0, 32, (0x20, 0x30));
    run.message(0x10, 0x20, true);
    run.interruption(1, 14, (0x30, 0x40));
    run.message(0x20, 0x30, false);
    run.message(0x30, 0x40, false);
    run.busy(false);
    run.right();
    for (from, to, predicted, row) in
        [(0x11, 0x20, true, "BTS-02"), (0x10, 0x28, true, "BTS-02"), (0x10, 0x20, false, "BTS-23")]
    {
        let mut run = tracing(0x40);
        run.lane(jump(0x10, 0x20));
        run.message(from, to, predicted);
        run.wrong(row);
    }
}

#[test]
fn what_is_no_transfer_is_no_message() {
    let straight = jump(0x10, 0x20);
    for lane in [
        LaneIn { branch_taken: false, branch_kind: 2, ..straight },
        LaneIn { branch_kind: 0, ..straight },
        LaneIn { valid: false, ..straight },
    ] {
        let mut run = tracing(0x40);
        run.lane(lane);
        run.busy(false);
        run.right();
        let mut run = tracing(0x40);
        run.lane(lane);
        run.message(0x10, 0x20, true);
        run.wrong("DCTL-06");
    }
    // In a partial cycle, and while the unit stalls, the lanes show no branch.
    let mut run = tracing(0x40);
    run.with(|inputs, _| (inputs.partial, inputs.lanes) = (true, vec![straight]));
    run.message(0x10, 0x20, true);
    run.wrong("DCTL-06");
}

#[test]
fn messages_are_neither_missing_nor_repeated_nor_out_of_order() {
    let two = || {
        let mut run = tracing(0x40);
        run.lane(jump(0x10, 0x20));
        run.lane(jump(0x20, 0x30));
        run
    };
    let mut run = two();
    run.message(0x20, 0x30, true);
    run.wrong("BTS-02");
    let mut run = two();
    run.message(0x10, 0x20, true);
    run.busy(false);
    run.idle(1);
    run.wrong("ports, Register requests");
    let mut run = two();
    run.message(0x10, 0x20, true);
    run.message(0x20, 0x30, true);
    run.message(0x20, 0x30, true);
    run.wrong("DCTL-06");
    let mut run = two();
    run.idle(300);
    run.wrong("BTS-08");
    let mut run = two();
    run.lost();
    run.wrong("BTS-08");
}

#[test]
fn tracing_is_off_without_tr() {
    let mut run = tracing(0x81);
    run.lane(jump(0x10, 0x20));
    run.busy(false);
    run.right();
    let mut run = tracing(0x81);
    run.lane(jump(0x10, 0x20));
    run.message(0x10, 0x20, true);
    run.wrong("DCTL-06");
}

#[test]
fn levels_are_skipped() {
    for (off, cpl, op_mode, skipped) in [
        (0x200, 0, 4, true),
        (0x200, 3, 4, false),
        (0x400, 0, 4, false),
        (0x400, 3, 4, true),
        (0x400, 1, 4, true),
        (0x400, 0, 1, true),
        (0x400, 3, 0, false),
        (0x600, 0, 4, true),
    ] {
        let run = || {
            let mut run = tracing(0x40 | off);
            (run.inputs.cpl, run.inputs.op_mode) = (cpl, op_mode);
            run.lane(jump(0x10, 0x20));
            run
        };
        let mut sent = run();
        sent.message(0x10, 0x20, true);
        sent.busy(false);
        if skipped {
            sent.wrong("DCTL-06");
        } else {
            sent.right();
        }
        let mut silent = run();
        silent.busy(false);
        if skipped { silent.right() } else { silent.wrong("ports, Register requests") }
    }
}

#[test]
fn debug_exceptions_follow_the_strap() {
    for (db_message, sends) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut run = Bench::new(Straps { db_message, ..Straps::default() });
        run.write(DEBUGCTL, 0x40);
        run.busy(true);
        run.interruption(1, 1, (0x10, 0x20));
        if sends {
            run.message(0x10, 0x20, false);
        }
        run.busy(false);
        run.idle(1);
        match (db_message, sends) {
            (true, false) => run.wrong("ports, Register requests"),
            (false, true) => run.wrong("DCTL-06"),
            _ => run.right(),
        }
    }
}

#[test]
fn messages_wait_for_the_bus() {
    let pending = |out: &mut PortsOut, to| {
        (out.btm_valid, out.btm_from, out.btm_to, out.btm_predicted) = (true, 0x10, to, true);
    };
    let mut run = tracing(0x40);
    run.lane(jump(0x10, 0x20));
    run.with(|_, out| pending(out, 0x20));
    run.message(0x10, 0x20, true);
    run.busy(false);
    run.right();
    let mut run = tracing(0x40);
    run.lane(jump(0x10, 0x20));
    run.with(|_, out| pending(out, 0x20));
    run.idle(1);
    run.wrong("ports, Outputs");
    let mut run = tracing(0x40);
    run.with(|_, out| out.btm_from = 1);
    run.wrong("ports, Outputs");
}

#[test]
fn stall_follows_the_queue() {
    let mut run = tracing(0x40);
    run.out.stall = true;
    run.lane(jump(0x10, 0x20));
    run.idle(40);
    run.wrong("ports, What the core does");
    let mut run = tracing(0x40);
    (0..6).for_each(|_| run.lane(jump(0x10, 0x20)));
    run.wrong("ports, What the core does");
    // What is shown while the unit stalls is ignored.
    let mut run = tracing(0x40);
    run.lane(jump(0x10, 0x20));
    run.lane(jump(0x20, 0x30));
    run.out.stall = true;
    run.interruption(0, 32, (0x30, 0x40));
    run.message(0x10, 0x20, true);
    run.out.stall = false;
    run.message(0x20, 0x30, true);
    run.busy(false);
    run.right();
}
