//! Events: counted, gathered, waiting, lost.

use super::super::cover::Cover;
use super::super::moment::{Fate, LoadFate, Moment, RingState, fates, is_branch, load_fate, lost};
use super::axes::{BRANCH, BRANCH_FATE, CUT, EVENT, FAULT_POLICY, GATHERED, OP_MODE, QUEUE, SOURCE, STORE};
use super::queue;
use crate::coverage::Bins;
use crate::coverage::Declared;
use lwp_model::lwp::BranchKind;

pub(super) const DECLARED: &[Declared] = &[
    Declared { id: Cover::EventFate.id(), title: "what happens to an event", axes: &[EVENT, Fate::AXIS] },
    Declared {
        id: Cover::EventRing.id(),
        title: "event and ring when its record ends",
        axes: &[EVENT, RingState::AXIS],
    },
    Declared { id: Cover::EventStore.id(), title: "gathered event and store machine", axes: &[EVENT, STORE] },
    Declared { id: Cover::EventMode.id(), title: "gathered event and operating mode", axes: &[EVENT, OP_MODE] },
    Declared { id: Cover::QueueGrowth.id(), title: "records on their way and gathered", axes: &[QUEUE, GATHERED] },
    Declared { id: Cover::EventCut.id(), title: "event and lane after which its group is cut", axes: &[EVENT, CUT] },
    Declared { id: Cover::BranchFate.id(), title: "branch kind and whether it counts", axes: &[BRANCH, BRANCH_FATE] },
    Declared {
        id: Cover::LoadFate.id(),
        title: "source of a load and what filters make of it",
        axes: &[SOURCE, LoadFate::AXIS],
    },
    Declared {
        id: Cover::EventFaultPolicy.id(),
        title: "event whose record is lost or undone, by fault policy",
        axes: &[EVENT, FAULT_POLICY],
    },
];

pub(super) fn sample(moment: &Moment<'_>, bins: &mut Bins) {
    fates(moment, |event, fate| bins.hit(Cover::EventFate, [event, fate.into()]));
    let number = moment.gathered.iter().filter(|gathered| **gathered).count();
    for event in (0..3).filter(|&event| moment.gathered[event]) {
        bins.hit(Cover::EventStore, [event, moment.now.store.st as usize]);
        bins.hit(Cover::EventMode, [event, moment.seen.mode.op_mode as usize]);
        if moment.next.retire.cut_valid {
            bins.hit(Cover::EventCut, [event, cut(moment)]);
        }
    }
    if moment.counting {
        bins.hit(Cover::QueueGrowth, [queue(moment.now), number]);
        instructions(moment, bins);
    }
    if let (Some(_), Some(ring), Some(event)) = (moment.record_end, moment.ring, first(moment)) {
        bins.hit(Cover::EventRing, [event, ring.into()]);
    }
    for event in 0..3 {
        if matches!(lost(moment, event), Some(Fate::LostFault | Fate::Undone)) {
            bins.hit(Cover::EventFaultPolicy, [event, moment.straps.fault_policy as usize]);
        }
    }
}

/// Returns the index of the event whose record is being stored.
fn first(moment: &Moment<'_>) -> Option<usize> {
    usize::from(moment.now.records[0].event).checked_sub(1)
}

fn cut(moment: &Moment<'_>) -> usize {
    let (lane, lanes) = (usize::from(moment.next.retire.cut_lane), moment.seen.lanes.len());
    match lane {
        _ if lanes == 1 => 0,
        0 => 1,
        _ if lane + 1 == lanes => 3,
        _ => 2,
    }
}

fn instructions(moment: &Moment<'_>, bins: &mut Bins) {
    let lanes = if moment.seen.partial { &moment.seen.lanes[..1] } else { moment.seen.lanes };
    for lane in lanes.iter().filter(|lane| lane.valid && lane.counts) {
        if !moment.seen.partial {
            let fate = if !is_branch(lane.branch_kind) {
                2
            } else {
                usize::from(lane.branch_kind == BranchKind::Jmp && moment.now.block.filter.ndb())
            };
            bins.hit(Cover::BranchFate, [lane.branch_kind as usize, fate]);
        }
        for load in &lane.loads {
            if let Some(fate) = load_fate(moment, load) {
                bins.hit(Cover::LoadFate, [usize::from(load.source & 7), fate.into()]);
            }
        }
    }
}
