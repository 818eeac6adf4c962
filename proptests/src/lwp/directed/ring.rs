//! Head, tail, size, threshold and MissedEvents at every width.

use super::building_blocks::{block, booted, context, group, kernel, of_block, plain, steps, user};
use super::crossing::{Crossing, Way, power, resumed, retired};
use crate::lwp::bench::{BLOCKS, BUFFER};
use crate::lwp::scenario::{Block, LARGEST_RING, Op, Sequence, Step, TailMove};
use lwp_model::lwp::{Config, FaultPolicy, HeadFlush, MissedMode, StoreTiming};

const RECORD: u32 = 32;
/// The bit of word 1 that indicates a session.
const SESSION: u64 = 1 << 32;

/// Returns a block whose ring has this head and tail when the session starts; one record is stored in it.
fn ring(size: u32, head: u32, tail: u32, threshold: u32) -> Block {
    Block { size, head, tail, threshold, ..block(&[1], 0) }
}

fn one_record(straps: Config, block: Block) -> Sequence {
    of_block(straps, block, retired(plain(0x100)))
}

/// Returns runs in which the head advances from 2^b - 32 to 2^b; it is written to memory in one run, and not in the
/// other.
fn head_advances() -> impl Iterator<Item = Crossing> {
    [HeadFlush::EachRecord, HeadFlush::Deferred].into_iter().flat_map(|head_flush| {
        let straps = Config { head_flush, ..Config::default() };
        (5..28).map(move |bit| {
            let head = (1 << bit) - RECORD;
            let run = one_record(straps, ring(LARGEST_RING, head, head, LARGEST_RING));
            Crossing::steps("state.head", head.into(), power(bit), run)
        })
    })
}

/// Returns runs in which the head continues at 0 at the end of a ring of 2^b bytes, of one record less and of one more.
fn head_wraps() -> impl Iterator<Item = Crossing> {
    let sizes = (6_u32..28).flat_map(|bit| [(1 << bit) - RECORD, 1 << bit, (1 << bit) + RECORD]);
    sizes.chain([LARGEST_RING]).filter(|size| *size >= 2 * RECORD).map(|size| {
        let head = size - RECORD;
        Crossing::steps("state.head", head.into(), 0, one_record(Config::default(), ring(size, head, head, 0)))
    })
}

/// Returns runs in which software moves the tail from 2^b - 32 to 2^b, and the next record makes the unit read it. Then
/// the tail moves to the beginning of the ring.
fn tail_moves() -> impl Iterator<Item = Crossing> {
    (5..28).map(|bit| {
        let tail = (1 << bit) - RECORD;
        let mut run = steps([Op::Tail(0, TailMove::Wild(1 << bit))]);
        run.extend(retired(plain(0x100)));
        run.extend(steps([Op::Tail(0, TailMove::Wild(0))]));
        run.extend(retired(plain(0x108)));
        let run = of_block(Config::default(), ring(LARGEST_RING, 96, tail, 0), run);
        let does = [("state.tail", Way::Steps(tail.into(), power(bit))), ("state.tail", Way::Steps(power(bit), 0))];
        Crossing::of(run, does)
    })
}

/// Returns runs in which a tail is ignored, because it equals the size or exceeds it by a bit that the size does not
/// have.
fn wild_tails() -> impl Iterator<Item = Crossing> {
    let tails = (6_u32..28).map(|bit| (1 << bit, 1 << bit)).chain((28..32).map(|bit| (256, 1 << bit)));
    tails.map(|(size, tail)| {
        let mut run = steps([Op::Tail(0, TailMove::Wild(tail))]);
        run.extend(retired(plain(0x100)));
        let run = of_block(Config::default(), ring(size, 0, RECORD, 0), run);
        Crossing::new("state.tail", Way::Stays(RECORD.into()), run)
    })
}

/// Returns runs in which the space used becomes 2^b, which is the threshold: with the head above the tail, and below
/// it.
fn thresholds_met() -> impl Iterator<Item = Crossing> {
    (5..28).flat_map(|bit| {
        let used = 1 << bit;
        let above = ring(LARGEST_RING, used - RECORD, 0, used);
        let below = ring(LARGEST_RING, 0, (LARGEST_RING + RECORD - used) % LARGEST_RING, used);
        [above, below].map(|block| Crossing::steps("irq", 0, 1, one_record(Config::default(), block)))
    })
}

