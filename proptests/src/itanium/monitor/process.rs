//! PSR.up, PSR.sp, PSR.pp and DCR.pp, and what may change them.

use super::{Checked, Step, ensure};
use lwp_model::itanium::{RegOp, Status, UpOnInterruption};

pub(super) fn check<const BUNDLES: usize, const ENTRIES: usize>(
    step: &Step<'_, BUNDLES, ENTRIES>,
    checked: &mut Checked,
) -> Result<(), String> {
    let (now, next, inputs) = (&step.now.status, &step.next.status, step.inputs);
    if inputs.int_valid {
        checked.interruptions += u64::from(now.pp != now.dcr_pp);
        // ITA-50
        ensure!(next.pp == now.dcr_pp, "an interruption does not copy DCR.pp into PSR.pp");
        let up = now.up && step.straps.up_on_interruption == UpOnInterruption::Kept;
        ensure!(next.up == up, "PSR.up behind an interruption");
        ensure!(!next.sp, "PSR.sp behind an interruption");
        ensure!(next.dcr_pp == now.dcr_pp, "an interruption changes DCR.pp");
        return Ok(());
    }
    let privileged = |status: &Status| (status.sp, status.pp);
    if privileged(now) != privileged(next) {
        // ITA-49
        ensure!(step.done() && inputs.cpl == 0, "PSR.sp or PSR.pp changes above level 0");
    }
    let wdata = inputs.reg.wdata;
    let [up, sp, pp] = [2, 20, 21].map(|bit| wdata >> bit & 1 != 0);
    let set = |bit: bool, source: bool| bit || source;
    let clear = |bit: bool, source: bool| bit && !source;
    let expected = match inputs.reg.op {
        _ if !step.done() => *now,
        // A process that may not disturb the monitors cannot.
        RegOp::Sum | RegOp::Rum | RegOp::WritePsrUm if now.sp => *now,
        // ITA-48: sum and rum change PSR.up at every level.
        RegOp::Sum => Status { up: set(now.up, up), ..*now },
        RegOp::Rum => Status { up: clear(now.up, up), ..*now },
        RegOp::WritePsrUm => Status { up, ..*now },
        RegOp::Ssm => Status { up: set(now.up, up), sp: set(now.sp, sp), pp: set(now.pp, pp), ..*now },
        RegOp::Rsm => Status { up: clear(now.up, up), sp: clear(now.sp, sp), pp: clear(now.pp, pp), ..*now },
        RegOp::WritePsrL | RegOp::Rfi => Status { up, sp, pp, ..*now },
        _ => *now,
    };
    // DCR.pp is a register of a file.
    let expected = Status { dcr_pp: next.dcr_pp, ..expected };
    ensure!(*next == expected, "{:?}: {next:?}, not {expected:?}", inputs.reg.op);
    Ok(())
}
