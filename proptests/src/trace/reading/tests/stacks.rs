//! The LBR stack and the last exception record.

use super::super::LaneIn;
use super::*;

const FROM: u32 = 0x680;
const TO: u32 = 0x6C0;
const INFO: u32 = 0xDC0;

/// Formats 0 to 5, in protected mode with a base, and in 64-bit mode.
fn recorded(lbr_format: u8, long: bool, lane: LaneIn) -> Bench {
    let mut run = Bench::new(Straps { lbr_format, ..Straps::default() });
    if !long {
        (run.inputs.op_mode, run.inputs.cs_base, run.inputs.far_long) = (2, 0x1000, false);
    }
    run.write(DEBUGCTL, 1);
    run.read(TOS, 0);
    run.lane(lane);
    run
}

#[test]
fn formats_hold_offsets_or_linear_addresses() {
    let high = 0xFFFF_8000_0000_0000;
    for (format, long, from, to) in [
        (1, false, 0x1500, 0x1600),
        (2, false, 0x500, 0x600),
        (3, false, 0x500, 0x600),
        (5, false, 0x500, 0x600),
        (1, true, high | 0x1500, high | 0x1600),
        (2, true, high | 0x1500, high | 0x1600),
        // Formats with flags in FROM replace bit 63, and 62 and 61 for the transaction.
        (3, true, 0x7FFF_8000_0000_1500, high | 0x1600),
        (4, true, 0x1FFF_8000_0000_1500, high | 0x1600),
        (5, true, high | 0x1500, high | 0x1600),
    ] {
        let base = if long { high } else { 0 };
        let lane = jump(base | 0x1500, base | 0x1600);
        let mut run = recorded(format, long, lane);
        run.read(TOS, 1);
        run.read(FROM + 1, from);
        run.read(TO + 1, to);
        run.right();
        for (number, wrong) in
            [(FROM + 1, from ^ 4), (TO + 1, to ^ 8), (FROM + 1, from ^ 1 << 40), (TO + 1, to ^ 1 << 63)]
        {
            let mut run = recorded(format, long, lane);
            run.read(number, wrong);
            run.wrong("LBR-06");
        }
    }
}

// LBR-11; the ports: one register for each entry
#[test]
fn one_register_holds_both_offsets() {
    for (long, base, value) in [(false, 0, 0x600_0000_0500), (true, 0xFFFF_8000_0000_0000, 0x1600_0000_1500)] {
        let lane = jump(base | 0x1500, base | 0x1600);
        let mut run = recorded(0, long, lane);
        run.read(TOS, 1);
        run.read(FROM + 1, value);
        run.right();
        for bit in [2, 35] {
            let mut run = recorded(0, long, lane);
            run.read(FROM + 1, value ^ 1 << bit);
            run.wrong("LBR-06");
        }
    }
}

#[test]
fn flags_of_a_branch() {
    let missed = LaneIn { branch_pred_ok: false, in_tx: true, ..jump(0x10, 0x20) };
    let abort = LaneIn { branch_kind: 10, tx_abort: true, ..jump(0x10, 0x20) };
    for (format, number, lane, shown) in [
        (3, FROM, missed, 1 << 63 | 0x10),
        (4, FROM, missed, 3 << 62 | 0x10),
        (4, FROM, abort, 1 << 61 | 0x10),
        (2, FROM, missed, 0x10),
        (5, FROM, missed, 0x10),
        (5, INFO, missed, 3 << 62),
        (5, INFO, abort, 1 << 61),
    ] {
        let mut run = recorded(format, true, lane);
        run.read(number + 1, shown);
        run.right();
        for bit in 61..64 {
            let mut run = recorded(format, true, lane);
            run.read(number + 1, shown ^ 1 << bit);
            assert!(run.found.is_some(), "{format} {number:x} {bit}");
        }
    }
    // Without restricted transactional memory the transaction acts as 0.
    let mut run = Bench::new(Straps { lbr_format: 4, rtm: false, ..Straps::default() });
    run.write(DEBUGCTL, 1);
    run.read(TOS, 0);
    run.lane(missed);
    run.read(FROM + 1, 1 << 63 | 0x10);
    run.right();
}

#[test]
fn the_stack_wraps() {
    let full = || {
        let mut run = recorded(2, true, jump(0, 0x1000));
        (1..6).for_each(|at| run.lane(jump(at, 0x1000 + at)));
        run
    };
    let mut run = full();
    run.read(TOS, 2);
    for (number, from) in [(2, 5), (1, 4), (0, 3), (3, 2)] {
        run.read(FROM + number, from);
        run.read(TO + number, 0x1000 + from);
    }
    run.right();
    for (number, value, row) in
        [(TOS, 3, "LBR-07"), (TOS, 1, "LBR-07"), (FROM + 1, 0, "LBR-06"), (FROM + 2, 1, "LBR-06")]
    {
        let mut run = full();
        run.read(number, value);
        run.wrong(row);
    }
}

#[test]
fn which_entry_is_first_need_not_be_known() {
    let run = || {
        let mut run = Bench::new(Straps { lbr_format: 2, ..Straps::default() });
        run.write(DEBUGCTL, 1);
        run.lane(jump(1, 0x11));
        run.lane(jump(2, 0x12));
        run.read(FROM + 3, 2);
        run
    };
    let mut right = run();
    right.read(TO + 2, 0x11);
    right.read(TOS, 3);
    right.right();
    // With the top of stack elsewhere, entry 3 would be old. It may hold 2, but then entry 2 is the newest one.
    let mut wrong = run();
    wrong.read(TOS, 2);
    wrong.read(FROM + 2, 1);
    wrong.wrong("LBR-06");
}

