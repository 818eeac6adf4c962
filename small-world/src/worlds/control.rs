//! Operations, from reset on.

use super::World;
use super::parts::*;
use crate::memory::Timing;
use lwp_model::lwp::{Config, CtlOp, Mode, OpMode};

/// Worlds of operations.
pub(super) fn worlds() -> Vec<World> {
    vec![control(), modes()]
}

/// Two blocks, everything that switches between them.
fn control() -> World {
    let mut memory = memory(vec![block(BLOCK, [slot(1, 1, 1), 0, 0]), block(OTHER, [0, 0, slot(2, 2, 1)])]);
    memory.timing = Timing::Prompt;
    let mut alphabet = quiet(memory);
    alphabet.modes = vec![USER, KERNEL];
    alphabet.retire = vec![nothing(), branch()];
    alphabet.ctl = vec![
        no_op(),
        op(CtlOp::WriteMsr0, ALL_ON),
        op(CtlOp::WriteMsr0, 0),
        op(CtlOp::Llwpcb, BLOCK),
        op(CtlOp::Llwpcb, OTHER),
        op(CtlOp::Slwpcb, 0),
        op(CtlOp::WriteMsr1, BLOCK),
    ];
    alphabet.acks = pf_acks();
    let about = "operations at any time from reset on, two blocks, page faults everywhere";
    World { name: "control", about, straps: Config::default(), setup: Vec::new(), alphabet }
}

/// Which operation faults in which mode.
fn modes() -> World {
    let mut alphabet = quiet(memory(vec![block(BLOCK, [slot(1, 1, 1), 0, 0])]));
    alphabet.memory.timing = Timing::Prompt;
    alphabet.memory.faults = false;
    let mut modes = Vec::new();
    for op_mode in [OpMode::Real, OpMode::Virtual8086, OpMode::Protected, OpMode::Compatibility, OpMode::Long64] {
        modes.extend([0, 1, 2, 3].map(|cpl| Mode { cpl, smm: false, op_mode }));
        modes.push(Mode { cpl: 3, smm: true, op_mode });
    }
    alphabet.modes = modes;
    alphabet.ctl = CtlOp::ALL.iter().map(|&code| op(code, BLOCK)).collect();
    alphabet.ctl.extend([no_op(), op(CtlOp::WriteMsr0, ALL_ON), op(CtlOp::WriteMsr0, 1), op(CtlOp::Llwpcb, BLOCK + 8)]);
    let about = "every operation code in every mode and privilege level";
    World { name: "modes", about, straps: Config::default(), setup: Vec::new(), alphabet }
}
