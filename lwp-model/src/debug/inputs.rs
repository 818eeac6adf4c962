//! Inputs of one cycle.

use crate::choice::choice;
use crate::retire::{ACCESS_PORTS, Access, Branch, Flags, IntKind, Io, Mode, RegRequest, Retired, Transaction};

/// Kind of an instruction that retires, as far as debug exceptions depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum LaneKind {
    /// Any other instruction.
    #[default]
    Other = 0,
    /// INT n, or INTO that is taken.
    IntN = 1,
    /// INT3.
    Int3 = 2,
    /// INT1.
    Int1 = 3,
    /// IRET.
    Iret = 4,
    /// An instruction that switched tasks.
    TaskSwitch = 5,
    /// Not used, acts as other.
    Unused6 = 6,
    /// Not used, acts as other.
    Unused7 = 7,
}

choice!(LaneKind {
    Other = "other",
    IntN = "INT n",
    Int3 = "INT3",
    Int1 = "INT1",
    Iret = "IRET",
    TaskSwitch = "task switch",
    Unused6 = "unused 6",
    Unused7 = "unused 7",
});

/// What the debug unit alone watches of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Special {
    /// Kind of the instruction.
    pub kind: LaneKind,
    /// RF of the image that was loaded. Valid with IRET and task switch.
    pub rf_image: bool,
    /// T of the new task's TSS. Valid with task switch.
    pub t_flag: bool,
}

/// What a retire lane shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// The instruction that retires.
    pub retired: Retired,
    /// Its transfer of control.
    pub branch: Branch,
    /// Its accesses to data.
    pub accesses: [Access; ACCESS_PORTS],
    /// Its flags.
    pub flags: Flags,
    /// Its transaction.
    pub transaction: Transaction,
    /// What the debug unit alone watches.
    pub debug: Special,
}

/// An interruption, in a cycle of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interrupted {
    /// An interruption is delivered in this cycle. The other fields are valid with it.
    pub valid: bool,
    /// Kind of the interruption.
    pub kind: IntKind,
    /// Address of the instruction before which it is taken.
    pub from: u64,
    /// The exception is no fault. Valid with kind exception.
    pub trap: bool,
    /// It is delivered through a task gate.
    pub task: bool,
    /// RF of the new task's image. Valid with `task`.
    pub rf: bool,
    /// T of the new task's TSS. Valid with `task`.
    pub t: bool,
}

/// The question whether an instruction may be executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// The core asks in this cycle.
    pub valid: bool,
    /// The instruction, or the MOV DR of the register request, is inside an RTM region. Valid with `valid`, and with a register request.
    pub in_tx: bool,
    /// Address of its first byte. Valid with `valid`.
    pub ip: u64,
}

/// Inputs of one cycle, in the order of the RTL's ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs<const LANES: usize> {
    /// Lane 0 shows accesses of an instruction that has not retired; nothing retires.
    pub partial: bool,
    /// The retire lanes, in program order.
    pub lanes: [Lane; LANES],
    /// I/O of the instruction in lane 0.
    pub io: Io,
    /// Privilege and operating mode.
    pub mode: Mode,
    /// An interruption.
    pub int: Interrupted,
    /// CR4.DE.
    pub de: bool,
    /// IA32_DEBUGCTL.BTF.
    pub btf: bool,
    /// IA32_DEBUGCTL.RTM.
    pub rtm_debug: bool,
    /// A question.
    pub ask: Ask,
    /// The core takes the pending request.
    pub db_ack: bool,
    /// A register request.
    pub reg: RegRequest,
}

impl<const LANES: usize> Default for Inputs<LANES> {
    fn default() -> Self {
        Self {
            partial: false,
            lanes: [Lane::default(); LANES],
            io: Io::default(),
            mode: Mode::default(),
            int: Interrupted::default(),
            de: false,
            btf: false,
            rtm_debug: false,
            ask: Ask::default(),
            db_ack: false,
            reg: RegRequest::default(),
        }
    }
}
