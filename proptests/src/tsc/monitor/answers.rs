//! Each request has one result, in the next cycle, with the values of the registers in the request's cycle.

use super::{Step, ensure};
use lwp_model::retire::{RegOp, RegResult};
use lwp_regs::tsc::{TimeStampCounter, TscAdjust, TscAux};

pub(super) fn check(step: &Step<'_>) -> Result<(), String> {
    let (reg, next) = (&step.inputs.reg, step.next);
    ensure!(next.answered == reg.valid, "a request is answered in the next cycle, and nothing else is");
    if !step.done() {
        ensure!(next.rdata == 0 && next.aux == 0, "what is refused, or not asked, shows something");
        return Ok(());
    }
    let asked = &step.now.processors[step.asked()];
    let expected = match reg.op {
        // TSC-15: both are of one cycle.
        RegOp::Rdtscp => (asked.counter, asked.aux),
        RegOp::Rdtsc => (asked.counter, 0),
        RegOp::Rdmsr => match reg.number {
            TimeStampCounter::ADDRESS => (asked.counter, 0),
            TscAdjust::ADDRESS => (asked.adjust, 0),
            TscAux::ADDRESS => (asked.aux, 0),
            other => return Err(format!("there is no register {other:#x}")),
        },
        RegOp::Wrmsr => (0, 0),
        _ => return Err(format!("{:?} is answered with {:?}", reg.op, RegResult::Done)),
    };
    ensure!((next.rdata, next.aux) == expected, "{:?} shows {:#x}, {:#x}", reg.op, next.rdata, next.aux);
    Ok(())
}
