//! Requests to the core stand until acknowledged, and the interrupt rises exactly on the crossing. LWP-RPT-03, LWP-RPT-06,
//! LWP-RPT-07, LWP-INT-02, LWP-INT-06, LWP-FLT-01.

use super::{Step, ensure};
use lwp_model::lwp::StoreState;

pub(super) fn check<const W: usize>(step: &Step<'_, W>) -> Result<(), String> {
    let (now, next) = (&step.now.requests, &step.next.requests);
    ensure!(next.irq || !now.irq || step.inputs.irq_ack, "the interrupt falls without acknowledge");
    ensure!(next.pf_valid || !now.pf_valid || step.inputs.pf_ack, "the page fault falls without acknowledge");
    let session = &step.now.session;
    if step.now.store_st == StoreState::Report {
        // Signed, with one addition, as the proposal has it.
        let difference = i64::from(session.head) - i64::from(session.tail);
        let used = if difference < 0 { difference + i64::from(session.size) } else { difference };
        let enabled = session.flags.int() && session.msr0.interrupt();
        let crossing = session.threshold != 0 && used == i64::from(session.threshold) && enabled;
        ensure!(next.irq || !crossing, "no interrupt at {used} bytes");
        ensure!(!next.irq || crossing || now.irq, "an interrupt at {used} bytes, threshold {}", session.threshold);
    } else {
        ensure!(now.irq || !next.irq, "an interrupt out of {:?}", step.now.store_st);
    }
    if next.pf_valid && !now.pf_valid {
        ensure!(step.response() == Some(false), "a page fault without a failed access");
    }
    Ok(())
}
