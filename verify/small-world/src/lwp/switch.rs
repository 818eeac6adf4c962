//! Save and restore.

use super::World;
use super::memory::Timing;
use super::parts::*;
use lwp_model::lwp::{Config, CtlOp, FaultPolicy, LeavePolicy};

/// Worlds of context switches.
pub(super) fn worlds() -> Vec<World> {
    vec![save(), switch()]
}

/// Words of a context saved while the session goes on.
fn save() -> World {
    let mut memory = memory(vec![block(BLOCK, [slot(1, 2, 1), 0, 0])]);
    memory.timing = Timing::Prompt;
    memory.faults = false;
    memory.blocks[0].words[2] = tails(0, &[0, 64]);
    let mut alphabet = quiet(memory);
    alphabet.modes = vec![USER, KERNEL];
    alphabet.retire = vec![nothing(), instruction()];
    let save = |word| context(CtlOp::Save, word, 0);
    alphabet.ctl = vec![no_op(), save(0), save(1), save(4)];
    let about = "words of a context saved while the session goes on";
    World { name: "save", about, straps: Config::default(), setup: session(), alphabet }
}

/// Words of a context, restored in any order at any time.
fn switch() -> World {
    let mut memory = memory(vec![block(BLOCK, [slot(1, 1, 1), 0, 0])]);
    memory.timing = Timing::Prompt;
    memory.faults = false;
    memory.blocks[0].words[0] = vec![word(3, SIZE)];
    let mut alphabet = quiet(memory);
    alphabet.modes = vec![USER, KERNEL];
    let restore = |word, value| context(CtlOp::Restore, word, value);
    alphabet.ctl = vec![no_op(), restore(7, 0), restore(4, 1), restore(1, 1 << 33 | 1 << 32 | 32), restore(0, BLOCK)];
    let straps =
        Config { leave_policy: LeavePolicy::Hold, fault_policy: FaultPolicy::TrapPending, ..Config::default() };
    World { name: "switch", about: "words of a context restored in any order", straps, setup: session(), alphabet }
}
