//! Straps: each value of each strap, and the situations that occur under it.

use super::super::cover::Cover;
use super::super::moment::{Ending, Moment, Operation, RingState, operation_ended};
use super::axes::{EVENT, STORE, STRAP};
use crate::coverage::Bins;
use crate::coverage::Declared;

pub(super) const DECLARED: &[Declared] = &[
    Declared { id: Cover::StrapValue.id(), title: "value of a strap", axes: &[STRAP] },
    Declared { id: Cover::StrapGather.id(), title: "strap and gathered event", axes: &[STRAP, EVENT] },
    Declared {
        id: Cover::StrapStore.id(),
        title: "strap and state that the store machine enters",
        axes: &[STRAP, STORE],
    },
    Declared { id: Cover::StrapEnding.id(), title: "strap and how an access ends", axes: &[STRAP, Ending::AXIS] },
    Declared { id: Cover::StrapRing.id(), title: "strap and ring when a record ends", axes: &[STRAP, RingState::AXIS] },
    Declared { id: Cover::StrapOperation.id(), title: "strap and operation answered", axes: &[STRAP, Operation::AXIS] },
];

pub(super) fn sample_run(values: &[usize], bins: &mut Bins) {
    for &value in values {
        bins.hit(Cover::StrapValue, [value]);
    }
}

pub(super) fn sample(moment: &Moment<'_>, bins: &mut Bins) {
    let mut each = |cover, what: usize| {
        for &value in moment.strap_values {
            bins.hit(cover, [value, what]);
        }
    };
    for event in (0..3).filter(|&event| moment.gathered[event]) {
        each(Cover::StrapGather, event);
    }
    if moment.next.store.st != moment.now.store.st {
        each(Cover::StrapStore, moment.next.store.st as usize);
    }
    if let Some(ended) = moment.ended {
        each(Cover::StrapEnding, ended.ending.into());
    }
    if let (Some(_), Some(ring)) = (moment.record_end, moment.ring) {
        each(Cover::StrapRing, ring.into());
    }
    if let Some((operation, _)) = operation_ended(moment) {
        each(Cover::StrapOperation, operation.into());
    }
}
