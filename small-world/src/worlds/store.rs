//! Counting, gathering, storing, the threshold.

use super::World;
use super::parts::*;
use lwp_model::lwp::{Config, FaultPolicy, HeadFlush, LeavePolicy, StoreTiming, TailReread};

/// Worlds in which a session runs and no operation comes.
pub(super) fn worlds() -> Vec<World> {
    vec![tiny(), store(), threshold(), lazy(), hold(), undo()]
}

/// One event, one counter value.
fn tiny() -> World {
    let mut block = block(BLOCK, [slot(1, 1, 1), 0, 0]);
    block.words[2] = tails(0, &[0, 64]);
    let mut alphabet = quiet(memory(vec![block]));
    alphabet.modes = vec![USER, KERNEL];
    alphabet.retire = vec![nothing(), instruction()];
    alphabet.acks = pf_acks();
    let about = "one event with every record stored: ring, tail, page faults, leaving ring 3";
    World { name: "tiny", about, straps: Config::default(), setup: session(), alphabet }
}

/// Two events that meet.
fn store() -> World {
    let mut block = block(BLOCK, [slot(2, 1, 1), slot(1, 2, 2), 0]);
    block.words[2] = tails(0, &[0, 32, 64, 96, 160]);
    let mut memory = memory(vec![block]);
    memory.noise = true;
    let mut alphabet = quiet(memory);
    alphabet.modes = vec![USER, KERNEL, SMM];
    alphabet.retire = vec![nothing(), instruction(), branch()];
    alphabet.acks = pf_acks();
    let about = "instructions and branches, every tail, page faults, privilege, a memory that answers unasked";
    World { name: "store", about, straps: Config::default(), setup: session(), alphabet }
}

/// The interrupt, late and taken at any time.
fn threshold() -> World {
    let mut block = block(BLOCK, [slot(1, 1, 1), 0, 0]);
    block.words[2] = tails(0, &[0, 32, 64, 96]);
    block.words[4] = vec![word(64, 0)];
    let mut alphabet = quiet(memory(vec![block]));
    alphabet.modes = vec![USER, KERNEL];
    alphabet.retire = vec![nothing(), instruction()];
    alphabet.acks = all_acks();
    let straps = Config { irq_delay: 2, ..Config::default() };
    World { name: "threshold", about: "the threshold, a delayed interrupt", straps, setup: session(), alphabet }
}

/// Deferred head and lazy tail.
fn lazy() -> World {
    let base = threshold();
    let straps = Config {
        head_flush: HeadFlush::Deferred,
        tail_reread: TailReread::Lazy,
        tail_nth: 2,
        write_on_full: lwp_model::lwp::WriteOnFull::Skip,
        interval_source: lwp_model::lwp::IntervalSource::Reread,
        ..Config::default()
    };
    World { name: "lazy", about: "deferred head, lazy tail, interval read again, nothing written when full", straps, ..base }
}

/// Records outlive ring 3.
fn hold() -> World {
    let straps = Config { leave_policy: LeavePolicy::Hold, fault_policy: FaultPolicy::TrapPending, ..Config::default() };
    let mut base = tiny();
    base.alphabet.retire.push(branch());
    base.alphabet.memory.blocks[0].words[6] = vec![slot(2, 1, 1)];
    World { name: "hold", about: "records are held outside ring 3 and after a page fault", straps, ..base }
}

/// Retirement waits, and a fault undoes the instruction.
fn undo() -> World {
    let straps =
        Config { store_timing: StoreTiming::Sync, fault_policy: FaultPolicy::Fault, ..Config::default() };
    let mut base = tiny();
    base.alphabet.retire = vec![nothing(), instruction(), branch(), partial(loads([miss(0), miss(1)]))];
    base.alphabet.memory.blocks[0].words[6] = vec![slot(2, 1, 2)];
    base.alphabet.memory.blocks[0].words[7] = vec![slot(3, 2, 2)];
    World { name: "undo", about: "stores stall retirement, faults undo the instruction", straps, ..base }
}
