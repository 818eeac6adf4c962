//! Each request has one result, in the next cycle; the privilege that it needs; what a read shows.

use super::registers::value;
use super::{Checked, Step, ensure};
use lwp_model::itanium::{RegOp, RegResult};

pub(super) fn check<const BUNDLES: usize, const ENTRIES: usize>(
    step: &Step<'_, BUNDLES, ENTRIES>,
    checked: &mut Checked,
) -> Result<(), String> {
    let (op, answer) = (step.inputs.reg.op, &step.next.answer);
    ensure!(answer.reg_done == step.asks(), "a request is answered in the next cycle, and nothing else is");
    let expected = if step.asks() { result(step) } else { RegResult::Done };
    ensure!(answer.reg_result == expected, "{op:?}: {:?}, not {expected:?}", answer.reg_result);
    checked.done += u64::from(step.done());
    checked.refused += u64::from(step.asks() && !step.done());
    let data = if step.done() && op == RegOp::ReadFile { read(step) } else { 0 };
    ensure!(answer.reg_rdata == data, "{op:?} shows {:#x}, not {data:#x}", answer.reg_rdata);
    Ok(())
}

/// Returns the result of the request.
fn result<const BUNDLES: usize, const ENTRIES: usize>(step: &Step<'_, BUNDLES, ENTRIES>) -> RegResult {
    let (file, index) = step.named();
    let (user, moves) = match step.inputs.reg.op {
        // ITA-48: an application may execute them.
        RegOp::Sum | RegOp::Rum | RegOp::WritePsrUm => (true, false),
        // ITA-49: only level 0 changes PSR.pp.
        RegOp::Ssm | RegOp::Rsm | RegOp::WritePsrL | RegOp::Rfi => (false, false),
        RegOp::ReadFile => (file == 1, true),
        RegOp::WriteFile => (false, true),
        _ => return RegResult::NotMine,
    };
    match (file, index) {
        (5.., _) | (4, 1..) if moves => RegResult::NotMine,
        _ if step.inputs.cpl != 0 && !user => RegResult::PrivilegedOperation,
        (2 | 3, 8..) if moves => RegResult::ReservedRegister,
        _ => RegResult::Done,
    }
}

/// Returns what the register holds in this cycle, or 0 if it is not shown.
fn read<const BUNDLES: usize, const ENTRIES: usize>(step: &Step<'_, BUNDLES, ENTRIES>) -> u64 {
    let (file, index) = step.named();
    if file == 1 && (4..8).contains(&index) && step.inputs.cpl != 0 {
        let counter = &step.now.counter[index as usize - 4];
        if step.now.status.sp || counter.pm {
            return 0;
        }
    }
    value(step.now, file, index)
}
