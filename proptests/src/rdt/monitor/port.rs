//! The memory port and the answers: what stays, and what is there in one cycle alone.

use super::{Moment, ensure};
use lwp_model::rdt::Stage;
use lwp_model::retire::RegResult;

pub(super) fn check<const LP: usize>(moment: &Moment<'_, LP>) -> Result<(), String> {
    let Moment { straps, inputs, out, now, next, .. } = moment;
    if !out.mem_req {
        let quiet = !out.mem_write && out.mem_addr == 0 && out.mem_rmid == 0 && out.mem_cos == 0;
        ensure!(quiet, "the memory port shows something without a request");
    } else {
        ensure!(out.mem_addr % (1 << straps.line) == 0, "address {:#x} within a line", out.mem_addr);
        if !inputs.mem.mem_gnt {
            ensure!(next.job == now.job, "the step goes on without a grant");
        }
    }
    for (lp, shown) in out.lp.iter().enumerate() {
        ensure!(shown.done || !(shown.l2_hit || shown.l3_hit), "{lp} hits without an end");
        ensure!(!(shown.l2_hit && shown.l3_hit), "{lp} hits both caches");
        ensure!(!shown.done || shown.req_ready, "{lp} may not go on");
        let accepted = shown.req_ready && inputs.lp[lp].req_valid;
        let began = now.lp[lp].stage == Stage::None && next.lp[lp].stage != Stage::None;
        ensure!(accepted == began, "{lp}: accepted {accepted}, began {began}");
    }
    let answer = &next.answer;
    ensure!(answer.reg_done == inputs.reg.valid, "a request is answered in the next cycle, and nothing else is");
    ensure!(answer.reg_done || answer.reg_result == RegResult::Done, "a result without an answer");
    Ok(())
}
