//! Operations, from reset on.

use super::World;
use super::memory::Timing;
use super::parts::*;
use lwp_model::lwp::{Config, CtlOp, Mode, OpMode};

/// Worlds of operations.
pub(super) fn worlds() -> Vec<World> {
    vec![modes(), control(), faults()]
}

/// Everything that starts and ends a session, and two blocks to start it in.
fn control() -> World {
    let mut memory = memory(vec![block(BLOCK, [slot(1, 1, 1), 0, 0]), block(OTHER, [0, 0, slot(2, 2, 1)])]);
    memory.timing = Timing::Prompt;
    memory.faults = false;
    let mut alphabet = quiet(memory);
    alphabet.modes = vec![USER];
    alphabet.retire = vec![nothing(), branch()];
    alphabet.ctl =
        vec![no_op(), op(CtlOp::Llwpcb, BLOCK), op(CtlOp::Llwpcb, OTHER), op(CtlOp::Llwpcb, 0), op(CtlOp::Slwpcb, 0)];
    let about = "LLWPCB and SLWPCB at any time in a running session, two blocks";
    World { name: "control", about, straps: Config::default(), setup: session(), alphabet }
}

/// From reset on, with page faults.
fn faults() -> World {
    let mut memory = memory(vec![block(BLOCK, [slot(1, 1, 1), 0, 0])]);
    memory.timing = Timing::Prompt;
    let mut alphabet = quiet(memory);
    alphabet.modes = vec![USER, KERNEL];
    alphabet.ctl = vec![no_op(), op(CtlOp::WriteMsr0, ALL_ON), op(CtlOp::WriteMsr1, BLOCK)];
    alphabet.acks = pf_acks();
    let about = "from reset on: enabling, the deferred initialisation, page faults everywhere";
    World { name: "faults", about, straps: Config::default(), setup: Vec::new(), alphabet }
}

/// Which operation faults in which mode.
fn modes() -> World {
    let mut alphabet = quiet(memory(Vec::new()));
    let mut modes = Vec::new();
    for op_mode in [OpMode::Real, OpMode::Virtual8086, OpMode::Protected, OpMode::Compatibility, OpMode::Long64] {
        modes.extend([0, 1, 2, 3].map(|cpl| Mode { cpl, smm: false, op_mode }));
        modes.push(Mode { cpl: 3, smm: true, op_mode });
    }
    alphabet.modes = modes;
    alphabet.ctl = CtlOp::ALL.iter().map(|&code| op(code, 0)).collect();
    alphabet.ctl.extend([no_op(), op(CtlOp::WriteMsr0, 3), op(CtlOp::WriteMsr0, 0x11), op(CtlOp::Llwpcb, BLOCK + 8)]);
    let about = "every operation code in every mode and privilege level";
    World { name: "modes", about, straps: Config::default(), setup: Vec::new(), alphabet }
}
