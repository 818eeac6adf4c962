//! Requests to the core stand until acknowledged, and the interrupt rises exactly on the crossing.

use super::{Step, ensure};
use lwp_model::lwp::{CtlOp, CtlState, State, StoreState};

pub(super) fn check<const W: usize>(step: &Step<'_, W>) -> Result<(), String> {
    let (out, next_out) = (step.out, step.next_out);
    let (now, next) = (&step.now.irq, &step.next.irq);
    // LWP-INT-06
    ensure!(next_out.irq || !out.irq || step.inputs.irq_ack, "the interrupt falls without acknowledge");
    ensure!(next_out.pf_valid || !out.pf_valid || step.inputs.pf_ack, "the page fault falls without acknowledge");
    let threshold = step.now.block.threshold;
    let restored = step.now.ctl.st == CtlState::Wait && step.now.ctl.op == CtlOp::Restore;
    let due = step.now.store.st == StoreState::Report && crossing(step);
    let delayed = step.straps.irq_delay != 0;
    // LWP-RPT-03
    ensure!(next_out.irq || !due || delayed, "no interrupt at the threshold {threshold}");
    ensure!(next_out.irq || next.count != 0 || !due, "no interrupt under way at the threshold {threshold}");
    let late = now.count == 1 && step.now.session.msr0.interrupt();
    let on_time = if delayed { late } else { due };
    // LWP-RPT-03, LWP-RPT-06, LWP-RPT-07, LWP-INT-02
    ensure!(!next_out.irq || out.irq || on_time || restored, "an interrupt out of {:?}", step.now.store.st);
    ensure!(next_out.irq || !late, "a delayed interrupt is lost");
    ensure!(restored || now.count < 2 || next.count == now.count - 1, "the delay stands still");
    if next_out.pf_valid && !out.pf_valid {
        // LWP-FLT-01
        ensure!(step.response() == Some(false), "a page fault without a failed access");
    }
    Ok(())
}

/// Whether the head that was just advanced meets the threshold: signed, with one addition, as the proposal has it.
fn crossing<const W: usize>(step: &Step<'_, W>) -> bool {
    let State { session, block, ring, .. } = step.now;
    let difference = i64::from(ring.head) - i64::from(ring.tail);
    let used = if difference < 0 { difference + i64::from(block.size) } else { difference };
    let enabled = block.flags.int() && session.msr0.interrupt();
    block.threshold != 0 && used == i64::from(block.threshold) && enabled
}
