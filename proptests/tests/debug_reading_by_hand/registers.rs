//! Debug registers.

use super::ports::*;
use lwp_model::Choice;
use lwp_model::debug::{Config, DbClass, Outputs};
use lwp_model::retire::{Mode, OpMode, RegOp, RegResult};

const D: Config = Config::DEFAULT;

// DBG-05
#[test]
fn privilege() {
    for &op_mode in OpMode::ALL {
        for cpl in 0..4 {
            for smm in [false, true] {
                let refused = !smm
                    && match op_mode {
                        OpMode::Real => false,
                        OpMode::Virtual8086 => true,
                        _ => cpl > 0,
                    };
                for op in [RegOp::ReadDr, RegOp::WriteDr] {
                    let mut request = mov(op, 3, 0);
                    request.mode = Mode { cpl, smm, op_mode };
                    let (done, fault) = (answer(RegResult::Done, 0), answer(RegResult::GeneralProtection, 0));
                    let (right, wrong) = if refused { (fault, done) } else { (done, fault) };
                    Hand::new(D).only(request, right, &[wrong, QUIET, answer(RegResult::NotMine, 0)]);
                }
            }
        }
    }
}

// DBG-07, DBG-10, DBG-17
#[test]
fn values() {
    let mut hand = Hand::new(D);
    hand.read(6, 0xFFFF_0FF0, 0);
    hand.read(7, 0x400, 0);
    for number in 0..4 {
        hand.read(number, 0, 1);
        hand.write(number, 0x8000_0000_0000_0001 + u64::from(number));
    }
    for number in 0..4 {
        hand.read(number, 0x8000_0000_0000_0001 + u64::from(number), 0);
    }
    for (written, dr6, dr7) in [(0, 0xFFFE_0FF0, 0x400), (0xFFFF_FFFF, 0xFFFF_EFFF, 0xFFFF_2FFF)] {
        hand.write(6, written);
        hand.read(6, dr6, written);
        hand.write(7, written & !0x2000);
        hand.read(7, dr7 & !0x2000, 1);
    }
    // Bits of transactions are fixed without them.
    let mut hand = Hand::new(Config { rtm: false, ..D });
    hand.write(6, 0);
    hand.read(6, 0xFFFF_0FF0, 0xFFFE_0FF0);
    hand.write(7, 0xFFFF_DFFF);
    hand.read(7, 0xFFFF_07FF, 0xFFFF_0FFF);
    for number in [6, 7] {
        let wide = mov(RegOp::WriteDr, number, 1 << 32);
        hand.only(wide, answer(RegResult::GeneralProtection, 0), &[answer(RegResult::Done, 0)]);
    }
}

// DBG-09
#[test]
fn dr4_and_dr5() {
    let mut hand = Hand::new(D);
    hand.write(4, 0x4001);
    hand.read(6, 0xFFFE_4FF1, 0xFFFF_0FF0);
    hand.read(4, 0xFFFE_4FF1, 0);
    hand.write(5, 3);
    hand.read(7, 0x403, 0x400);
    for (number, op) in [(4, RegOp::ReadDr), (5, RegOp::WriteDr)] {
        let mut request = mov(op, number, 0);
        request.de = true;
        hand.only(request, answer(RegResult::InvalidOpcode, 0), &[answer(RegResult::Done, 0x403)]);
    }
    hand.counted("undefined");
    hand.counted("aliases");
    hand.only(mov(RegOp::Rdmsr, 6, 0), answer(RegResult::NotMine, 0), &[answer(RegResult::Done, 0)]);
}

// DBG-24, DBG-25, DBG-62
#[test]
fn general_detect() {
    for op in [RegOp::ReadDr, RegOp::WriteDr] {
        for number in 0..8 {
            let mut hand = Hand::new(D);
            hand.write(0, 0x55);
            hand.write(7, 0x2400);
            let request = mov(op, number, 0);
            let bd = Outputs { db_bd: true, reg_ready: false, ..answer(RegResult::Debug, 0) };
            let detect = Outputs { db_valid: true, db_class: DbClass::Fault, ..bd };
            hand.only(
                request,
                detect,
                &[
                    answer(RegResult::Done, 0),
                    answer(RegResult::Debug, 0),
                    Outputs { db_valid: true, db_class: DbClass::Fault, reg_ready: false, ..QUIET },
                    Outputs { db_bd: false, ..detect },
                    Outputs { db_class: DbClass::Trap, ..detect },
                    Outputs { reg_rdata: 1, ..detect },
                ],
            );
            // A fault that is not an instruction breakpoint's: DBG-43.
            hand.only(deliver(false, 0x10), frame(true), &[frame(false)]);
            // Whether GD is still 1 is open.
            hand.right(mov(RegOp::ReadDr, 6, 0), answer(RegResult::Done, 0xFFFF_2FF0));
            hand.read(0, 0x55, 0);
            hand.read(7, 0x400, 0x2400);
        }
    }
}

// A request in a cycle with reg_ready = 0 is ignored
#[test]
fn not_ready() {
    let mut hand = Hand::with(D, [0x1000, 0, 0, 0], 0x402);
    let fault = db(DbClass::Fault, 1);
    hand.right(lanes(&[at(0x1000)]), cut(0, true, fault));
    hand.only(mov(RegOp::WriteDr, 7, 0), fault, &[Outputs { reg_done: true, ..fault }]);
    hand.wrong(In::default(), Outputs { reg_ready: true, ..fault });
    hand.wrong(In::default(), Outputs { db_b: lwp_regs::debug::Slots::DR1, ..fault });
    hand.wrong(In::default(), QUIET);
    hand.counted("not_ready");
    hand.right(deliver(false, 0x1000), frame(false));
    hand.read(7, 0x402, 0x400);
}
