//! Requests to the core stay asserted until they are acknowledged, and the interrupt rises exactly on the crossing.

use super::{Step, ensure};
use lwp_model::lwp::{CtlOp, CtlState, State, StoreState};

pub(super) fn check<const W: usize>(step: &Step<'_, W>) -> Result<(), String> {
    let (out, next_out) = (step.out, step.next_out);
    let (now, next) = (&step.now.irq, &step.next.irq);
    // LWP-INT-06
    ensure!(next_out.irq || !out.irq || step.inputs.irq_ack, "the interrupt falls without acknowledge");
    ensure!(next_out.pf_valid || !out.pf_valid || step.inputs.pf_ack, "the page fault falls without acknowledge");
    let restored = step.now.ctl.st == CtlState::Wait && step.now.ctl.op == CtlOp::Restore;
    let due = step.now.store.st == StoreState::Report && crossing(step);
    let delayed = step.straps.irq_delay != 0;
    // LWP-RPT-03
    ensure!(next_out.irq || !due || delayed, "the threshold is crossed, and no interrupt rises: {}", ring(step));
    ensure!(
        next_out.irq || next.count != 0 || !due,
        "the threshold is crossed, and neither interrupt nor delay begins: {}",
        ring(step)
    );
    // A restored context may have a delay on a unit without one: it runs all the same.
    let late = now.count == 1 && step.now.session.msr0.interrupt();
    let on_time = late || due && !delayed;
    // LWP-RPT-03, LWP-RPT-06, LWP-RPT-07, LWP-INT-02
    ensure!(
        !next_out.irq || out.irq || on_time || restored,
        "the interrupt rises without a crossing or the end of a delay: {}, delay counter {}",
        ring(step),
        now.count
    );
    ensure!(next_out.irq || !late, "the delay runs out, and the interrupt does not rise: {}", ring(step));
    ensure!(restored || now.count == 0 || next.count == now.count - 1, "the delay stands still");
    if next_out.pf_valid && !out.pf_valid {
        // LWP-FLT-01
        ensure!(step.response() == Some(false), "a page fault without a failed access");
    }
    Ok(())
}

/// Returns a text of the ring and of the interrupt's enable bits, with their values.
fn ring<const W: usize>(step: &Step<'_, W>) -> String {
    let State { session, block, ring, .. } = step.now;
    let (head, tail, size, threshold) = (ring.head, ring.tail, block.size, block.threshold);
    let used = if head >= tail { head - tail } else { (head + size).saturating_sub(tail) };
    let enabled = |is: bool| if is { "enabled" } else { "masked" };
    format!(
        "store {:?}, head {head:#x}, tail {tail:#x}, {used} of {size} bytes used, threshold {threshold}, interrupt {} by Flags and {} \
         by LWPMSR0",
        step.now.store.st,
        enabled(block.flags.int()),
        enabled(session.msr0.interrupt())
    )
}

/// Whether the head that was just advanced meets the threshold. The calculation is signed, with one addition, as in the
/// proposal.
fn crossing<const W: usize>(step: &Step<'_, W>) -> bool {
    let State { session, block, ring, .. } = step.now;
    let difference = i64::from(ring.head) - i64::from(ring.tail);
    let used = if difference < 0 { difference + i64::from(block.size) } else { difference };
    let enabled = block.flags.int() && session.msr0.interrupt();
    block.threshold != 0 && used == i64::from(block.threshold) && enabled
}
