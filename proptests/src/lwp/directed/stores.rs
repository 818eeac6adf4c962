//! Records in flight: several at a time, faults of MissedEvents, responses after ring 3 was left, delayed interrupts.

use super::Directed;
use super::building_blocks::{
    block, booted, branch, context, group, idle, kernel, missing, of_block, plain, slow, steps, user,
};
use crate::lwp::scenario::{Argument, Block, Op, Step, TailMove};
use lwp_model::lwp::{Config, CtlOp, CtlState, FaultPolicy, GatherPolicy, LeavePolicy, StoreState, StoreTiming};

/// Returns straps with which every event of an instruction has its record.
fn several(fault_policy: FaultPolicy) -> Config {
    Config { gather_policy: GatherPolicy::All, one_per_instr: false, fault_policy, ..Config::default() }
}

/// Returns a run in which three records wait, and the following instruction causes all three events again.
fn three_records() -> Directed {
    let run = vec![
        group(&[missing(branch(0x100))]),
        group(&[missing(branch(0x108))]),
        group(&[plain(0x110), missing(branch(0x118))]),
        Step::Do(Op::Idle(90)),
    ];
    Directed {
        situation: "an event that has the third record is caused again",
        sequence: booted(several(FaultPolicy::Trap), &[1, 2, 3], 0, run),
        seen: |cycle| cycle.state.records[2].event != 0 && cycle.inputs.lanes[0].valid,
    }
}

/// Returns a run in which two records wait. In one of the following cycles the third event occurs, and nothing else can
/// be recorded.
fn third_while_the_first_leaves(cycles: u8) -> Directed {
    let mut run = vec![group(&[branch(0x100)])];
    run.extend(idle(cycles));
    run.extend([group(&[missing(plain(0x108))]), Step::Do(Op::Idle(70))]);
    Directed {
        situation: "a record is gathered in the cycle in which the first of two leaves",
        sequence: booted(several(FaultPolicy::Trap), &[1, 2, 3], 0, run),
        seen: |cycle| {
            let state = &cycle.state;
            state.store.st == StoreState::Reset && state.records[1].event != 0 && cycle.inputs.lanes[0].loads[0].miss
        },
    }
}

/// Returns a run in which ring 3 is left in one of the cycles of a store. At once an operation is issued, which has to
/// wait until the access in progress is complete.
fn operation_behind_a_store(cycles: u8) -> Directed {
    let mut run = vec![group(&[plain(0x100)])];
    run.extend(idle(cycles));
    run.extend(steps([kernel(), Op::Context(false, 1, 0), Op::Idle(20), user(), Op::Idle(20)]));
    Directed {
        situation: "an operation waits for a store that goes on outside ring 3",
        sequence: booted(Config::default(), &[1], 0, run),
        seen: |cycle| {
            let state = &cycle.state;
            state.ctl.st == CtlState::Wait && state.store.st == StoreState::Report && !cycle.inputs.mode.ring3()
        },
    }
}

/// Returns a run in which the first of two records faults and stays. The core does not leave ring 3, so the second also
/// stays.
fn behind_a_pending_record() -> Directed {
    let mut run = steps([Op::PageOut(2)]);
    run.push(group(&[branch(0x100)]));
    run.extend(steps([Op::Idle(9), Op::PageIn, Op::AckPageFault, Op::Idle(90)]));
    Directed {
        situation: "a record behind one that faulted and was stored after all",
        sequence: booted(several(FaultPolicy::TrapPending), &[1, 2], 0, run),
        seen: |cycle| {
            let state = &cycle.state;
            state.pending && state.records[1].event != 0 && state.store.st == StoreState::Reset
        },
    }
}

/// Returns a run with a full ring, in which MissedEvents faults while the next record waits.
fn missed_events_fault(cycles: u8) -> Directed {
    let small = Block { size: 64, tail: 32, ..block(&[1, 2], 0) };
    let straps = Config { fault_policy: FaultPolicy::TrapPending, ..Config::default() };
    let mut run = vec![group(&[branch(0x100)])];
    run.extend(idle(18 + cycles));
    run.extend([group(&[branch(0x108)]), Step::Do(Op::PageOut(0))]);
    run.extend(steps([Op::Idle(9), Op::PageIn, Op::AckPageFault, Op::Idle(40)]));
    Directed {
        situation: "MissedEvents faults while a record waits",
        sequence: of_block(straps, small, run),
        seen: |cycle| {
            let state = &cycle.state;
            let missed = matches!(state.store.st, StoreState::MissRead | StoreState::MissWrite);
            cycle.inputs.mem.err && missed && state.records[0].event != 0
        },
    }
}

