//! The threshold interrupt.

use super::super::cover::Cover;
use super::super::moment::{InterruptFate, Moment, Privilege, interrupts};
use super::axes::STORE;
use crate::coverage::Bins;
use crate::coverage::Declared;

pub(super) const DECLARED: &[Declared] = &[
    Declared {
        id: Cover::Interrupt.id(),
        title: "interrupt and privilege",
        axes: &[InterruptFate::AXIS, Privilege::AXIS],
    },
    Declared {
        id: Cover::InterruptSituation.id(),
        title: "interrupt and store machine",
        axes: &[InterruptFate::AXIS, STORE],
    },
];

pub(super) fn sample(moment: &Moment<'_>, bins: &mut Bins) {
    interrupts(moment, |fate| {
        bins.hit(Cover::Interrupt, [fate.into(), Privilege::of(moment.seen.mode).into()]);
        bins.hit(Cover::InterruptSituation, [fate.into(), moment.now.store.st as usize]);
    });
}
