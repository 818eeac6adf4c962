//! Stage flags: RF of the frame, and what an interruption leaves.

use super::arbiter::Delivered;
use super::config::Config;
use super::inputs::Inputs;
use super::state::{DbClass, Flags, Frame, Registers, Request};
use crate::retire::IntKind;
use lwp_regs::debug::PushedBy;

/// The frame of what is delivered.
#[inline]
pub(super) fn frame<const LANES: usize>(
    delivered: Delivered,
    flags: Flags,
    request: &Request,
    inputs: &Inputs<LANES>,
    straps: &Config,
) -> Frame {
    if !delivered.entry {
        return Frame::default();
    }
    let (fault, other) =
        (PushedBy::Fault { sets_rf: straps.fault_rf }, PushedBy::Other { in_repetition: flags.sets_rf(straps) });
    let by = match (delivered.own, request.db_class) {
        (true, DbClass::Fault) if !request.db_bd => PushedBy::InstructionBreakpoint,
        (true, DbClass::Fault | DbClass::Rollback) => fault,
        (true, DbClass::Trap | DbClass::Abort) => other,
        (false, _) if inputs.int.kind == IntKind::Exception && !inputs.int.trap => fault,
        (false, _) => other,
    };
    Frame { frame_valid: true, frame_rf: by.pushed_rf(flags.rf) }
}

/// The flags behind a delivery: RF alone can be left.
#[inline]
pub(super) fn after<const LANES: usize>(delivered: Delivered, registers: &Registers, inputs: &Inputs<LANES>) -> Flags {
    let rf = if delivered.gate_task { inputs.int.rf } else { delivered.rsm && registers.smm.rf };
    Flags { rf, ..Flags::default() }
}
