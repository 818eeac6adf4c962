//! Who may ask what, and how it is answered.

use super::ports::{ADJUST, AUX, BUS, Hand, NO_TICK, TEN, TSC, done, right, wrong};
use lwp_model::Choice;
use lwp_model::retire::{OpMode, RegOp, RegRequest, RegResult};
use lwp_model::tsc::{Config, Outputs};

#[test]
fn tsd_restricts_rdtsc_to_level_0() {
    for op in [RegOp::Rdtsc, RegOp::Rdtscp] {
        for &op_mode in OpMode::ALL {
            for (cpl, tsd) in [(0, false), (0, true), (1, false), (1, true), (2, true), (3, true), (3, false)] {
                let faults = match op_mode {
                    OpMode::Real => false,
                    OpMode::Virtual8086 => tsd,
                    _ => tsd && cpl != 0,
                };
                let run = |answer: RegResult| {
                    move |hand: &mut Hand| {
                        hand.mode = (op_mode, cpl, tsd);
                        hand.fails(op, 0, answer);
                    }
                };
                if faults {
                    right(TEN, run(RegResult::GeneralProtection));
                    wrong(TEN, "is not refused: Done", run(RegResult::Done));
                } else {
                    right(TEN, run(RegResult::Done));
                    wrong(TEN, "not Done", run(RegResult::GeneralProtection));
                }
            }
        }
    }
}

#[test]
fn what_is_refused_shows_nothing_and_changes_nothing() {
    let leak = |reg_rdata: u64, reg_aux: u32| {
        move |hand: &mut Hand| {
            hand.idle(BUS, 1);
            hand.mode = (OpMode::Virtual8086, 0, true);
            let reg_result = RegResult::GeneralProtection;
            hand.ask(RegOp::Rdtscp, 0, 0, 0, Outputs { reg_done: true, reg_result, reg_rdata, reg_aux });
        }
    };
    right(TEN, leak(0, 0));
    wrong(TEN, "EDX:EAX is 0xa", leak(10, 0));
    wrong(TEN, "ECX is 0x1", leak(0, 1));
    let refused = |value: u64| {
        move |hand: &mut Hand| {
            hand.mode = (OpMode::Protected, 3, false);
            let reg_result = RegResult::GeneralProtection;
            hand.ask(RegOp::Wrmsr, 0, ADJUST, 5, Outputs { reg_done: true, reg_result, ..Outputs::default() });
            hand.rdtsc(0, value);
        }
    };
    right(TEN, refused(0));
    wrong(TEN, "Time of logical processor 0 is 0x5", refused(5));
    wrong(TEN, "WriteCounter of logical processor 0 in level 3", |hand| {
        hand.mode = (OpMode::Virtual8086, 0, false);
        hand.wrmsr(0, TSC, 0);
    });
}

#[test]
fn what_does_not_exist_is_not_mine() {
    let without = Config { adjust: false, aux: false, ..TEN };
    let nothing = Config { present: false, ..without };
    for op in [RegOp::Rdmsr, RegOp::Wrmsr] {
        for (straps, number) in [(without, ADJUST), (without, AUX), (nothing, TSC), (TEN, 0x11), (TEN, 0x8000_0010)] {
            right(straps, |hand| hand.fails(op, number, RegResult::NotMine));
            wrong(straps, "not NotMine", |hand| hand.fails(op, number, RegResult::Done));
            wrong(straps, "not NotMine", |hand| hand.fails(op, number, RegResult::GeneralProtection));
        }
    }
    // What the core makes of it is #UD.
    for (straps, op) in [(without, RegOp::Rdtscp), (nothing, RegOp::Rdtscp), (nothing, RegOp::Rdtsc)] {
        right(straps, |hand| hand.fails(op, 0, RegResult::NotMine));
        right(straps, |hand| hand.fails(op, 0, RegResult::InvalidOpcode));
        wrong(straps, "not NotMine", |hand| hand.fails(op, 0, RegResult::Done));
    }
    right(TEN, |hand| hand.fails(RegOp::Rdpmc, TSC, RegResult::NotMine));
    wrong(TEN, "not NotMine", |hand| hand.fails(RegOp::Rdpmc, TSC, RegResult::InvalidOpcode));
}

#[test]
fn every_request_is_answered_once_in_the_next_cycle() {
    wrong(TEN, "no answer", |hand| hand.ask(RegOp::Rdtsc, 0, 0, 0, Outputs::default()));
    wrong(TEN, "responds without a request", |hand| hand.next = done(0, 0));
    wrong(TEN, "responds without a request", |hand| {
        hand.rdtsc(0, 0);
        hand.cycle(NO_TICK, RegRequest { op: RegOp::Rdtsc, ..RegRequest::default() }, done(0, 0));
    });
}
