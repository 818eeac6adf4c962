//! Freezes by performance interrupts.

use super::*;

const ON: u64 = 0x801;

fn frozen() -> Bench {
    let mut run = Bench::new(Straps { lbr_format: 2, ..Straps::default() });
    run.write(DEBUGCTL, ON);
    run.read(TOS, 0);
    run.lane(jump(1, 2));
    run.pmi();
    run.lane(jump(3, 4));
    run
}

#[test]
fn a_frozen_stack_stands_still() {
    let mut run = frozen();
    run.read(TOS, 1);
    run.read(0x681, 1);
    run.right();
    let mut run = frozen();
    run.read(TOS, 2);
    run.wrong("LBR-07");
    let mut run = frozen();
    run.read(0x681, 3);
    run.wrong("LBR-06");
}

#[test]
fn nothing_else_freezes() {
    for (pmi_freeze, ctl) in [(true, 1), (false, 1), (true, 0x1001)] {
        for (top, right) in [(1, true), (0, false)] {
            let mut run = Bench::new(Straps { pmi_freeze, ..Straps::default() });
            run.write(DEBUGCTL, ctl);
            run.read(TOS, 0);
            run.pmi();
            run.lane(jump(3, 4));
            run.read(TOS, top);
            if right { run.right() } else { run.wrong("LBR-07") }
        }
    }
}

#[test]
fn the_branch_of_the_same_cycle_is_recorded_or_not() {
    for (top, right) in [(0, true), (1, true), (2, false)] {
        let mut run = Bench::new(Straps::default());
        run.write(DEBUGCTL, ON);
        run.read(TOS, 0);
        run.with(|inputs, _| (inputs.pmi, inputs.lanes) = (true, vec![jump(1, 2)]));
        run.lane(jump(3, 4));
        run.read(TOS, top);
        if right { run.right() } else { run.wrong("LBR-07") }
    }
}

#[test]
fn the_freeze_ends_the_same_way_each_time() {
    // The flag is cleared: a write of LBR ends the freeze.
    let cleared = || {
        let mut run = frozen();
        run.read(DEBUGCTL, ON & !1);
        run.write(DEBUGCTL, ON);
        run.lane(jump(5, 6));
        run
    };
    let mut run = cleared();
    run.read(TOS, 2);
    run.pmi();
    run.read(DEBUGCTL, ON & !1);
    run.right();
    let mut run = cleared();
    run.read(TOS, 1);
    run.wrong("LBR-07");
    let mut run = cleared();
    run.pmi();
    run.read(DEBUGCTL, ON);
    run.wrong("DCTL-03");
    // The flag stays: any write ends the freeze, or not that one.
    for top in [1, 2] {
        let mut run = frozen();
        run.read(DEBUGCTL, ON);
        run.write(DEBUGCTL, ON);
        run.lane(jump(5, 6));
        run.read(TOS, top);
        run.right();
    }
    let mut run = frozen();
    run.read(DEBUGCTL, 0x800 | 2);
    run.wrong("DCTL-03");
}

#[test]
fn tracing_and_tr_leave_a_frozen_stack_alone() {
    let start = || {
        let mut run = Bench::new(Straps { lbr_tr: true, ..Straps::default() });
        run.write(DEBUGCTL, ON | 0x40);
        run.read(TOS, 0);
        run.pmi();
        run.busy(true);
        run.lane(jump(1, 2));
        run
    };
    let mut run = start();
    run.message(1, 2, true);
    run.busy(false);
    run.read(TOS, 0);
    run.right();
    let mut run = start();
    run.message(1, 2, true);
    run.busy(false);
    run.read(TOS, 1);
    run.wrong("LBR-07");
    let mut run = start();
    run.busy(false);
    run.idle(1);
    run.wrong("ports, Register requests");
}

#[test]
fn a_freeze_in_smm_clears_the_flag_of_the_copy_or_not() {
    for (pmi, value, right) in [
        (true, 0x4801, true),
        (true, 0x4800, true),
        (false, 0x4801, true),
        (false, 0x4800, false),
        (true, 0x4803, false),
    ] {
        let mut run = Bench::new(Straps::default());
        run.write(DEBUGCTL, 0x4801);
        run.shows(0x4801);
        run.interruption(3, 0, (1, 2));
        if pmi {
            run.pmi();
        }
        run.interruption(4, 0, (3, 4));
        run.read(DEBUGCTL, value);
        if right { run.right() } else { run.wrong("DCTL-03") }
    }
}