/// Returns a run in which a record was held while the core was outside ring 3, and the first instruction after the
/// return gathers another one, which can be undone. The ring is full: the first record is missed, and MissedEvents
/// faults in one of the following cycles.
fn missed_events_undo(cycles: u8) -> Directed {
    let small = Block { size: 64, tail: 32, ..block(&[1, 2], 0) };
    let straps = Config {
        fault_policy: FaultPolicy::Fault,
        store_timing: StoreTiming::Sync,
        leave_policy: LeavePolicy::Hold,
        gather_policy: GatherPolicy::All,
        ..Config::default()
    };
    let mut run = vec![group(&[plain(0x100)])];
    run.extend(steps([Op::Idle(2), kernel(), Op::Idle(3), user()]));
    run.push(group(&[branch(0x108)]));
    run.extend(idle(cycles));
    run.extend(steps([Op::PageOut(0), Op::Idle(30), Op::PageIn, Op::AckPageFault, Op::Idle(40)]));
    Directed {
        situation: "MissedEvents faults, and the record that is undone is another",
        sequence: of_block(straps, small, run),
        seen: |cycle| {
            let state = &cycle.state;
            let missed = matches!(state.store.st, StoreState::MissRead | StoreState::MissWrite);
            cycle.inputs.mem.err && missed && state.undo.valid && state.records[0].event != 0
        },
    }
}

/// Returns a run in which the page of the block is removed before the access of this cycle is granted, and the core
/// leaves ring 3 before the response.
fn leaves_before_the_answer(cycles: u8) -> Directed {
    let mut run = vec![group(&[plain(0x100)])];
    run.extend(idle(cycles));
    run.extend(steps([Op::PageOut(0), Op::Idle(1), kernel(), Op::Idle(6), Op::PageIn, user(), Op::Idle(30)]));
    Directed {
        situation: "the head faults after ring 3 was left",
        sequence: slow(booted(Config::default(), &[1], 0, run), 6),
        seen: |cycle| cycle.inputs.mem.err && !cycle.inputs.mode.ring3() && cycle.state.store.st == StoreState::Head,
    }
}

/// Returns the same run for the initialisation that the kernel has left to ring 3.
fn leaves_an_initialisation(cycles: u8) -> Directed {
    let mut run = steps([kernel(), Op::Control(CtlOp::WriteMsr1, Argument::Block(0), 0)]);
    run.extend(steps([Op::Idle(30), user()]));
    run.extend(idle(60 + cycles));
    run.extend(steps([Op::PageOut(0), Op::Idle(1), kernel(), Op::Idle(6), Op::PageIn, user(), Op::Idle(120)]));
    Directed {
        situation: "the Flags of a deferred initialisation fault after ring 3 was left",
        sequence: slow(booted(Config::default(), &[1], 0, run), 6),
        seen: |cycle| {
            let ctl = &cycle.state.ctl;
            cycle.inputs.mem.err && !cycle.inputs.mode.ring3() && ctl.init && ctl.st == CtlState::Flags
        },
    }
}

/// Returns a run in which the threshold is crossed again while the previous interrupt is still delayed; the kernel
/// saves its word.
fn crossed_twice(delay: u8) -> Directed {
    let mut run = vec![group(&[plain(0x100)])];
    run.extend(steps([Op::Idle(24), Op::Tail(0, TailMove::Drain)]));
    run.push(group(&[plain(0x108)]));
    run.extend(steps([Op::Idle(24), kernel(), Op::Idle(2)]));
    run.extend(steps(context(false, 8, 0)));
    run.extend(steps([user(), Op::Idle(delay)]));
    // A pending interrupt persists through a restore without one.
    run.extend(steps([kernel(), Op::Idle(2)].into_iter().chain(context(true, 8, 0x8000_000F))));
    run.extend(steps([Op::AckInterrupt, user(), Op::Idle(4)]));
    Directed {
        situation: "the threshold is crossed while an interrupt is delayed",
        sequence: booted(Config { irq_delay: delay, ..Config::default() }, &[1], 0, run),
        seen: |cycle| {
            let state = &cycle.state;
            state.store.st == StoreState::Report && state.irq.count != 0
        },
    }
}

pub(super) fn all() -> Vec<Directed> {
    let mut all = vec![three_records(), behind_a_pending_record()];
    all.extend((0..10).map(missed_events_fault));
    all.extend((12..30).map(missed_events_undo));
    all.extend((20..52).map(leaves_before_the_answer));
    all.extend((0..50).map(leaves_an_initialisation));
    all.extend([60, 90, 200].map(crossed_twice));
    all.extend((0..30).map(third_while_the_first_leaves));
    all.extend((0..24).map(operation_behind_a_store));
    all
}
