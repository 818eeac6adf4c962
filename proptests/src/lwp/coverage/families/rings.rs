//! The ring buffer, its threshold, and the records that end in it.

use super::super::cover::Cover;
use super::super::moment::{
    Access, Ending, HeadPlace, Moment, RecordEnd, RingShape, RingState, TailMoved, ThresholdState,
};
use super::axes::{MISSED, TAIL_REREAD, WRITE_ON_FULL};
use crate::coverage::Bins;
use crate::coverage::Declared;

pub(super) const DECLARED: &[Declared] = &[
    Declared {
        id: Cover::RingShape.id(),
        title: "ring and its shape, at the end of a record",
        axes: &[RingState::AXIS, RingShape::AXIS],
    },
    Declared {
        id: Cover::ThresholdMissed.id(),
        title: "threshold and events missed, at the end of a record",
        axes: &[ThresholdState::AXIS, MISSED],
    },
    Declared {
        id: Cover::RecordEnd.id(),
        title: "how a record ends, in which ring, with or without a written slot",
        axes: &[RecordEnd::AXIS, RingState::AXIS, WRITE_ON_FULL],
    },
    Declared {
        id: Cover::TailRead.id(),
        title: "tail as read, and when it is read",
        axes: &[TailMoved::AXIS, TAIL_REREAD],
    },
    Declared {
        id: Cover::HeadPlace.id(),
        title: "how a record ends, place of the head, shape",
        axes: &[RecordEnd::AXIS, HeadPlace::AXIS, RingShape::AXIS],
    },
];

pub(super) fn sample(moment: &Moment<'_>, bins: &mut Bins) {
    let now = moment.now;
    if let (Some(end), Some(ring)) = (moment.record_end, moment.ring) {
        let shape = RingShape::of(now.block.size);
        bins.hit(Cover::RingShape, [ring.into(), shape.into()]);
        bins.hit(Cover::RecordEnd, [end.into(), ring.into(), moment.straps.write_on_full as usize]);
        bins.hit(Cover::HeadPlace, [end.into(), HeadPlace::of(now).into(), shape.into()]);
        let missed = match now.ring.missed {
            0 => 0,
            1 => 1,
            u16::MAX => 3,
            _ => 2,
        };
        bins.hit(Cover::ThresholdMissed, [ThresholdState::of(moment.next).into(), missed]);
    }
    let tail = moment.ended.filter(|ended| ended.access == Access::Tail);
    if tail.is_some_and(|ended| matches!(ended.ending, Ending::Answered | Ending::Retried)) {
        let read = (moment.seen.mem.rdata >> 32) as u32;
        bins.hit(Cover::TailRead, [TailMoved::of(now, read).into(), moment.straps.tail_reread as usize]);
    }
}
