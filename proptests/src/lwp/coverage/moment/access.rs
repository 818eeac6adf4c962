//! Accesses to memory, and their endings.

use super::Seen;
use crate::coverage::axis;
use lwp_model::lwp::{CtlState, Fault, State, StoreState};

axis! {
    /// The purpose of an access.
    Access "access" {
        /// Store: EventInterval.
        Interval = "interval",
        /// Store: the first 8 bytes of the record.
        FirstBeat = "record first beat",
        /// Store: the other beats of the record.
        LaterBeat = "record later beat",
        /// Store: BufferTailOffset.
        Tail = "tail",
        /// Store: BufferHeadOffset, which publishes.
        Head = "head",
        /// Store: BufferHeadOffset of a full ring.
        FullHead = "head of a full ring",
        /// Store: MissedEvents, read.
        MissRead = "missed read",
        /// Store: MissedEvents, written.
        MissWrite = "missed write",
        /// Control: the first bytes of the new block.
        ProbeFirst = "probe first",
        /// Control: the last bytes of the new block.
        ProbeLast = "probe last",
        /// Control: the head of the old session.
        FlushHead = "flush head",
        /// Control: a counter of the old session.
        FlushCounter = "flush counter",
        /// Control: MissedEvents, read.
        FlushMissRead = "flush missed read",
        /// Control: MissedEvents, written.
        FlushMissWrite = "flush missed write",
        /// Control: the first words of the block.
        LoadHeader = "load header",
        /// Control: a slot.
        LoadSlot = "load slot",
        /// Control: Flags.
        Flags = "flags",
    }
}

/// The number of purposes.
pub(crate) const ACCESSES: usize = Access::AXIS.values.len();

axis! {
    /// The ending of an access.
    Ending "ending" {
        /// A response.
        Answered = "answered",
        /// A response after the previous attempt had faulted.
        Retried = "answered after a fault",
        /// A fault that becomes a #PF trap.
        Trapped = "trapped",
        /// A fault that undoes the instruction.
        Aborted = "aborted",
        /// A fault that fails the operation.
        Failed = "failed the operation",
        /// A fault that is not reported.
        Silent = "faulted in silence",
        /// Ring 3 was left before the access was requested.
        NotIssued = "given up unrequested",
        /// Ring 3 was left before the request was granted.
        Withdrawn = "withdrawn",
        /// Ring 3 was left before the response came.
        Disowned = "disowned",
        /// Ring 3 was left in the cycle of the response.
        Ignored = "answer ignored",
    }
}

impl Ending {
    /// Whether the access faulted.
    pub(crate) const fn is_fault(self) -> bool {
        matches!(self, Self::Trapped | Self::Aborted | Self::Failed | Self::Silent)
    }
}

/// An access and its ending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) access: Access,
    pub(crate) ending: Ending,
}

impl Ended {
    /// Whether the access belongs to the store and not to control.
    pub(crate) fn of_store(&self) -> bool {
        (self.access as usize) < Access::ProbeFirst as usize
    }
}

/// The state that earlier cycles have left.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct History {
    /// Whether the last access of each purpose faulted.
    faulted: [bool; ACCESSES],
    /// Whether the operation in progress has failed and is going back to the old session.
    pub(crate) went_back: bool,
}

/// Returns the access that the unit makes or requests in this cycle.
pub(crate) fn wanted(state: &State) -> Option<Access> {
    let idx = state.ctl.idx;
    Some(match state.ctl.st {
        CtlState::Probe if idx == 0 => Access::ProbeFirst,
        CtlState::Probe => Access::ProbeLast,
        CtlState::Flush => match idx {
            0 => Access::FlushHead,
            1..=3 => Access::FlushCounter,
            4 => Access::FlushMissRead,
            _ => Access::FlushMissWrite,
        },
        CtlState::Load if idx < 4 => Access::LoadHeader,
        CtlState::Load => Access::LoadSlot,
        CtlState::Flags => Access::Flags,
        CtlState::Idle | CtlState::Wait | CtlState::Done => match state.store.st {
            StoreState::Interval => Access::Interval,
            StoreState::Write if state.store.beat == 0 => Access::FirstBeat,
            StoreState::Write => Access::LaterBeat,
            StoreState::Tail => Access::Tail,
            StoreState::Head => Access::Head,
            StoreState::FullHead => Access::FullHead,
            StoreState::MissRead => Access::MissRead,
            StoreState::MissWrite => Access::MissWrite,
            StoreState::Idle | StoreState::Report | StoreState::Reset => return None,
        },
    })
}

/// Returns the access in progress and its ending, if it ends in this cycle.
pub(crate) fn ended(now: &State, next: &State, seen: &Seen<'_>, history: &mut History) -> Option<Ended> {
    if now.ctl.st == CtlState::Idle {
        history.went_back = false;
    }
    // An operation that was refused has its result while the store continues.
    let accessing = matches!(now.ctl.st, CtlState::Probe | CtlState::Flush | CtlState::Load | CtlState::Flags);
    let operation = accessing && !now.ctl.init;
    if operation && now.ctl.fault == Fault::None && next.ctl.fault == Fault::PageFault && next.ctl.st == CtlState::Load
    {
        history.went_back = true;
    }
    let access = wanted(now)?;
    let ring3 = seen.mode.ring3();
    let taken = now.port.wait || now.port.req && seen.mem.gnt;
    let beyond = taken && matches!(access, Access::Head | Access::MissWrite | Access::Flags);
    let own_answer = now.port.wait && !now.port.drop && seen.mem.rvalid;
    let ending = if !ring3 && !operation && !beyond {
        given_up(now, taken, own_answer)
    } else if !own_answer {
        return None;
    } else if seen.mem.err {
        history.faulted[access as usize] = true;
        fault(next, operation, ring3)
    } else if core::mem::take(&mut history.faulted[access as usize]) {
        Ending::Retried
    } else {
        Ending::Answered
    };
    Some(Ended { access, ending })
}

fn given_up(now: &State, taken: bool, own_answer: bool) -> Ending {
    if own_answer {
        Ending::Ignored
    } else if now.port.drop || !now.port.req && !now.port.wait {
        Ending::NotIssued
    } else if taken {
        Ending::Disowned
    } else {
        Ending::Withdrawn
    }
}

fn fault(next: &State, operation: bool, ring3: bool) -> Ending {
    if operation {
        Ending::Failed
    } else if !ring3 {
        Ending::Silent
    } else if next.pf.abort {
        Ending::Aborted
    } else {
        Ending::Trapped
    }
}
