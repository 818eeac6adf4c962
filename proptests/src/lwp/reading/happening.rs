//! What happens at the ports, in program order.

use lwp_model::lwp::{BranchKind, Control, Fault, MemCmd, Mode};

/// A missing load of an instruction, with the latency that its entry or the core reports.
#[derive(Clone, Debug)]
pub(super) struct Miss {
    /// It is a miss; else it is only the replayed load.
    pub(super) missed: bool,
    /// It is the replayed load.
    pub(super) tagged: bool,
    pub(super) addr_valid: bool,
    pub(super) addr: u64,
    pub(super) latency: u32,
    pub(super) source: u8,
}

/// What the unit said about the group that this instruction was part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// The group ended here.
    Here,
    /// The group went on, so this instruction gathered nothing.
    No,
    /// It was the last one anyway.
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

/// A memory access that was granted, with how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) cmd: MemCmd,
    pub(super) addr: u64,
    pub(super) be: u8,
    pub(super) wdata: u64,
    pub(super) rdata: u64,
    /// Page fault: nothing happened.
    pub(super) err: bool,
}

impl Access {
    /// The first byte that is meant.
    pub(super) fn first_byte(&self) -> u64 {
        self.addr.wrapping_add(u64::from(self.be.trailing_zeros() & 7))
    }
}

/// Data of a missing load has returned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill {
    pub(super) mode: Mode,
    pub(super) ip: u64,
    pub(super) latency: u32,
    pub(super) source: u8,
    /// The unit asked for the replay.
    pub(super) flushed: bool,
    /// Something else came up before the unit could show what it made of the data.
    pub(super) cut_short: bool,
}

/// An operation of the control port and the mode in which it was accepted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub(super) ctl: Control,
    pub(super) mode: Mode,
}

/// Its answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) fault: Fault,
    pub(super) write: bool,
    pub(super) addr: u64,
    pub(super) rdata: u64,
}

/// What the ports show in one cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) time: u64,
    pub(super) ring3: bool,
    /// The mode is that of the two cycles before.
    pub(super) steady: bool,
    /// An operation is under way.
    pub(super) operating: bool,
    /// A request stands, or an answer of the memory is awaited.
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
    /// All registers hold their reset values.
    Reset,
    Cycle(Look),
    /// Loads of an instruction that retires later.
    Loads(Instruction),
    Retired(Instruction),
    /// A fill, before anything else that happens in its cycle.
    FillArrives,
    /// The same fill, after them, and what the unit made of it.
    Fill(Fill),
    ReplayAborted,
    Entered,
    Left,
    Granted(Access),
    /// The memory answered the access that was granted last.
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
    /// The core breaks a rule of the ports.
    Broken(&'static str),
}
