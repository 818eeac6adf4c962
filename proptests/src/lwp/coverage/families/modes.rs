//! Modes, and the effects of leaving and entering ring 3.

use super::super::cover::Cover;
use super::super::moment::{Moment, RingState, SessionKind};
use super::axes::{CONTROL, CPL, LEAVE_POLICY, LEFT_FOR, OP_MODE, OP_MODE_NEXT, PORT, SMM, STORE};
use super::port;
use crate::coverage::Bins;
use crate::coverage::Declared;

pub(super) const DECLARED: &[Declared] = &[
    Declared { id: Cover::Mode.id(), title: "mode", axes: &[CPL, SMM, OP_MODE] },
    Declared {
        id: Cover::LeaveStore.id(),
        title: "ring 3 is left: for what, store machine, leave policy",
        axes: &[LEFT_FOR, STORE, LEAVE_POLICY],
    },
    Declared { id: Cover::LeaveControl.id(), title: "ring 3 is left: control machine, port", axes: &[CONTROL, PORT] },
    Declared {
        id: Cover::EnterSession.id(),
        title: "ring 3 is entered: session, leave policy",
        axes: &[SessionKind::AXIS, LEAVE_POLICY],
    },
    Declared { id: Cover::LeaveRing.id(), title: "ring 3 is left: ring", axes: &[RingState::AXIS] },
    Declared {
        id: Cover::ModeChange.id(),
        title: "the operating mode changes while a session runs",
        axes: &[OP_MODE, OP_MODE_NEXT],
    },
];

pub(super) fn sample(moment: &Moment<'_>, bins: &mut Bins) {
    let (now, mode, before) = (moment.now, moment.seen.mode, moment.mode_before);
    let policy = moment.straps.leave_policy as usize;
    bins.hit(Cover::Mode, [usize::from(mode.cpl & 3), usize::from(mode.smm), mode.op_mode as usize]);
    if moment.leaves() {
        bins.hit(Cover::LeaveStore, [usize::from(mode.smm), now.store.st as usize, policy]);
        bins.hit(Cover::LeaveControl, [now.ctl.st as usize, port(&now.port)]);
        if let Some(ring) = moment.ring {
            bins.hit(Cover::LeaveRing, [ring.into()]);
        }
    }
    if moment.enters() {
        bins.hit(Cover::EnterSession, [moment.session.into(), policy]);
    }
    if before.op_mode != mode.op_mode && now.session.active {
        bins.hit(Cover::ModeChange, [before.op_mode as usize, mode.op_mode as usize]);
    }
}
