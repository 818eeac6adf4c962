//! The fates of events: counted, waiting, gathered, lost.

use super::{LoadFate, Moment, RecordEnd, load_fate};
use crate::coverage::axis;
use lwp_model::lwp::{BranchKind, CtlState, State, StoreState};

axis! {
    /// The fate of an event in a cycle; several may apply.
    Fate "fate" {
        /// Its counter was decremented.
        Counted = "counted",
        /// Its counter reached zero.
        Expired = "expired",
        /// A record of it was gathered.
        Gathered = "gathered",
        /// It occurred with the counter at zero, and no record was gathered.
        Waited = "waited at zero",
        /// It occurred in the cycle in which its counter was reloaded.
        HeldBack = "held back by its reload",
        /// A filter dropped it.
        Filtered = "filtered",
        /// It occurred, but no slot selects it.
        NotSelected = "not selected",
        /// It occurred, but LWPMSR0 disables it.
        Disabled = "disabled in LWPMSR0",
        /// It occurred, but no session runs.
        NoSession = "no session",
        /// It occurred outside ring 3.
        Privileged = "blocked by privilege",
        /// It was presented while the unit stalls.
        Stalled = "ignored in a stall",
        /// Its record was published.
        Published = "published",
        /// Its record was missed.
        Missed = "missed",
        /// Its record was dropped on leaving ring 3.
        LostLeaving = "dropped on leaving",
        /// Its record was dropped by a page fault.
        LostFault = "dropped by a fault",
        /// Its instruction was undone.
        Undone = "undone",
        /// Its record was dropped by an operation.
        LostOperation = "dropped by an operation",
    }
}

const EVENTS: usize = 3;

fn queued(state: &State, index: usize) -> bool {
    state.records.iter().any(|record| usize::from(record.event) == index + 1)
}

/// Returns which events had a record gathered in this cycle. Records that an operation restores are not gathered.
pub(crate) fn gathered(now: &State, next: &State) -> [bool; EVENTS] {
    let idle = now.ctl.st == CtlState::Idle;
    core::array::from_fn(|index| idle && queued(next, index) && !queued(now, index))
}

/// Whether this kind is a branch that retires, independent of the filter.
pub(crate) const fn is_branch(kind: BranchKind) -> bool {
    !matches!(kind, BranchKind::None | BranchKind::System)
}

/// Returns the occurrences that would count, and those that a filter drops.
fn occurrences(moment: &Moment<'_>) -> ([bool; EVENTS], [bool; EVENTS]) {
    let (mut found, mut dropped) = ([false; EVENTS], [false; EVENTS]);
    let lanes = if moment.seen.partial { &moment.seen.lanes[..1] } else { moment.seen.lanes };
    for lane in lanes.iter().filter(|lane| lane.valid && lane.counts) {
        if !moment.seen.partial {
            found[0] = true;
            let direct = lane.branch_kind == BranchKind::Jmp && moment.now.block.filter.ndb();
            found[1] |= is_branch(lane.branch_kind) && !direct;
            dropped[1] |= direct;
        }
        for fate in lane.loads.iter().filter_map(|load| load_fate(moment, load)) {
            found[2] |= fate == LoadFate::Eligible;
            dropped[2] |= matches!(fate, LoadFate::TooFast | LoadFate::WrongSource);
        }
    }
    (found, dropped)
}

/// Returns why the record of this event disappeared in this cycle, if it did without being stored.
pub(crate) fn lost(moment: &Moment<'_>, index: usize) -> Option<Fate> {
    let (now, next) = (moment.now, moment.next);
    let stored = now.store.st == StoreState::Reset && usize::from(now.records[0].event) == index + 1;
    if !queued(now, index) || queued(next, index) || stored {
        return None;
    }
    let fault = moment.ended.filter(|ended| ended.of_store() && ended.ending.is_fault() && moment.ring3);
    Some(if fault.is_some() {
        if next.pf.abort { Fate::Undone } else { Fate::LostFault }
    } else if now.ctl.st != CtlState::Idle {
        Fate::LostOperation
    } else {
        Fate::LostLeaving
    })
}

/// Calls `hit` with each event and its fate.
pub(crate) fn fates(moment: &Moment<'_>, mut hit: impl FnMut(usize, Fate)) {
    let (found, dropped) = occurrences(moment);
    for index in 0..EVENTS {
        happened(moment, index, &mut hit);
        if found[index] {
            occurred(moment, index, &mut hit);
        }
        if dropped[index] && moment.counting && live(moment, index) {
            hit(index, Fate::Filtered);
        }
    }
}

/// Calls `hit` with the fates that the registers show.
fn happened(moment: &Moment<'_>, index: usize, hit: &mut impl FnMut(usize, Fate)) {
    let (now, next) = (moment.now, moment.next);
    let (before, after) = (now.events[index].counter, next.events[index].counter);
    if moment.counting && after < before {
        hit(index, Fate::Counted);
        if after == 0 {
            hit(index, Fate::Expired);
        }
    }
    if moment.gathered[index] {
        hit(index, Fate::Gathered);
    }
    if usize::from(now.records[0].event) == index + 1 {
        match moment.record_end {
            Some(RecordEnd::Published | RecordEnd::Deferred) => hit(index, Fate::Published),
            Some(RecordEnd::Missed | RecordEnd::MissedHead) => hit(index, Fate::Missed),
            None => {}
        }
    }
    if let Some(fate) = lost(moment, index) {
        hit(index, fate);
    }
}

/// Calls `hit` with the reason why an occurrence that passes the filters counts or does not.
fn occurred(moment: &Moment<'_>, index: usize, hit: &mut impl FnMut(usize, Fate)) {
    let now = moment.now;
    let reloaded = now.store.st == StoreState::Reset && usize::from(now.records[0].event) == index + 1;
    if !moment.ring3 {
        hit(index, Fate::Privileged);
    } else if !now.session.active {
        hit(index, Fate::NoSession);
    } else if moment.stall {
        hit(index, Fate::Stalled);
    } else if !selected(moment, index) {
        hit(index, Fate::NotSelected);
    } else if !live(moment, index) {
        hit(index, Fate::Disabled);
    } else if reloaded {
        hit(index, Fate::HeldBack);
    } else if now.events[index].counter == 0 && !moment.gathered[index] {
        hit(index, Fate::Waited);
    }
}

fn selected(moment: &Moment<'_>, index: usize) -> bool {
    let flags = moment.now.block.flags;
    [flags.ire(), flags.bre(), flags.dme()][index]
}

fn live(moment: &Moment<'_>, index: usize) -> bool {
    let msr0 = moment.now.session.msr0;
    selected(moment, index) && [msr0.ire(), msr0.bre(), msr0.dme()][index]
}
