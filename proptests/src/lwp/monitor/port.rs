//! The memory port keeps its rules.

use super::{Step, ensure};
use lwp_model::lwp::MemCmd;

pub(super) fn check<const W: usize>(step: &Step<'_, W>) -> Result<(), String> {
    let (now, next) = (step.out, step.next_out);
    let waits = &step.next.port;
    ensure!(!(next.mem_req && waits.wait), "a request is asserted while a response is outstanding");
    ensure!(!waits.drop || waits.wait, "nothing to drop");
    if now.mem_req && !step.granted() {
        let same = (now.mem_cmd, now.mem_be, now.mem_addr, now.mem_wdata)
            == (next.mem_cmd, next.mem_be, next.mem_addr, next.mem_wdata);
        ensure!(!next.mem_req || same, "a request changes before it is granted");
        let given_up = !step.ring3();
        ensure!(next.mem_req || given_up, "a request goes away before it is granted");
    }
    if step.granted() {
        ensure!(waits.wait && !next.mem_req, "a grant is not taken");
    }
    if next.mem_cmd != MemCmd::Write && next.mem_req {
        ensure!(next.mem_wdata == 0, "data {:#x} on a request that writes nothing", next.mem_wdata);
    }
    Ok(())
}
