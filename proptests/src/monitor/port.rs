//! The memory port keeps its rules.

use super::{Step, ensure};
use lwp_model::lwp::MemCmd;

pub(super) fn check<const W: usize>(step: &Step<'_, W>) -> Result<(), String> {
    let (now, next) = (&step.now.port, &step.next.port);
    ensure!(!(next.req && next.wait), "a request stands while a response is outstanding");
    ensure!(!next.drop || next.wait, "nothing to drop");
    if now.req && !step.granted() {
        let same = (now.cmd, now.be, now.addr, now.wdata) == (next.cmd, next.be, next.addr, next.wdata);
        ensure!(!next.req || same, "a request changes before it is granted");
        let given_up = !step.ring3();
        ensure!(next.req || given_up, "a request goes away before it is granted");
    }
    if step.granted() {
        ensure!(next.wait && !next.req, "a grant is not taken");
    }
    if next.cmd != MemCmd::Write && next.req {
        ensure!(next.wdata == 0, "data {:#x} on a request that writes nothing", next.wdata);
    }
    Ok(())
}