#[test]
fn interruptions_but_no_debug_exceptions_are_recorded() {
    for (kind, vector, recorded) in [(0, 32, true), (1, 14, true), (2, 2, true), (1, 1, false), (6, 1, true)] {
        let start = || {
            let mut run = Bench::new(Straps { lbr_format: 2, ..Straps::default() });
            run.write(DEBUGCTL, 1);
            run.read(TOS, 3);
            run.interruption(kind, vector, (0x10, 0x20));
            run
        };
        let mut run = start();
        run.read(TOS, u64::from(!recorded) * 3);
        run.right();
        let mut run = start();
        run.read(TOS, u64::from(recorded) * 3);
        run.wrong("LBR-07");
    }
}

#[test]
fn far_transfers_use_the_base_behind() {
    let start = || {
        let mut run = Bench::new(Straps { lbr_format: 2, ..Straps::default() });
        run.write(DEBUGCTL, 1);
        run.read(TOS, 0);
        (run.inputs.op_mode, run.inputs.cs_base, run.inputs.far_base, run.inputs.far_long) = (3, 0x100, 0, true);
        run.lane(LaneIn { branch_kind: 10, ..jump(0x110, 0xFFFF_8000_0000_0020) });
        (run.inputs.op_mode, run.inputs.cs_base) = (4, 0);
        run.idle(1);
        run.read(FROM + 1, 0x10);
        run
    };
    let mut run = start();
    run.read(TO + 1, 0xFFFF_8000_0000_0020);
    run.right();
    let mut run = start();
    run.read(TO + 1, 0x20);
    run.wrong("LBR-06");
}

#[test]
fn only_lbr_fills_the_stack_unless_tr_does() {
    for (lbr_tr, updated) in [(false, 0), (true, 1)] {
        for shown in [0, 1] {
            let mut run = Bench::new(Straps { lbr_tr, ..Straps::default() });
            run.read(TOS, 0);
            run.write(DEBUGCTL, 0x40);
            run.busy(true);
            run.lane(jump(0x10, 0x20));
            run.message(0x10, 0x20, true);
            run.busy(false);
            run.read(TOS, shown);
            if shown == updated { run.right() } else { run.wrong("LBR-07") }
        }
    }
    let mut run = Bench::new(Straps::default());
    run.read(TOS, 0);
    run.lane(jump(0x10, 0x20));
    run.read(TOS, 1);
    run.wrong("LBR-07");
}

#[test]
fn elapsed_clocks_count_from_the_last_update() {
    for (shown, right) in [(7, true), (8, true), (6, false), (9, false)] {
        let mut run = recorded(5, true, jump(1, 2));
        run.read(INFO + 1, 0xFFFF);
        for at in 0..7 {
            run.with(|inputs, _| inputs.core_clock = true);
            run.idle(at % 3);
        }
        run.with(|inputs, _| (inputs.core_clock, inputs.lanes) = (true, vec![jump(2, 3)]));
        run.read(INFO + 2, shown);
        if right { run.right() } else { run.wrong("LBR-22") }
    }
    for (shown, right) in [(0xFFFF, true), (70000 & 0xFFFF, true), (5, false)] {
        let mut run = recorded(5, true, jump(1, 2));
        (0..70000).for_each(|_| run.with(|inputs, _| inputs.core_clock = true));
        run.lane(jump(2, 3));
        run.read(INFO + 2, shown);
        if right { run.right() } else { run.wrong("LBR-22") }
    }
}

#[test]
fn writes_of_the_stack_may_take_effect() {
    let mut run = recorded(2, true, jump(1, 2));
    run.faults(FROM + 1, 0x77);
    run.read(FROM + 1, 1);
    run.write(FROM + 1, 0x77);
    run.read(FROM + 1, 0x77);
    run.write(TOS, 3);
    run.read(TOS, 3);
    run.lane(jump(4, 5));
    run.read(FROM, 4);
    run.right();
    let mut run = recorded(2, true, jump(1, 2));
    run.faults(FROM + 1, 0x77);
    run.read(FROM + 1, 0x77);
    run.wrong("LBR-06");
}

#[test]
fn the_last_exception_record_is_the_branch_before() {
    let start = |format, kind, vector| {
        let mut run = recorded(format, true, LaneIn { branch_pred_ok: false, ..jump(0x10, 0x20) });
        run.interruption(kind, vector, (0x30, 0x40));
        run.lane(jump(0x50, 0x60));
        run
    };
    for (from, to, right) in
        [(0x10, 0x20, true), (1 << 63 | 0x10, 0x20, true), (0x30, 0x40, false), (0x50, 0x60, false)]
    {
        let mut run = start(3, 1, 14);
        run.read(0x1DD, from);
        run.read(0x1DE, to);
        if right { run.right() } else { run.wrong("LBR-19") }
    }
    let mut run = start(2, 0, 32);
    run.read(0x1DE, 0x60);
    run.wrong("LBR-19");
    // A source goes with its own destination.
    let mut run = start(2, 0, 32);
    run.interruption(0, 33, (0x70, 0x80));
    run.read(0x1DD, 0x50);
    run.read(0x1DE, 0x20);
    run.wrong("LBR-19");
}