/// Returns runs in which a threshold that differs from the space used in one bit causes no interrupt.
fn thresholds_missed() -> impl Iterator<Item = Crossing> {
    (6..32).map(|bit| {
        let block = ring(LARGEST_RING, 0, 0, 1 << bit | RECORD);
        Crossing::new("irq", Way::Stays(0), one_record(Config::default(), block))
    })
}

/// Returns runs for each bit of the block's ring fields, one by one. A head that is the size or more makes the ring
/// unusable.
fn loaded() -> impl Iterator<Item = Crossing> {
    let load = |block: Block| of_block(Config::default(), block, steps([Op::Idle(2)]));
    let sizes = (6..28).map(move |bit| Crossing::steps("state.size", 0, power(bit), load(ring(1 << bit, 0, 0, 0))));
    let thresholds = (5..32)
        .map(move |bit| Crossing::steps("state.threshold", 0, power(bit), load(ring(LARGEST_RING, 0, 0, 1 << bit))));
    let heads =
        (5..28).map(move |bit| Crossing::steps("state.head", 0, power(bit), load(ring(LARGEST_RING, 1 << bit, 0, 0))));
    let tails =
        (5..28).map(move |bit| Crossing::steps("state.tail", 0, power(bit), load(ring(LARGEST_RING, 0, 1 << bit, 0))));
    let unusable = (8..32).flat_map(move |bit| {
        [ring(256, 1 << bit, 0, 0), ring(256, 0, 1 << bit, 0)]
            .map(|block| Crossing::new("state.active", Way::Stays(0), load(block)))
    });
    sizes.chain(thresholds).chain(heads).chain(tails).chain(unusable)
}

/// Returns a block whose ring is full.
fn full() -> Block {
    ring(256, 0, RECORD, 0)
}

fn cached() -> Config {
    Config { missed_mode: MissedMode::Cached, ..Config::default() }
}

/// Returns runs in which the missed events that are owed to memory are restored as 2^b - 1, and one more record is
/// missed. At 65535 memory is updated.
fn missed_counts() -> impl Iterator<Item = Crossing> {
    let counts = |from: u64| {
        let run = resumed(cached(), full(), &[(1, from << 48 | SESSION)], retired(plain(0x100)));
        Crossing::steps("state.missed", from, from + 1, run)
    };
    let powers = (0..16).map(move |bit| counts(power(bit) - 1));
    let limit = resumed(cached(), Block { missed: 5, ..full() }, &[(1, 0xFFFE << 48 | SESSION)], retired(plain(0x100)));
    let written = [("state.missed", Way::Steps(0xFFFF, 0)), ("state.mem_wdata", Way::Steps(0, 5 + 0xFFFF))];
    powers.chain([counts(300), counts(0xFFFE), Crossing::of(limit, written)])
}

/// MissedEvents in memory is 2^b - 1, and one is added; or one bit of the register, 2^b, is added to the value in
/// memory.
fn missed_in_memory() -> impl Iterator<Item = Crossing> {
    let one = (0..64).map(|bit| {
        let block = Block { missed: power(bit) - 1, ..full() };
        Crossing::steps("state.mem_wdata", 0, power(bit), one_record(Config::default(), block))
    });
    let many = (0..16).map(|bit| {
        let (missed, owed) = (u64::from(u32::MAX), power(bit));
        let block = Block { missed, ..full() };
        let run = resumed(Config::default(), block, &[(1, owed << 48 | SESSION)], steps([Op::Idle(40)]));
        Crossing::steps("state.mem_wdata", 0, missed + owed, run)
    });
    one.chain(many)
}

/// Returns a run in which the access that should update memory faults, and the instruction is undone: one missed event
/// less.
fn missed_taken_back() -> Crossing {
    let straps = Config { fault_policy: FaultPolicy::Fault, store_timing: StoreTiming::Sync, ..cached() };
    let mut run = vec![group(&[plain(0x100)])];
    // The record is written and the tail read; then the page of the block is removed.
    run.extend(steps([Op::Idle(16), Op::PageOut(0), Op::Idle(40), Op::PageIn, Op::AckPageFault, Op::Idle(40)]));
    let run = resumed(straps, full(), &[(1, 0xFFFE << 48 | SESSION)], run);
    Crossing::steps("state.missed", 0xFFFF, 0xFFFE, run)
}

