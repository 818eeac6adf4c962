//! Data and I/O breakpoints.

use super::ports::*;
use lwp_model::debug::{Config, DbClass, LaneKind, Outputs};
use lwp_model::retire::{IntKind, Io, OpMode};

const D: Config = Config::DEFAULT;
const DR: [u64; 4] = [0x1000, 0x2000, 0x60, 0];

/// Writes of the 4 bytes at DR0, reads and writes of the 2 at DR1, I/O at DR2.
fn unit(straps: Config) -> Hand {
    Hand::with(straps, DR, 0x402 | 0x8 | 0x20 | 0xD << 16 | 0x7 << 20 | 0x2 << 24)
}

// DBG-29, DBG-52: any byte, a trap behind the instruction
#[test]
fn data() {
    for first in 0xFF0..0x1010 {
        for size in [1, 2, 4, 8, 16] {
            let hits = (first..first + u64::from(size)).any(|byte| (0x1000..0x1004).contains(&byte));
            let group = lanes(&[access(at(0x10), true, first, size), at(0x11)]);
            let trap = cut(0, false, db(DbClass::Trap, 1));
            let (right, wrong) = if hits { (trap, QUIET) } else { (QUIET, trap) };
            unit(D).only(group, right, &[wrong, cut(0, true, trap), cut(0, false, db(DbClass::Fault, 1))]);
        }
    }
    // A load does not meet a breakpoint on writes.
    let mut hand = unit(D);
    hand.only(lanes(&[access(at(0x10), false, 0x1000, 4)]), QUIET, &[db(DbClass::Trap, 1)]);
    hand.counted("data_missed");
    for write in [false, true] {
        let group = lanes(&[at(0x8), access(at(0x10), write, 0x1FFF, 2), at(0x11)]);
        unit(D).only(group, cut(1, false, db(DbClass::Trap, 2)), &[QUIET]);
    }
}

// DBG-32: two breakpoints in one exception; DBG-50: RF does not matter
#[test]
fn several() {
    let mut lane = access(at(0x10), true, 0x1000, 1);
    lane.accesses[1] = access(lane, false, 0x2000, 1).accesses[0];
    let group = lanes(&[iret(0x8, true), tf(lane)]);
    for first in [false, true] {
        let trap = |b| if first { cut(1, false, bs(db(DbClass::Trap, b))) } else { bs(db(DbClass::Trap, b)) };
        let mut hand = unit(D);
        hand.only(group, trap(3), &[trap(1), QUIET, cut(1, false, db(DbClass::Trap, 3))]);
        hand.only(deliver(true, 0x12), frame(false), &[frame(true)]);
        hand.read(6, 0xFFFF_4FF3, 0xFFFF_0FF3);
        hand.counted("both");
    }
}

// DBG-26: I/O, with CR4.DE and without
#[test]
fn ports() {
    for port in 0x5C..0x64 {
        for (size, de, gate) in [(1, true, true), (4, true, true), (1, false, true), (1, false, false)] {
            let hits = (de || !gate) && (port..port + size).contains(&0x60);
            let mut group = lanes(&[at(0x10)]);
            group.io = Io { valid: true, write: port % 2 == 0, port: port as u16, size: size as u8 };
            group.de = de;
            let (right, wrong) = if hits { (db(DbClass::Trap, 4), QUIET) } else { (QUIET, db(DbClass::Trap, 4)) };
            unit(Config { io_gate: gate, ..D }).only(group, right, &[wrong]);
        }
    }
}

// DBG-57: behind an SS load the hit waits for one instruction, DBG-60: also for INT n
#[test]
fn an_ss_load_holds_the_hit() {
    let load = |ip| {
        let mut lane = ss(ip);
        lane.accesses[0] = access(lane, false, 0x2000, 2).accesses[0];
        lane
    };
    let mut hand = unit(D);
    hand.only(
        lanes(&[load(0x10), at(0x12), at(0x13)]),
        cut(1, false, db(DbClass::Trap, 2)),
        &[cut(0, false, db(DbClass::Trap, 2)), QUIET, HOLD],
    );
    for kind in [LaneKind::IntN, LaneKind::Int3] {
        let mut hand = unit(D);
        hand.only(lanes(&[load(0x10)]), HOLD, &[QUIET, db(DbClass::Trap, 2)]);
        hand.only(
            lanes(&[tf(super::ports::kind(0x12, kind))]),
            db(DbClass::Trap, 2),
            &[QUIET, bs(db(DbClass::Trap, 2))],
        );
        hand.counted("held_interrupt");
    }
    // DBG-58, DBG-59: a fault of the next instruction, or #MC
    for trap in [false, true] {
        let mut hand = unit(D);
        hand.right(lanes(&[load(0x10)]), HOLD);
        let lost = frame(!trap);
        hand.only(int(IntKind::Exception, trap), lost, &[Outputs { hold: true, ..lost }]);
        hand.only(lanes(&[at(0x100)]), QUIET, &[db(DbClass::Trap, 2)]);
        hand.counted("held_lost");
    }
}

// DBG-58: a pending trap is lost, and DR6 stays
#[test]
fn a_lost_trap() {
    let mut hand = unit(D);
    hand.right(lanes(&[access(at(0x10), true, 0x1000, 4), at(0x11)]), cut(0, false, db(DbClass::Trap, 1)));
    let stays = Outputs { frame_valid: true, ..db(DbClass::Trap, 1) };
    hand.only(int(IntKind::Exception, true), frame(false), &[stays]);
    hand.only(lanes(&[at(0x100)]), QUIET, &[db(DbClass::Trap, 1)]);
    hand.read(6, 0xFFFF_0FF0, 0xFFFF_0FF1);
    hand.counted("requests_lost");
}

// Accesses of partial cycles belong to the instruction that retires
#[test]
fn partial_cycles() {
    let mut hand = unit(D);
    let mut early = lanes(&[access(at(0), true, 0x1000, 4), access(at(0), true, 0x2000, 4)]);
    early.partial = true;
    hand.only(early, QUIET, &[db(DbClass::Trap, 1)]);
    hand.only(
        lanes(&[at(0x10), at(0x11)]),
        cut(0, false, db(DbClass::Trap, 1)),
        &[QUIET, cut(0, false, db(DbClass::Trap, 3))],
    );
    hand.counted("partial_hits");
    // The instruction faults: it has not been executed.
    let mut hand = unit(D);
    hand.right(early, HOLD);
    hand.only(int(IntKind::Exception, false), frame(true), &[Outputs { hold: true, ..frame(true) }]);
    hand.only(lanes(&[at(0x100)]), QUIET, &[db(DbClass::Trap, 1)]);
}

// Addresses of 32 bits
#[test]
fn narrow_addresses() {
    let mut group = lanes(&[access(at(0x10), true, 0x1003, 1)]);
    group.mode.op_mode = OpMode::Protected;
    unit(Config { long_mode: false, ..D }).only(group, db(DbClass::Trap, 1), &[QUIET]);
    // DBG-08: all 64 bits of a linear address
    unit(D).only(lanes(&[access(at(0x10), true, 0x1_0000_1003, 1)]), QUIET, &[db(DbClass::Trap, 1)]);
}
