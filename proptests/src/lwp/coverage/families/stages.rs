//! The two state machines, and the port between them and memory.

use super::super::cover::Cover;
use super::super::moment::Moment;
use super::axes::{CONTROL, CONTROL_NEXT, PORT, STORE, STORE_NEXT};
use super::port;
use crate::coverage::Bins;
use crate::coverage::Declared;
use lwp_model::lwp::State;

pub(super) const DECLARED: &[Declared] = &[
    Declared { id: Cover::StoreStep.id(), title: "step of the store machine", axes: &[STORE, STORE_NEXT] },
    Declared { id: Cover::ControlStep.id(), title: "step of the control machine", axes: &[CONTROL, CONTROL_NEXT] },
    Declared { id: Cover::StoreControl.id(), title: "both machines at a time", axes: &[STORE, CONTROL] },
    Declared { id: Cover::StorePort.id(), title: "store machine and port", axes: &[STORE, PORT] },
    Declared { id: Cover::ControlPort.id(), title: "control machine and port", axes: &[CONTROL, PORT] },
    Declared { id: Cover::StoreReset.id(), title: "store machine when a reset comes", axes: &[STORE] },
    Declared { id: Cover::ControlReset.id(), title: "control machine when a reset comes", axes: &[CONTROL] },
];

pub(super) fn sample(moment: &Moment<'_>, bins: &mut Bins) {
    let (now, next) = (moment.now, moment.next);
    let (store, control, at_port) = (now.store.st as usize, now.ctl.st as usize, port(&now.port));
    bins.hit(Cover::StoreStep, [store, next.store.st as usize]);
    bins.hit(Cover::ControlStep, [control, next.ctl.st as usize]);
    bins.hit(Cover::StoreControl, [store, control]);
    bins.hit(Cover::StorePort, [store, at_port]);
    bins.hit(Cover::ControlPort, [control, at_port]);
}

pub(super) fn sample_reset(before: &State, bins: &mut Bins) {
    bins.hit(Cover::StoreReset, [before.store.st as usize]);
    bins.hit(Cover::ControlReset, [before.ctl.st as usize]);
}
