//! Repeated string instructions.

use super::ports::*;
use lwp_model::debug::{Config, DbClass, Lane};
use lwp_model::retire::{IntKind, Io, Rep};

const D: Config = Config::DEFAULT;

fn unit(string_group: u8) -> Hand {
    // Writes of one byte at DR0, I/O at DR1, instructions at DR2.
    Hand::with(Config { string_group, ..D }, [0x1000, 0x60, 0x10, 0], 0x42A | 0x1 << 16 | 0x2 << 20)
}

fn store(rep: Rep, hits: bool) -> Lane {
    super::ports::rep(access(at(0x20), true, if hits { 0x1000 } else { 0x2000 }, 1), rep)
}

// DBG-45, DBG-54: a hit is delivered behind its group of iterations
#[test]
fn groups() {
    let trap = |lane| cut(lane, false, db(DbClass::Trap, 1));
    let four = lanes(&[
        store(Rep::First, true),
        store(Rep::Further, false),
        store(Rep::Further, false),
        store(Rep::Further, false),
    ]);
    unit(0).only(four, trap(0), &[QUIET, HOLD, trap(1)]);
    unit(1).only(four, trap(1), &[QUIET, HOLD, trap(0), trap(2)]);
    unit(2).only(four, trap(2), &[QUIET, HOLD, trap(0)]);
    let mut hand = unit(7);
    hand.only(four, HOLD, &[QUIET, trap(2)]);
    hand.counted("group_delays");
    hand.only(lanes(&[store(Rep::Last, false), at(0x30)]), trap(0), &[HOLD]);
    hand.only(deliver(true, 0x30), frame(false), &[frame(true)]);
    // In the middle RF is 1.
    let mut hand = unit(1);
    hand.right(four, trap(1));
    hand.only(deliver(true, 0x20), frame(true), &[frame(false)]);
    hand.counted("frames_string");
}

// DBG-44: an interrupt between iterations, and behind the last one
#[test]
fn interrupts() {
    for (last, rf) in [(Rep::Further, true), (Rep::Last, false)] {
        for kind in [IntKind::Interrupt, IntKind::Nmi] {
            let mut hand = unit(0);
            hand.right(lanes(&[store(Rep::First, false), store(last, false)]), QUIET);
            hand.only(int(kind, false), frame(rf), &[frame(!rf), QUIET]);
            hand.only(int(kind, false), frame(false), &[frame(true)]);
        }
    }
}

// DBG-55, DBG-56: INS and OUTS
#[test]
fn string_io() {
    let io = |rep, hits, port| {
        let mut inputs = lanes(&[store(rep, hits)]);
        (inputs.io, inputs.de) = (Io { valid: true, write: false, port, size: 1 }, true);
        inputs
    };
    let mut hand = unit(7);
    hand.only(io(Rep::First, false, 0x60), db(DbClass::Trap, 2), &[QUIET, HOLD]);
    hand.only(deliver(true, 0x20), frame(true), &[frame(false)]);
    let mut hand = unit(7);
    hand.right(io(Rep::First, false, 0x70), QUIET);
    hand.only(io(Rep::Further, true, 0x70), db(DbClass::Trap, 1), &[QUIET, HOLD]);
    hand.counted("string_io");
    // OUTS reads its element: a breakpoint at writes is none, one at reads and writes is one.
    let outs = |rep, address| {
        let mut inputs = lanes(&[super::ports::rep(access(at(0x20), false, address, 1), rep)]);
        (inputs.io, inputs.de) = (Io { valid: true, write: true, port: 0x70, size: 1 }, true);
        inputs
    };
    let with = |control| Hand::with(Config { string_group: 7, ..D }, [0x1000, 0x60, 0x10, 0], control);
    let mut hand = with(0x42A | 0x1 << 16 | 0x2 << 20);
    hand.only(outs(Rep::First, 0x1000), QUIET, &[db(DbClass::Trap, 1)]);
    let mut hand = with(0x42A | 0x3 << 16 | 0x2 << 20);
    hand.right(outs(Rep::First, 0x2000), QUIET);
    hand.only(outs(Rep::Further, 0x1000), db(DbClass::Trap, 1), &[QUIET, HOLD]);
}

// An instruction breakpoint is checked before the first iteration, and after an interruption
#[test]
fn breakpoints() {
    let it = |rep| super::ports::rep(at(0x10), rep);
    let fault = |lane| cut(lane, true, db(DbClass::Fault, 4));
    let mut hand = unit(0);
    hand.only(lanes(&[it(Rep::First)]), fault(0), &[QUIET]);
    hand.right(deliver(false, 0x10), frame(false));
    let group = lanes(&[iret(0x50, true), it(Rep::First), it(Rep::Further), it(Rep::Last)]);
    hand.only(group, QUIET, &[fault(2)]);
    hand.counted("exec_iteration");
    hand.only(lanes(&[it(Rep::Last)]), fault(0), &[QUIET]);
    for (rf, right, wrong) in [(true, QUIET, fault(1)), (false, fault(1), QUIET)] {
        let mut hand = unit(0);
        hand.right(lanes(&[iret(0x50, true), it(Rep::First), it(Rep::Further)]), QUIET);
        hand.right(int(IntKind::Interrupt, false), frame(true));
        hand.only(lanes(&[iret(0x60, rf), it(Rep::Further)]), right, &[wrong]);
    }
}
