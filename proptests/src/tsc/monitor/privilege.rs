//! The privilege that reads and writes need.

use super::{Step, ensure};
use lwp_model::retire::{OpMode, RegOp, RegResult};

pub(super) fn check(step: &Step<'_>) -> Result<(), String> {
    if !step.inputs.reg.valid {
        return Ok(());
    }
    let privileged = match step.inputs.op_mode {
        OpMode::Real => true,
        OpMode::Virtual8086 => false,
        _ => step.inputs.cpl == 0,
    };
    let (straps, result) = (step.straps, step.next.result);
    match step.inputs.reg.op {
        RegOp::Rdmsr | RegOp::Wrmsr => {
            ensure!(privileged || !step.done(), "{:?} outside level 0", step.inputs.reg.op);
            ensure!(straps.present || result == RegResult::NotMine, "a register of a unit without a counter");
        }
        op @ (RegOp::Rdtsc | RegOp::Rdtscp) => {
            let exists = if op == RegOp::Rdtsc { straps.present } else { straps.aux };
            // TSC-11: at any level, unless TSD restricts it to level 0.
            let expected = match (exists, step.inputs.tsd && !privileged) {
                (false, _) => RegResult::InvalidOpcode,
                (true, true) => RegResult::GeneralProtection,
                (true, false) => RegResult::Done,
            };
            ensure!(result == expected, "{op:?}: {result:?}, not {expected:?}");
        }
        op => ensure!(result == RegResult::NotMine, "{op:?} is not the unit's: {result:?}"),
    }
    Ok(())
}
