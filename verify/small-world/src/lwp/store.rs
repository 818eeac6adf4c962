//! Counting, gathering, storing, the threshold.

use super::World;
use super::alphabet::Acks;
use super::memory::Timing;
use super::parts::*;
use lwp_model::lwp::{
    Config, FaultPolicy, HeadFlush, IntervalSource, LeavePolicy, Load, StoreTiming, TailReread, WriteOnFull,
};

/// Worlds in which a session runs and no operation comes.
pub(super) fn worlds() -> Vec<World> {
    vec![tiny(), ring(), noise(), store(), threshold(), lazy(), hold(), undo()]
}

/// One event, an interval of one, a memory that answers at once.
fn tiny() -> World {
    let mut block = block(BLOCK, [slot(1, 1, 1), 0, 0]);
    block.words[2] = tails(0, &[0, 64]);
    let mut memory = memory(vec![block]);
    memory.timing = Timing::Prompt;
    memory.faults = false;
    let mut alphabet = quiet(memory);
    alphabet.modes = vec![USER, KERNEL];
    alphabet.retire = vec![nothing(), instruction()];
    let about = "one event, every record stored: ring, tail, missed events, leaving ring 3";
    World { name: "tiny", about, straps: Config::default(), setup: session(), alphabet }
}

/// The same with any memory.
fn ring() -> World {
    let mut base = tiny();
    base.alphabet.memory.timing = Timing::Any;
    base.alphabet.memory.faults = true;
    base.alphabet.acks = pf_acks();
    World { name: "ring", about: "as tiny; memory answers in any cycle, every access may page-fault", ..base }
}

/// Answers that nobody asked for.
fn noise() -> World {
    let mut base = tiny();
    base.alphabet.memory.timing = Timing::Any;
    base.alphabet.memory.noise = true;
    World {
        name: "noise",
        about: "as tiny; memory answers in any cycle, and grants and answers what was not asked",
        ..base
    }
}

/// Two events that meet.
fn store() -> World {
    let mut base = tiny();
    base.alphabet.memory.blocks = vec![block(BLOCK, [slot(2, 1, 1), slot(1, 2, 2), 0])];
    base.alphabet.memory.blocks[0].words[2] = tails(0, &[0, 64, 160]);
    base.alphabet.modes = vec![USER, SMM];
    base.alphabet.retire = vec![nothing(), instruction(), branch()];
    World { name: "store", about: "instructions and branches, a tail outside the ring, SMM", ..base }
}

/// The interrupt, late and taken at any time.
fn threshold() -> World {
    let mut base = tiny();
    base.alphabet.memory.blocks[0].words[2] = tails(0, &[0, 32, 64, 96]);
    base.alphabet.memory.blocks[0].words[4] = vec![word(64, 0)];
    base.alphabet.acks = vec![Acks::default(), Acks { pf: false, irq: true }];
    let straps = Config { irq_delay: 2, ..Config::default() };
    World {
        name: "threshold",
        about: "every tail, the threshold, a delayed interrupt taken at any time",
        straps,
        ..base
    }
}

/// Deferred head and lazy tail.
fn lazy() -> World {
    let straps = Config {
        head_flush: HeadFlush::Deferred,
        tail_reread: TailReread::Lazy,
        tail_nth: 2,
        write_on_full: WriteOnFull::Skip,
        interval_source: IntervalSource::Reread,
        ..Config::default()
    };
    let mut base = threshold();
    base.alphabet.memory.blocks[0].words[5].push(slot(1, 2, 0));
    let about = "deferred head, lazy tail, interval read again, nothing written when full";
    World { name: "lazy", about, straps, ..base }
}

/// Records outlive ring 3 and page faults.
fn hold() -> World {
    let straps =
        Config { leave_policy: LeavePolicy::Hold, fault_policy: FaultPolicy::TrapPending, ..Config::default() };
    let mut base = tiny();
    base.alphabet.memory.faults = true;
    base.alphabet.acks = pf_acks();
    World { name: "hold", about: "records are held outside ring 3 and after a page fault", straps, ..base }
}

/// Retirement waits, and a fault undoes the instruction.
fn undo() -> World {
    let straps = Config { store_timing: StoreTiming::Sync, fault_policy: FaultPolicy::Fault, ..Config::default() };
    let mut base = hold();
    base.alphabet.memory.blocks = vec![block(BLOCK, [slot(1, 2, 2), slot(3, 1, 1), 0])];
    base.alphabet.retire = vec![nothing(), instruction(), partial(loads([miss(0), Load::default()]))];
    World {
        name: "undo",
        about: "stores stall retirement, page faults undo the instruction and its loads",
        straps,
        ..base
    }
}