/// Returns runs in which 2^b increments have been owed since before ring 3 was left. A core that breaks the rule of the
/// mode change retires an instruction in the first cycle after the return. The access that follows faults, and one
/// increment is taken back with the instruction.
fn missed_of_others_taken_back() -> impl Iterator<Item = Crossing> {
    // After so many cycles the block is loaded, and memory is not updated yet.
    const LOADED: u8 = 39;
    let straps = Config { fault_policy: FaultPolicy::Fault, store_timing: StoreTiming::Sync, ..Config::default() };
    (0..16).map(move |bit| {
        let owed = power(bit);
        let words = [(7, 0), (1, owed << 48 | SESSION), (0, BLOCKS[0])];
        let restored = words.into_iter().flat_map(|(word, value)| context(true, word, value));
        let ops = [kernel(), Op::Idle(2)].into_iter().chain(restored).chain([user(), Op::Idle(LOADED)]);
        let mut run = steps(ops.chain([kernel(), Op::Idle(2), Op::PageOut(0), user()]));
        run.push(group(&[plain(0x100)]));
        run.extend(steps([Op::Idle(30), Op::PageIn, Op::AckPageFault, Op::Idle(40)]));
        Crossing::steps("state.missed", owed, owed - 1, of_block(straps, full(), run))
    })
}

/// Returns runs in which an instruction flushes 2^b missed events: they are added to the value in memory.
fn missed_flushed() -> impl Iterator<Item = Crossing> {
    (0..16).map(|bit| {
        let owed = power(bit);
        let run =
            steps([Op::Control(lwp_model::lwp::CtlOp::Slwpcb, crate::lwp::scenario::Argument::Zero, 0), Op::Idle(60)]);
        let block = Block { missed: u64::MAX - 3, ..full() };
        let run = resumed(cached(), block, &[(1, owed << 48 | SESSION)], run);
        Crossing::steps("state.mem_wdata", 0, (u64::MAX - 3).wrapping_add(owed), run)
    })
}

/// Returns runs for the base, and the address of a record: base + head, with a carry into bit b, up to the end of the
/// address space.
fn bases() -> impl Iterator<Item = Crossing> {
    (6..=64_u32).flat_map(|bit| {
        let base = ((1_u128 << bit) - 32) as u64;
        let start = || steps([Op::Place(2, base), begin(), Op::Idle(60)]);
        let back = steps([Op::Place(2, BUFFER), begin(), Op::Idle(60)]);
        let records = retired(plain(0x100)).into_iter().chain(retired(plain(0x108)));
        let first: Vec<Step> = start().into_iter().chain(records).chain(back).collect();
        // The second record begins where the first one ends.
        let run = booted(Config::default(), &[1], 0, first);
        let head = Block { head: 1 << bit.min(27), size: LARGEST_RING, tail: 0, ..block(&[1], 0) };
        let far = base.wrapping_add(u64::from(head.head));
        let offset = of_block(Config::default(), head, start().into_iter().chain(retired(plain(0x100))).collect());
        let next = base.wrapping_add(32);
        [
            Crossing::of(run, [("state.base", Way::Reaches(base)), ("state.mem_addr", Way::Reaches(next))]),
            Crossing::new("state.mem_addr", Way::Reaches(far), offset),
        ]
    })
}

/// Returns the operation that begins the session of block 0 again.
pub(super) fn begin() -> Op {
    Op::Control(lwp_model::lwp::CtlOp::Llwpcb, crate::lwp::scenario::Argument::Block(0), 0)
}

pub(super) fn all() -> Vec<Crossing> {
    let mut all: Vec<Crossing> = head_advances().chain(head_wraps()).chain(tail_moves()).chain(wild_tails()).collect();
    all.extend(thresholds_met().chain(thresholds_missed()).chain(loaded()));
    all.extend(missed_counts().chain(missed_in_memory()).chain(missed_flushed()).chain(bases()));
    all.extend(missed_of_others_taken_back());
    all.push(missed_taken_back());
    all
}
