//! Blocks, bases, pointers and arguments at every power of two up to the end of the address space.

use super::building_blocks::{block, booted, context, kernel, of_block, plain, steps, user};
use super::crossing::{Crossing, Way, cycle, power, retired};
use crate::lwp::bench::{BLOCKS, BUFFER};
use crate::lwp::scenario::{Argument, Block, Op, Step};
use lwp_model::lwp::{
    Config, Control, CtlOp, FlushOutside, Inputs, IntervalSource, LeavePolicy, MissedMode, Mode, OpMode,
};

/// The bit of word 1 that indicates a session.
const SESSION: u64 = 1 << 32;

/// Truncates a number of 65 bits to 64.
const fn wrapped(value: u128) -> u64 {
    value as u64
}

/// Returns the steps that begin the session of block 0 again, at whatever address the block is.
fn begin() -> [Op; 2] {
    [Op::Control(CtlOp::Llwpcb, Argument::Block(0), 0), Op::Idle(100)]
}

/// Returns runs with a block that lies across 2^b, so that the sum of its address and an offset carries: the last 16 or
/// 32 bytes are below, or all but those. The block is loaded, stored to, and flushed by SLWPCB and by LLWPCB of 0.
fn blocks() -> impl Iterator<Item = Crossing> {
    (5..=64_u32).flat_map(|bit| {
        [16_u128, 32, 48].into_iter().filter(move |back| *back < 1 << bit).map(move |back| {
            let at = wrapped((1 << bit) - back);
            let mut run = steps([Op::Place(0, at)].into_iter().chain(begin()));
            run.extend(retired(plain(0x100)));
            run.extend(steps([Op::Control(CtlOp::Slwpcb, Argument::Zero, 0), Op::Idle(40)]));
            run.extend(steps([Op::Control(CtlOp::Llwpcb, Argument::Zero, 0), Op::Idle(40)]));
            let beyond = Way::Reaches(wrapped(1 << bit));
            let does = [("state.lwpcb", Way::Reaches(at)), ("state.ctl_arg", Way::Reaches(at)), ("mem_addr", beyond)];
            Crossing::of(booted(Config::default(), &[1, 2, 3], 0, run), does)
        })
    })
}

/// Returns runs with such a block, a ring that is full, and an interval that is read before each record: MissedEvents
/// is read and written by the store itself, or by a flush.
fn missed() -> impl Iterator<Item = Crossing> {
    let full = Block { size: 256, head: 0, tail: 32, ..block(&[1, 2, 3], 0) };
    let straps = Config { interval_source: IntervalSource::Reread, ..Config::default() };
    (5..=64_u32).flat_map(move |bit| {
        let full = full.clone();
        [MissedMode::Memory, MissedMode::Cached].into_iter().map(move |missed_mode| {
            let straps = Config { missed_mode, ..straps };
            let at = wrapped((1 << bit) - 16);
            let mut run = steps([Op::Place(0, at)].into_iter().chain(begin()));
            run.extend(retired(plain(0x100)));
            run.extend(steps([Op::Control(CtlOp::Slwpcb, Argument::Zero, 0), Op::Idle(60)]));
            let counts = Way::Reaches(at.wrapping_add(24) & !7);
            let does = [("state.lwpcb", Way::Reaches(at)), ("mem_addr", counts)];
            Crossing::of(of_block(straps, full.clone(), run), does)
        })
    })
}

/// Returns runs in which the page of a block or of the ring at 2^b is not present, and the address is reported. Then
/// the page of the ring at a low address is not present.
fn faults() -> impl Iterator<Item = Crossing> {
    (12..64_u32).flat_map(|bit| {
        let at = power(bit);
        let block = [Op::Place(0, at), Op::PageOut(0)].into_iter().chain(begin()).chain([Op::PageIn]);
        let ring = [Op::Place(2, at)].into_iter().chain(begin()).chain([Op::PageOut(2)]);
        let ring = steps(ring).into_iter().chain(retired(plain(0x100)));
        let ring = ring.chain(steps([Op::PageIn, Op::AckPageFault, Op::Idle(40)]));
        let low = [Op::Place(2, BUFFER)].into_iter().chain(begin()).chain([Op::PageOut(2)]);
        let ring = ring.chain(steps(low)).chain(retired(plain(0x108)));
        let ring = ring.chain(steps([Op::PageIn, Op::AckPageFault, Op::Idle(4)])).collect();
        let reported = [("state.pf_addr", Way::Reaches(at)), ("state.pf_addr", Way::Reaches(BUFFER))];
        [
            Crossing::new("state.ctl_fault_addr", Way::Reaches(at), booted(Config::default(), &[1], 0, steps(block))),
            Crossing::of(booted(Config::default(), &[1], 0, ring), reported),
        ]
    })
}

