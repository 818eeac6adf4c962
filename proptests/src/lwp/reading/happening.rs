//! The happenings at the ports, in program order.

use lwp_model::lwp::{BranchKind, Control, Fault, MemCmd, Mode};

/// A missing load of an instruction, with the latency that its entry or the core reports.
#[derive(Clone, Debug)]
pub(super) struct Miss {
    /// Whether it is a miss; otherwise it is only the replayed load.
    pub(super) missed: bool,
    /// Whether it is the replayed load.
    pub(super) tagged: bool,
    pub(super) addr_valid: bool,
    pub(super) addr: u64,
    pub(super) latency: u32,
    pub(super) source: u8,
}

/// The unit's cut of the group that an instruction was part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// The group ended here.
    Here,
    /// The group continued, so this instruction gathered nothing.
    No,
    /// The instruction was the last of the group in any case.
    Last,
}

/// A retired instruction, or loads of one that retires later.
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    pub(super) mode: Mode,
    pub(super) counts: bool,
    pub(super) ip: u64,
    pub(super) kind: BranchKind,
    pub(super) taken: bool,
    pub(super) pred_valid: bool,
    pub(super) pred_ok: bool,
    pub(super) next: u64,
    pub(super) misses: Vec<Miss>,
    pub(super) cut: Cut,
}

/// A memory access that was granted, with its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) cmd: MemCmd,
    pub(super) addr: u64,
    pub(super) be: u8,
    pub(super) wdata: u64,
    pub(super) rdata: u64,
    /// Whether the access met a page fault, so that it had no effect.
    pub(super) err: bool,
}

impl Access {
    /// Returns the address of the first byte that is enabled.
    pub(super) fn first_byte(&self) -> u64 {
        self.addr.wrapping_add(u64::from(self.be.trailing_zeros() & 7))
    }
}

/// The return of the data of a missing load.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill {
    pub(super) mode: Mode,
    pub(super) ip: u64,
    pub(super) latency: u32,
    pub(super) source: u8,
    /// Whether the unit asked for the replay.
    pub(super) flushed: bool,
    /// Whether something else happened before the unit could show its reaction to the data.
    pub(super) cut_short: bool,
}

/// An operation of the control port and the mode in which it was accepted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub(super) ctl: Control,
    pub(super) mode: Mode,
}

/// The result of an operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) fault: Fault,
    pub(super) write: bool,
    pub(super) addr: u64,
    pub(super) rdata: u64,
}

/// The state of the ports in one cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) time: u64,
    pub(super) ring3: bool,
    /// Whether the mode is that of the two previous cycles.
    pub(super) steady: bool,
    /// Whether an operation is in progress.
    pub(super) operating: bool,
    /// Whether a request is asserted, or a response of the memory is awaited.
    pub(super) busy: bool,
    pub(super) irq: bool,
    pub(super) pf: bool,
    pub(super) drain: bool,
    pub(super) track: bool,
    pub(super) msr0: u32,
}

/// One thing that happens.
#[derive(Clone, Debug)]
pub(super) enum Happening {
    /// Reset: all registers have their reset values.
    Reset,
    Cycle(Look),
    /// Loads of an instruction that retires later.
    Loads(Instruction),
    Retired(Instruction),
    /// A fill, before anything else that happens in its cycle.
    FillArrives,
    /// The same fill, after everything else in its cycle, with the reaction of the unit.
    Fill(Fill),
    ReplayAborted,
    Entered,
    Left,
    Granted(Access),
    /// The response of the memory to the access that was granted last.
    Answered,
    Accepted(Operation),
    Done(Answer),
    PageFault {
        write: bool,
        abort: bool,
        addr: u64,
    },
    PageFaultTaken,
    Interrupt,
    InterruptTaken,
    /// A violation of a rule of the ports by the core.
    Broken(&'static str),
}
