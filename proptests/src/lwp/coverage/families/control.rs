//! Operations of the control port.

use super::super::cover::Cover;
use super::super::moment::{Moment, OpEnding, Operation, Privilege, SessionKind, operation_ended};
use super::axes::{CONTEXT, OP_MODE, STORE, WORD};
use crate::coverage::Bins;
use crate::coverage::Declared;
use crate::coverage::axis;
use lwp_model::lwp::{CtlOp, CtlState, Fault};

axis! {
    /// The result of loading a block.
    Loaded "block" {
        /// The block is valid, and its session runs.
        Good = "good",
        /// The size or the offsets are invalid.
        BadSize = "size unusable",
        /// No slot selects an event.
        NoEvent = "no event",
    }
}
axis! {
    /// The cause of a load.
    Loader "loaded by" {
        /// An operation in ring 3.
        Operation = "operation",
        /// The deferred initialisation.
        Init = "initialisation",
        /// The reload of a restored session.
        Reload = "reload",
        /// Going back after an operation that failed.
        Back = "going back",
    }
}

pub(super) const DECLARED: &[Declared] = &[
    Declared {
        id: Cover::OperationEnding.id(),
        title: "operation and answer",
        axes: &[Operation::AXIS, OpEnding::AXIS],
    },
    Declared {
        id: Cover::OperationMode.id(),
        title: "operation, operating mode, privilege, when accepted",
        axes: &[Operation::AXIS, OP_MODE, Privilege::AXIS],
    },
    Declared {
        id: Cover::OperationStore.id(),
        title: "operation and store machine when accepted",
        axes: &[Operation::AXIS, STORE],
    },
    Declared {
        id: Cover::OperationSession.id(),
        title: "operation and session when accepted",
        axes: &[Operation::AXIS, SessionKind::AXIS],
    },
    Declared {
        id: Cover::ContextWord.id(),
        title: "context word saved or restored, and session",
        axes: &[CONTEXT, WORD, SessionKind::AXIS],
    },
    Declared {
        id: Cover::LoadEnd.id(),
        title: "what a block turns out to be, and who loaded it",
        axes: &[Loaded::AXIS, Loader::AXIS],
    },
];

pub(super) fn sample(moment: &Moment<'_>, bins: &mut Bins) {
    let (now, next) = (moment.now, moment.next);
    if now.ctl.st == CtlState::Idle && next.ctl.st == CtlState::Wait {
        let operation = Operation::of(&next.ctl).into();
        bins.hit(
            Cover::OperationMode,
            [operation, moment.seen.mode.op_mode as usize, Privilege::of(moment.seen.mode).into()],
        );
        bins.hit(Cover::OperationStore, [operation, now.store.st as usize]);
        bins.hit(Cover::OperationSession, [operation, moment.session.into()]);
    }
    if let Some((operation, ending)) = operation_ended(moment) {
        bins.hit(Cover::OperationEnding, [operation.into(), ending.into()]);
    }
    context(moment, bins);
    if let Some((loaded, loader)) = loaded(moment) {
        bins.hit(Cover::LoadEnd, [loaded.into(), loader.into()]);
    }
}

/// Counts a context word in the cycle in which the state machine leaves *wait*.
fn context(moment: &Moment<'_>, bins: &mut Bins) {
    let ctl = &moment.now.ctl;
    let way = match ctl.op {
        CtlOp::Save => 0,
        CtlOp::Restore => 1,
        _ => return,
    };
    if ctl.st == CtlState::Wait && moment.next.ctl.st == CtlState::Done && ctl.fault == Fault::None {
        bins.hit(Cover::ContextWord, [way, usize::from(ctl.idx).min(10), moment.session.into()]);
    }
}

/// Returns the result and the cause of a load in the cycle of the response to its last access. Only a reload and going
/// back end without a write of Flags.
fn loaded(moment: &Moment<'_>) -> Option<(Loaded, Loader)> {
    let (now, next) = (moment.now, moment.next);
    let loader = match (now.ctl.st, now.ctl.init) {
        (CtlState::Flags, true) => Loader::Init,
        (CtlState::Flags, false) => Loader::Operation,
        (CtlState::Load, true) if now.session.reload => Loader::Reload,
        (CtlState::Load, false) if moment.went_back => Loader::Back,
        _ => return None,
    };
    let answered = moment.ended.is_some_and(|ended| !ended.ending.is_fault()) && moment.seen.mem.rvalid;
    let ends = answered && next.ctl.st != now.ctl.st && !next.session.reload;
    let session = &next.session;
    let judged = if session.active {
        Loaded::Good
    } else if next.block.size == 0 {
        Loaded::BadSize
    } else {
        Loaded::NoEvent
    };
    // A load that is abandoned leaves its session pending.
    (ends && !session.init_pending).then_some((judged, loader))
}
