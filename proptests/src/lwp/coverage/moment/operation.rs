//! Operations of the control port, and their results.

use super::Moment;
use crate::coverage::axis;
use lwp_model::lwp::{ControlRegs, CtlOp, CtlState, Fault};

axis! {
    /// The kind of an operation.
    Operation "operation" {
        /// LLWPCB with a pointer.
        Start = "LLWPCB",
        /// LLWPCB with 0.
        Stop = "LLWPCB 0",
        /// SLWPCB.
        Store = "SLWPCB",
        /// RDMSR of LWPMSR0.
        ReadMsr0 = "RDMSR LWPMSR0",
        /// WRMSR of LWPMSR0.
        WriteMsr0 = "WRMSR LWPMSR0",
        /// RDMSR of LWPMSR1.
        ReadMsr1 = "RDMSR LWPMSR1",
        /// WRMSR of LWPMSR1 with a pointer.
        StartMsr1 = "WRMSR LWPMSR1",
        /// WRMSR of LWPMSR1 with 0.
        StopMsr1 = "WRMSR LWPMSR1 0",
        /// Save.
        Save = "save",
        /// Restore.
        Restore = "restore",
        /// A reserved code.
        Reserved = "reserved code",
    }
}

impl Operation {
    /// Returns the operation in progress.
    pub(crate) const fn of(ctl: &ControlRegs) -> Self {
        match (ctl.op, ctl.arg) {
            (CtlOp::Llwpcb, 0) => Self::Stop,
            (CtlOp::Llwpcb, _) => Self::Start,
            (CtlOp::Slwpcb, _) => Self::Store,
            (CtlOp::ReadMsr0, _) => Self::ReadMsr0,
            (CtlOp::WriteMsr0, _) => Self::WriteMsr0,
            (CtlOp::ReadMsr1, _) => Self::ReadMsr1,
            (CtlOp::WriteMsr1, 0) => Self::StopMsr1,
            (CtlOp::WriteMsr1, _) => Self::StartMsr1,
            (CtlOp::Save, _) => Self::Save,
            (CtlOp::Restore, _) => Self::Restore,
            _ => Self::Reserved,
        }
    }
}

axis! {
    /// The result of an operation.
    OpEnding "answer" {
        /// Success.
        Done = "done",
        /// #UD.
        InvalidOpcode = "#UD",
        /// #GP.
        GeneralProtection = "#GP",
        /// #PF of a read.
        PageFaultRead = "#PF read",
        /// #PF of a write or a probe.
        PageFaultWrite = "#PF write",
        /// #PF after the old session was flushed; the session runs again.
        CameBack = "#PF and back",
        /// The same, but its block faulted, too: the session is to be loaded.
        BackPending = "#PF and back later",
        /// The same, but its block was no longer valid.
        BackLost = "#PF and lost",
    }
}

/// Returns the operation that ends in this cycle, and its result.
pub(crate) fn ended(moment: &Moment<'_>) -> Option<(Operation, OpEnding)> {
    let ctl = &moment.now.ctl;
    if ctl.st != CtlState::Done {
        return None;
    }
    let session = &moment.now.session;
    let ending = match ctl.fault {
        Fault::None => OpEnding::Done,
        Fault::InvalidOpcode => OpEnding::InvalidOpcode,
        Fault::GeneralProtection => OpEnding::GeneralProtection,
        Fault::PageFault if moment.went_back && session.active => OpEnding::CameBack,
        Fault::PageFault if moment.went_back && session.init_pending => OpEnding::BackPending,
        Fault::PageFault if moment.went_back => OpEnding::BackLost,
        Fault::PageFault if ctl.fault_write => OpEnding::PageFaultWrite,
        Fault::PageFault => OpEnding::PageFaultRead,
    };
    Some((Operation::of(ctl), ending))
}
