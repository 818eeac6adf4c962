//! The threshold interrupt.

use super::super::cover::Cover;
use super::super::layout::Declared;
use super::super::moment::{InterruptFate, Moment, Privilege, interrupts};
use super::super::sampler::Bins;
use super::axes::STORE;

pub(super) const DECLARED: &[Declared] = &[
    Declared {
        cover: Cover::Interrupt,
        title: "interrupt and privilege",
        axes: &[InterruptFate::AXIS, Privilege::AXIS],
    },
    Declared {
        cover: Cover::InterruptSituation,
        title: "interrupt and store machine",
        axes: &[InterruptFate::AXIS, STORE],
    },
];

pub(super) fn sample(moment: &Moment<'_>, bins: &mut Bins) {
    interrupts(moment, |fate| {
        bins.hit(Cover::Interrupt, [fate.into(), Privilege::of(moment.seen.mode).into()]);
        bins.hit(Cover::InterruptSituation, [fate.into(), moment.now.store_st as usize]);
    });
}
