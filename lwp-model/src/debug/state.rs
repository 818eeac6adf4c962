//! Every register of the unit, in the order of the RTL's `state_t`. All reset to zero.

use super::config::Config;
use crate::choice::choice;
use crate::retire::RegResult;
use lwp_regs::debug::{BreakpointAddress, Dr6, Dr7, Slot, Slots};

/// Class of a debug exception.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum DbClass {
    /// Behind the instruction that caused it.
    #[default]
    Trap = 0,
    /// Before the instruction that caused it.
    Fault = 1,
    /// The RTM region is aborted; no exception is delivered.
    Abort = 2,
    /// The RTM region is undone; the exception is delivered at XBEGIN.
    Rollback = 3,
}

choice!(DbClass { Trap = "trap", Fault = "fault", Abort = "abort", Rollback = "rollback" });

/// The bits of DR6 that are registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// B0 to B3.
    pub b: Slots,
    /// BD.
    pub bd: bool,
    /// BS.
    pub bs: bool,
    /// BT.
    pub bt: bool,
    /// Whether RTM, bit 16, is 0.
    pub in_tx: bool,
}

impl From<Status> for Dr6 {
    #[inline]
    fn from(status: Status) -> Self {
        let Status { b, bd, bs, bt, in_tx } = status;
        Self::RESET.with_conditions(b).with_bd(bd).with_bs(bs).with_bt(bt).with_in_transaction(in_tx)
    }
}

impl From<Dr6> for Status {
    #[inline]
    fn from(dr6: Dr6) -> Self {
        Self { b: dr6.conditions(), bd: dr6.bd(), bs: dr6.bs(), bt: dr6.bt(), in_tx: dr6.in_transaction() }
    }
}

/// The bits of DR7 that are registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// L0, G0 to L3, G3: bits 7:0.
    pub enable: u8,
    /// LE.
    pub le: bool,
    /// GE.
    pub ge: bool,
    /// RTM.
    pub rtm: bool,
    /// GD.
    pub gd: bool,
    /// R/W0, LEN0 to R/W3, LEN3: bits 31:16.
    pub kind: u16,
}

/// Lowest bit of [`Control::kind`] in DR7.
const KIND_LSB: u32 = 16;

impl From<Control> for Dr7 {
    #[inline]
    fn from(control: Control) -> Self {
        let Control { enable, le, ge, rtm, gd, kind } = control;
        let pairs = u64::from(enable) | u64::from(kind) << KIND_LSB;
        Self::from_bits(Self::RESET.into_bits() | pairs).with_le(le).with_ge(ge).with_rtm(rtm).with_gd(gd)
    }
}

impl From<Dr7> for Control {
    #[inline]
    fn from(dr7: Dr7) -> Self {
        let bits = dr7.into_bits();
        Self {
            enable: bits as u8,
            le: dr7.le(),
            ge: dr7.ge(),
            rtm: dr7.rtm(),
            gd: dr7.gd(),
            kind: (bits >> KIND_LSB) as u16,
        }
    }
}

/// What SMI keeps and RSM restores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SmmCopies {
    /// DR6.
    pub dr6: Status,
    /// DR7.
    pub dr7: Control,
    /// RF of the image that a frame would have had.
    pub rf: bool,
}

/// DR0 to DR3, DR6 and DR7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// DR0 to DR3.
    pub address: [BreakpointAddress; Slot::COUNT],
    /// DR6.
    pub dr6: Status,
    /// DR7.
    pub dr7: Control,
    /// Copies of the last SMI.
    pub smm: SmmCopies,
}

/// What decides whether the next instruction is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// EFLAGS.RF before the next instruction.
    pub rf: bool,
    /// The last accepted instruction was an SS load that casts a shadow.
    pub shadow: bool,
    /// The last accepted lane was an iteration, not the last one.
    pub in_rep: bool,
    /// The next instruction was asked for, and may execute.
    pub passed: bool,
    /// Number of that iteration in its fast string group, from 0.
    pub string_n: u8,
}

impl Flags {
    /// Whether the shadow of an SS load lets the next instruction pass its breakpoints.
    #[inline]
    pub(super) const fn skips(self, straps: &Config) -> bool {
        self.shadow && !straps.ss_fetch
    }

    /// Whether a frame that is pushed now has RF = 1 because of a repetition.
    #[inline]
    pub(super) const fn sets_rf(self, straps: &Config) -> bool {
        self.in_rep && !straps.rep_rf
    }
}

/// Breakpoints whose condition was met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Those that are on.
    pub hit: Slots,
    /// Those that are off. Empty unless the strap `status_off` is 1.
    pub off: Slots,
}

/// The pending request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// A request is pending.
    pub db_valid: bool,
    /// Its class.
    pub db_class: DbClass,
    /// B0 to B3 to be reported.
    pub db_b: Slots,
    /// BD to be reported.
    pub db_bd: bool,
    /// BS to be reported.
    pub db_bs: bool,
    /// BT to be reported.
    pub db_bt: bool,
}

/// The cut of the last cycle's group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The group was cut.
    pub cut_valid: bool,
    /// The instruction in the lane has not been accepted either.
    pub cut_before: bool,
    /// Number of the lane.
    pub cut_lane: u8,
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskRegs {
    /// The question of the last cycle is answered.
    pub ask_done: bool,
}

/// The frame of the last cycle's interruption.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The interruption is noted.
    pub frame_valid: bool,
    /// RF of the image that is pushed.
    pub frame_rf: bool,
}

/// The answer to a register request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The result of the last cycle's request is valid.
    pub reg_done: bool,
    /// Result of the request.
    pub reg_result: RegResult,
    /// Value of a MOV from DR that is done; otherwise 0.
    pub reg_rdata: u64,
}

/// Every register of the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// DR0 to DR3, DR6 and DR7.
    pub registers: Registers,
    /// What decides whether the next instruction is checked.
    pub flags: Flags,
    /// Data breakpoints that were hit and are not delivered yet.
    pub held: Held,
    /// The pending request.
    pub request: Request,
    /// The cut of the last cycle's group.
    pub cut: Cut,
    /// The answer to a question.
    pub ask: AskRegs,
    /// The frame of the last cycle's interruption.
    pub frame: Frame,
    /// The answer to a register request.
    pub answer: Answer,
}
