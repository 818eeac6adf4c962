//! Accesses to memory and their endings.

use super::super::cover::Cover;
use super::super::moment::{Access, Ended, Ending, Moment, Operation, RingState};
use super::axes::{FAULT_POLICY, SOME_QUEUE};
use super::queue;
use crate::coverage::Axis;
use crate::coverage::Bins;
use crate::coverage::Declared;
use crate::coverage::axis;

axis! {
    /// The purpose of an access of the control state machine.
    Purpose "for" {
        /// LLWPCB.
        Start = "LLWPCB",
        /// SLWPCB.
        Store = "SLWPCB",
        /// A read of LWPMSR1.
        ReadMsr1 = "RDMSR LWPMSR1",
        /// A write of LWPMSR1.
        WriteMsr1 = "WRMSR LWPMSR1",
        /// The deferred initialisation.
        Init = "initialisation",
        /// The reload of a restored session.
        Reload = "reload",
        /// Going back to the old session after an operation that failed.
        Back = "going back",
    }
}

/// The number of accesses of the store state machine, which are the first of all accesses.
const STORE_ACCESSES: usize = Access::ProbeFirst as usize;
const STORE_ACCESS: Axis = Axis { name: "access", values: Access::AXIS.values.split_at(STORE_ACCESSES).0 };
/// Accesses of the control state machine: the others.
const CONTROL_ACCESS: Axis = Axis { name: "access", values: Access::AXIS.values.split_at(STORE_ACCESSES).1 };

pub(super) const DECLARED: &[Declared] = &[
    Declared { id: Cover::AccessEnding.id(), title: "access and how it ends", axes: &[Access::AXIS, Ending::AXIS] },
    Declared {
        id: Cover::StoreFaultPolicy.id(),
        title: "fault policy, access, how it ends",
        axes: &[FAULT_POLICY, STORE_ACCESS, Ending::AXIS],
    },
    Declared {
        id: Cover::StoreFaultRing.id(),
        title: "access of the store that faults, and ring",
        axes: &[STORE_ACCESS, RingState::AXIS],
    },
    Declared {
        id: Cover::ControlFault.id(),
        title: "access of control that faults, and what for",
        axes: &[CONTROL_ACCESS, Purpose::AXIS],
    },
    Declared {
        id: Cover::FaultQueue.id(),
        title: "fault policy and records on their way when the store faults",
        axes: &[FAULT_POLICY, SOME_QUEUE],
    },
];

pub(super) fn sample(moment: &Moment<'_>, bins: &mut Bins) {
    let Some(Ended { access, ending }) = moment.ended else { return };
    let policy = moment.straps.fault_policy as usize;
    bins.hit(Cover::AccessEnding, [access.into(), ending.into()]);
    let of_store = (Ended { access, ending }).of_store();
    if of_store {
        bins.hit(Cover::StoreFaultPolicy, [policy, access.into(), ending.into()]);
    }
    if !ending.is_fault() {
        return;
    }
    if of_store {
        if let Some(ring) = moment.ring {
            bins.hit(Cover::StoreFaultRing, [access.into(), ring.into()]);
        }
        if let Some(waiting) = queue(moment.now).checked_sub(1) {
            bins.hit(Cover::FaultQueue, [policy, waiting]);
        }
    } else {
        bins.hit(Cover::ControlFault, [access as usize - STORE_ACCESSES, purpose(moment).into()]);
    }
}

fn purpose(moment: &Moment<'_>) -> Purpose {
    let ctl = &moment.now.ctl;
    if ctl.init {
        return if moment.now.session.reload { Purpose::Reload } else { Purpose::Init };
    }
    if moment.went_back && moment.now.ctl.fault != lwp_model::lwp::Fault::None {
        return Purpose::Back;
    }
    match Operation::of(ctl) {
        Operation::Store => Purpose::Store,
        Operation::ReadMsr1 => Purpose::ReadMsr1,
        Operation::StartMsr1 | Operation::StopMsr1 => Purpose::WriteMsr1,
        _ => Purpose::Start,
    }
}