fn asked(op: CtlOp, wdata: u64, ds_base: u64) -> Step {
    cycle(Inputs { ctl: Control { valid: true, op, word: 0, wdata, ds_base }, ..Inputs::default() })
}

/// Returns runs in which the base of DS is added to rAX and subtracted again. The sum is 2^b, by a carry through all
/// lower bits; outside 64-bit mode the upper half is dropped before the sum and after it.
fn segments() -> impl Iterator<Item = Crossing> {
    (5..=64_u32).flat_map(|bit| {
        let at = wrapped(1 << bit);
        [OpMode::Long64, OpMode::Protected].into_iter().map(move |op_mode| {
            let low = if op_mode == OpMode::Long64 { u64::MAX } else { u32::MAX.into() };
            let (rax, base) = (at.wrapping_sub(16), 16);
            let mut run = steps([Op::Place(0, at & low), Op::Enter(Mode { cpl: 3, smm: false, op_mode }), Op::Idle(2)]);
            run.push(asked(CtlOp::Llwpcb, rax, base));
            run.extend(steps([Op::Idle(100)]));
            run.push(asked(CtlOp::Slwpcb, 0, base));
            run.extend(steps([Op::Idle(40)]));
            for base in [at.wrapping_add(16), 15, 0] {
                run.push(asked(CtlOp::Slwpcb, 0, base));
                run.extend(steps([Op::Idle(40)]));
            }
            run.extend(steps([user()]));
            let arg = (rax & low).wrapping_add(base) & low;
            let mut does = vec![("state.ctl_arg", Way::Reaches(arg))];
            if arg != 0 {
                // SLWPCB returns the original value.
                does.push(("rsp_rdata", Way::Reaches(rax & low)));
                does.push(("state.lwpcb", Way::Reaches(arg)));
            }
            Crossing::of(booted(Config::default(), &[1], 0, run), does)
        })
    })
}

/// Returns runs for each bit of the pointer, written and read as LWPMSR1, and of the words of a context.
fn written() -> impl Iterator<Item = Crossing> {
    let hold = Config { leave_policy: LeavePolicy::Hold, flush_outside: FlushOutside::Skip, ..Config::default() };
    (4..64_u32)
        .map(move |bit| {
            let mut run = steps([kernel(), Op::Idle(2)]);
            for op in [CtlOp::WriteMsr1, CtlOp::ReadMsr1] {
                run.push(asked(op, power(bit), 0));
                run.extend(steps([Op::Idle(6)]));
            }
            let does = [("state.lwpcb", Way::Reaches(power(bit))), ("rsp_rdata", Way::Reaches(power(bit)))];
            Crossing::of(booted(hold, &[1], 3, run), does)
        })
        .chain((0..64_u32).map(move |bit| {
            let words = [(7, 0), (6, power(bit)), (5, power(63 - bit)), (4, 2), (1, SESSION), (0, BLOCKS[0])];
            let restored = words.into_iter().flat_map(|(word, value)| context(true, word, value));
            let saved = (5..7).flat_map(|word| context(false, word, 0));
            let ops = [kernel(), Op::Idle(2)].into_iter().chain(restored).chain(saved).chain([user(), Op::Idle(60)]);
            let does = [
                ("state.records[0].addr", Way::Reaches(power(bit))),
                ("state.records[0].ip", Way::Reaches(power(63 - bit))),
                ("rsp_rdata", Way::Reaches(power(bit))),
            ];
            Crossing::of(booted(hold, &[2], 0, steps(ops)), does)
        }))
}

pub(super) fn all() -> Vec<Crossing> {
    blocks().chain(missed()).chain(faults()).chain(segments()).chain(written()).collect()
}
