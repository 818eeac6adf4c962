//! The threshold interrupt.

use super::{Moment, ThresholdState};
use crate::coverage::axis;
use lwp_model::lwp::{CtlOp, CtlState, Fault, StoreState};

axis! {
    /// An event of the interrupt in a cycle; several may happen at once.
    InterruptFate "interrupt" {
        /// The crossing raises the interrupt at once.
        Raised = "raised",
        /// The crossing starts the delay.
        Delayed = "delay started",
        /// A crossing happens during a delay.
        Merged = "merged with a delayed one",
        /// A crossing happens while the interrupt is already pending.
        Again = "crossed while it stands",
        /// The block masks a crossing.
        MaskedBlock = "masked by Flags",
        /// LWPMSR0 masks a crossing.
        MaskedMsr0 = "masked by LWPMSR0",
        /// The delay has ended and raises the interrupt.
        DelayedRaised = "raised after the delay",
        /// The delay has ended and LWPMSR0 masks the interrupt.
        DelayedMasked = "masked after the delay",
        /// The interrupt is acknowledged.
        Taken = "taken",
        /// The interrupt rises in the cycle of an acknowledgement.
        TakenAgain = "raised while taken",
        /// An acknowledgement comes without an interrupt.
        Stray = "acknowledged without cause",
        /// A restore raises the interrupt again.
        Restored = "restored",
    }
}

/// Calls `hit` with each event of the interrupt.
pub(crate) fn interrupts(moment: &Moment<'_>, mut hit: impl FnMut(InterruptFate)) {
    let (now, next) = (&moment.now.irq, &moment.next.irq);
    if moment.now.store.st == StoreState::Report {
        crossing(moment, &mut hit);
    }
    if now.count == 1 {
        let enabled = moment.now.session.msr0.interrupt();
        hit(if enabled { InterruptFate::DelayedRaised } else { InterruptFate::DelayedMasked });
    }
    if moment.seen.irq_ack {
        hit(match (now.valid, next.valid) {
            (true, false) => InterruptFate::Taken,
            (true, true) => InterruptFate::TakenAgain,
            (false, _) => InterruptFate::Stray,
        });
    }
    let ctl = &moment.now.ctl;
    let answers = ctl.st == CtlState::Wait && ctl.op == CtlOp::Restore && moment.next.ctl.st == CtlState::Done;
    // A refused restore restores nothing, and has its result while a crossing may raise the interrupt.
    let restores = answers && moment.next.ctl.fault == Fault::None;
    if restores && next.valid && !now.valid && now.count != 1 {
        hit(InterruptFate::Restored);
    }
}

/// Calls `hit` if the head has moved and meets the threshold.
fn crossing(moment: &Moment<'_>, hit: &mut impl FnMut(InterruptFate)) {
    let now = moment.now;
    if ThresholdState::of(now) != ThresholdState::Met {
        return;
    }
    hit(if !now.block.flags.int() {
        InterruptFate::MaskedBlock
    } else if !now.session.msr0.interrupt() {
        InterruptFate::MaskedMsr0
    } else if moment.straps.irq_delay != 0 {
        if now.irq.count > 0 { InterruptFate::Merged } else { InterruptFate::Delayed }
    } else if now.irq.valid {
        InterruptFate::Again
    } else {
        InterruptFate::Raised
    });
}

#[cfg(test)]
mod tests {
    use super::super::{History, Seen};
    use super::*;
    use lwp_model::lwp::{Config, Inputs, Mode, State};

    /// Returns the events of the interrupt when a restore ends with `fault` while `store_st` raises the interrupt.
    fn answered(fault: Fault, store_st: StoreState) -> Vec<usize> {
        let (straps, inputs) = (Config::default(), Inputs::<1>::default());
        let mut now = State::default();
        now.store.st = store_st;
        (now.ctl.st, now.ctl.op, now.ctl.fault) = (CtlState::Wait, CtlOp::Restore, fault);
        let mut next = now;
        (next.ctl.st, next.irq.valid) = (CtlState::Done, true);
        let mut history = History::default();
        let moment = Moment::of(&straps, &[], 31, Seen::of(&inputs), &now, &next, Mode::default(), &mut history);
        let mut fates = Vec::new();
        interrupts(&moment, |fate| fates.push(fate.into()));
        fates
    }

    #[test]
    fn a_refused_restore_next_to_a_crossing_restores_nothing() {
        assert_eq!(answered(Fault::GeneralProtection, StoreState::Report), Vec::<usize>::new());
        assert_eq!(answered(Fault::None, StoreState::Idle), [usize::from(InterruptFate::Restored)]);
    }
}
