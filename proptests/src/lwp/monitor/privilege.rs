//! Outside ring 3 no record is gathered, and only an explicit operation accesses memory.

use super::{Step, ensure};
use lwp_model::lwp::{CtlOp, CtlState, State, StoreState};

pub(super) fn check<const W: usize>(step: &Step<'_, W>) -> Result<(), String> {
    let (now, next) = (step.now, step.next);
    let explicit = now.ctl.st != CtlState::Idle && !now.ctl.init;
    let issued = step.next_out.mem_req && !step.out.mem_req;
    // LWP-SEC-08, LWP-SMM-01, LWP-CTX-13
    ensure!(!issued || step.ring3() || explicit, "an access to {:#x} outside ring 3", step.next_out.mem_addr);
    // LWP-OVR-07, LWP-MSR0-15
    ensure!(!issued || now.session.msr0.enabled(), "an access to {:#x} while disabled", step.next_out.mem_addr);
    if !step.ring3() {
        let begun = now.store.st == StoreState::Idle && next.store.st != StoreState::Idle;
        ensure!(!begun, "a store begins outside ring 3");
        let records = |state: &State| state.records.iter().filter(|record| record.event != 0).count();
        let restored = now.ctl.st == CtlState::Wait && now.ctl.op == CtlOp::Restore;
        // LWP-SEC-01, LWP-SMM-01
        ensure!(restored || records(next) <= records(now), "a record is gathered outside ring 3");
        ensure!(!next.tag.valid && !step.next_out.flush_req, "a load is tagged outside ring 3");
        ensure!(!next.cand.valid, "a candidate outside ring 3");
        let raised = step.next_out.pf_valid && !step.out.pf_valid;
        ensure!(!raised, "a page-fault trap outside ring 3");
        if !explicit {
            ensure!(!step.next_out.mem_req, "a request is asserted in the second cycle outside ring 3");
        }
    }
    // LWP-OVR-07
    ensure!(!next.session.active || next.session.msr0.enabled(), "active while disabled");
    ensure!(!(next.session.active && next.session.init_pending), "active and not yet loaded");
    ensure!(next.session.lwpcb != 0 || !next.session.active, "active without a block");
    Ok(())
}
