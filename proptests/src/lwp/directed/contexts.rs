//! Contexts that are restored in part, or whose record or settings do not stay.

use super::Directed;
use super::building_blocks::{block, context, group, kernel, of_block, plain, steps, user};
use crate::lwp::bench::BLOCKS;
use crate::lwp::scenario::{Argument, Op, Scribble};
use lwp_model::lwp::{Config, CtlOp, FaultPolicy, LeavePolicy, TailReread};

/// The bits of word 1 that indicate a session and a pending record.
const SESSION: u64 = 1 << 32;
const PENDING: u64 = 1 << 33;

/// Saves every word.
fn saved() -> Vec<Op> {
    (0..10).flat_map(|word| context(false, word, 0)).collect()
}

fn hold() -> Config {
    Config { leave_policy: LeavePolicy::Hold, ..Config::default() }
}

/// Returns word 4 with this event, and some latency and flags.
fn first_word(event: u64) -> u64 {
    0x55 << 32 | 0xA << 28 | event
}

/// Returns a run in which some words of a record are restored (bit n of `parts`: word 4 + n), with or without a
/// session.
fn half_restored(parts: u8, event: u64, session: bool) -> Directed {
    let mut ops = vec![kernel(), Op::Idle(2)];
    ops.extend(context(true, 7, 0));
    let words = [(4_u8, first_word(event)), (5, 0x1234_5678), (6, 0x9ABC_DEF0)];
    ops.extend(
        words
            .into_iter()
            .filter(|(word, _)| parts >> (word - 4) & 1 == 1)
            .flat_map(|(word, value)| context(true, word, value)),
    );
    ops.extend(context(true, 1, if session { SESSION } else { 0 }));
    ops.extend(saved());
    ops.extend(context(true, 0, BLOCKS[0]));
    ops.extend(saved());
    ops.extend([user(), Op::Idle(60)]);
    Directed {
        situation: "a record is restored in part",
        sequence: of_block(hold(), block(&[1, 2, 3], 3), steps(ops)),
        seen: |cycle| cycle.state.records[0].event == 0 && cycle.state.records[0].ip != 0,
    }
}

/// A record that is restored with its session; the straps decide whether it stays.
#[derive(Clone, Copy)]
struct Restored {
    straps: Config,
    event: u64,
    counter: u64,
    selected: bool,
    pending: bool,
}

impl Restored {
    fn run(self) -> Directed {
        let mut ops = vec![kernel(), Op::Idle(2)];
        let others = 0xE_u32 & !(1 << self.event);
        let flags = if self.selected { 0xE } else { others };
        ops.push(Op::Scribble(0, Scribble::Flags, 0x8000_0001 | flags));
        ops.extend(context(true, 7, 0));
        for (word, value) in [(6, 0x66), (5, 0x55), (4, first_word(self.event))] {
            ops.extend(context(true, word, value));
        }
        ops.extend(context(true, 3, self.counter));
        ops.extend(context(true, 2, self.counter << 32 | self.counter));
        ops.extend(context(true, 1, SESSION | if self.pending { PENDING } else { 0 }));
        ops.extend(context(true, 0, BLOCKS[0]));
        ops.extend([user(), Op::Idle(80)]);
        Directed {
            situation: "a restored record does not stay",
            sequence: of_block(self.straps, block(&[1, 2, 3], 3), steps(ops)),
            seen: |cycle| {
                cycle.state.session.active && cycle.state.records[0].event == 0 && cycle.state.events[0].counter == 0
            },
        }
    }
}

fn restored() -> Vec<Directed> {
    let pending = Config { fault_policy: FaultPolicy::TrapPending, ..Config::default() };
    let mut all = Vec::new();
    for straps in [hold(), pending, Config { fault_policy: FaultPolicy::TrapPending, ..hold() }] {
        for (event, counter) in [(1, 0), (2, 0), (3, 0), (1, 2), (2, 2), (3, 2)] {
            for (selected, pending) in [(true, true), (true, false), (false, true), (false, false)] {
                all.push(Restored { straps, event, counter, selected, pending }.run());
            }
        }
    }
    all
}

/// Returns a run in which a record is restored with words that belong to no session: the block is loaded from the
/// beginning, and the record is discarded.
fn without_a_session(event: u64) -> Directed {
    let mut ops = vec![kernel(), Op::Idle(2)];
    for (word, value) in
        [(7, 0), (6, 0x66), (5, 0x55), (4, first_word(event)), (3, 5 << 32), (2, 0), (1, 7 << 48), (0, BLOCKS[0])]
    {
        ops.extend(context(true, word, value));
    }
    ops.extend([user(), Op::Idle(80)]);
    Directed {
        situation: "a record is restored without a session",
        sequence: of_block(hold(), block(&[1, 2, 3], 0), steps(ops)),
        seen: |cycle| {
            cycle.state.records[0].event != 0 && cycle.state.session.init_pending && !cycle.state.session.reload
        },
    }
}

/// Returns a run in which the context is cleared for the next thread while the tail need not be read.
fn tail_skip_goes() -> Directed {
    let straps = Config { tail_reread: TailReread::Lazy, tail_nth: 9, ..Config::default() };
    let mut run = vec![group(&[plain(0x100)])];
    run.extend(steps([Op::Idle(40)]));
    run.push(group(&[plain(0x108)]));
    let mut ops = vec![Op::Idle(40), kernel(), Op::Idle(2)];
    ops.extend(context(true, 7, 0));
    run.extend(steps(ops));
    Directed {
        situation: "the context is cleared while the tail need not be read",
        sequence: of_block(straps, block(&[1], 0), run),
        seen: |cycle| cycle.state.ring.tail_skip != 0 && !cycle.inputs.mode.ring3(),
    }
}

/// Returns a run in which the initialisation that the kernel has left to ring 3 follows an operation that faulted.
fn initialised_after_a_fault() -> Directed {
    let refused = Op::Control(CtlOp::WriteMsr0, Argument::Wild(1 << 20), 0);
    let ops = [
        kernel(),
        Op::Control(CtlOp::WriteMsr1, Argument::Block(1), 0),
        Op::Idle(40),
        refused,
        Op::Idle(4),
        user(),
        Op::Idle(60),
    ];
    Directed {
        situation: "an initialisation after an operation that was refused",
        sequence: of_block(Config::default(), block(&[1, 2, 3], 1), steps(ops)),
        seen: |cycle| cycle.state.ctl.init && cycle.state.ctl.fault != lwp_model::lwp::Fault::None,
    }
}

pub(super) fn all() -> Vec<Directed> {
    let mut all = Vec::new();
    for parts in 0..8 {
        for (event, session) in [(0, true), (1, true), (3, true), (4, true), (2, false), (0, false)] {
            all.push(half_restored(parts, event, session));
        }
    }
    all.extend(restored());
    all.extend((1..4).map(without_a_session));
    all.extend([tail_skip_goes(), initialised_after_a_fault()]);
    all
}
