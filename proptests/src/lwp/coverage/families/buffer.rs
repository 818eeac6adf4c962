//! The miss address buffer, the tagged load, the candidate load.

use super::super::cover::Cover;
use super::super::moment::{LatencyClass, Moment, latency_class};
use super::axes::{ENTRY, LATENCY_SOURCE, LATENCY_STEP};
use crate::coverage::Bins;
use crate::coverage::Declared;
use crate::coverage::axis;
use lwp_model::lwp::{LatencySource, StoreState};

axis! {
    /// An event of an entry.
    EntryFate "happens" {
        /// A load takes the entry.
        Taken = "taken",
        /// A load takes the entry while another load waits in it.
        TakenAgain = "taken while counting",
        /// The data of the entry returns.
        Filled = "filled",
        /// Data returns for an entry in which no load waits.
        FilledIdle = "filled while idle",
        /// The entry is taken and its data returns in the same cycle.
        Both = "taken and filled",
    }
}
axis! {
    /// An event of the tagged load.
    TagFate "tag" {
        /// A load is tagged.
        Tagged = "tagged",
        /// Its replay retires and is recorded.
        Recorded = "recorded",
        /// Its replay retires and is not recorded.
        Unrecorded = "used up without a record",
        /// Its loads came in a partial cycle, so it is now the candidate.
        Candidate = "became the candidate",
        /// The replay was aborted.
        Aborted = "aborted",
        /// Ring 3 was left.
        Left = "lost on leaving",
        /// Its instruction was undone.
        Undone = "undone",
    }
}
axis! {
    /// An event of the candidate.
    CandidateFate "candidate" {
        /// A load becomes the candidate.
        Kept = "kept",
        /// Its instruction retires and is recorded.
        Recorded = "recorded",
        /// Its instruction retires and is not recorded.
        Unrecorded = "retired without a record",
        /// Ring 3 or the session was left.
        Left = "lost on leaving",
        /// The counter was reloaded.
        Reloaded = "lost in a reload",
        /// Its instruction was undone.
        Undone = "undone",
    }
}

pub(super) const DECLARED: &[Declared] = &[
    Declared {
        id: Cover::BufferEntry.id(),
        title: "entry of the miss address buffer",
        axes: &[ENTRY, EntryFate::AXIS],
    },
    Declared {
        id: Cover::Latency.id(),
        title: "latency of a load, who measures it, in what steps",
        axes: &[LatencyClass::AXIS, LATENCY_SOURCE, LATENCY_STEP],
    },
    Declared { id: Cover::TagLife.id(), title: "tagged load", axes: &[TagFate::AXIS] },
    Declared { id: Cover::CandidateLife.id(), title: "candidate load", axes: &[CandidateFate::AXIS] },
];

pub(super) fn sample(moment: &Moment<'_>, bins: &mut Bins) {
    if moment.straps.latency_source == LatencySource::Buffer {
        entries(moment, bins);
    }
    let (source, step) = (moment.straps.latency_source as usize, moment.straps.latency_step as usize);
    if moment.counting {
        for load in moment.seen.lanes.iter().filter(|lane| lane.valid && lane.counts).flat_map(|lane| &lane.loads) {
            if load.miss {
                bins.hit(Cover::Latency, [latency_class(moment, load).into(), source, step]);
            }
        }
    }
    if let Some(fate) = tag(moment) {
        bins.hit(Cover::TagLife, [fate.into()]);
    }
    if let Some(fate) = candidate(moment) {
        bins.hit(Cover::CandidateLife, [fate.into()]);
    }
}

fn entries(moment: &Moment<'_>, bins: &mut Bins) {
    let buffer = moment.seen.buffer;
    let counting = |entry: u8| moment.now.mab.entries[usize::from(entry & 7)].counting;
    let (taken, filled) = (buffer.alloc_entry & 7, buffer.fill_entry & 7);
    let both = buffer.alloc_valid && buffer.fill_valid && taken == filled;
    let mut hit = |entry: u8, fate: EntryFate| bins.hit(Cover::BufferEntry, [entry.into(), fate.into()]);
    if both {
        hit(taken, EntryFate::Both);
        return;
    }
    if buffer.alloc_valid {
        hit(taken, if counting(taken) { EntryFate::TakenAgain } else { EntryFate::Taken });
    }
    if buffer.fill_valid {
        hit(filled, if counting(filled) { EntryFate::Filled } else { EntryFate::FilledIdle });
    }
}

/// Whether the instruction was undone in this cycle.
fn undone(moment: &Moment<'_>) -> bool {
    moment.now.undo.valid && moment.next.pf.abort && moment.ended.is_some_and(|ended| ended.ending.is_fault())
}

fn tag(moment: &Moment<'_>) -> Option<TagFate> {
    let (now, next) = (moment.now, moment.next);
    match (now.tag.valid, next.tag.valid) {
        (false, true) => return Some(TagFate::Tagged),
        (true, false) => {}
        _ => return None,
    }
    Some(if !moment.ring3 || !now.session.active {
        TagFate::Left
    } else if undone(moment) {
        TagFate::Undone
    } else if moment.gathered[2] {
        TagFate::Recorded
    } else if !now.cand.valid && next.cand.valid {
        TagFate::Candidate
    } else if moment.seen.buffer.replay_abort {
        TagFate::Aborted
    } else {
        TagFate::Unrecorded
    })
}

fn candidate(moment: &Moment<'_>) -> Option<CandidateFate> {
    let (now, next) = (moment.now, moment.next);
    match (now.cand.valid, next.cand.valid) {
        (false, true) => return Some(CandidateFate::Kept),
        (true, false) => {}
        _ => return None,
    }
    Some(if !moment.ring3 || !now.session.active {
        CandidateFate::Left
    } else if undone(moment) {
        CandidateFate::Undone
    } else if moment.gathered[2] {
        CandidateFate::Recorded
    } else if now.store.st == StoreState::Reset && now.records[0].event == 3 {
        CandidateFate::Reloaded
    } else {
        CandidateFate::Unrecorded
    })
}
