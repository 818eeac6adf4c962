//! Inputs of one cycle.

use crate::retire::{IntKind, OpMode, RegRequest};

/// What a logical processor asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LpInputs {
    /// Whether the logical processor accesses memory. The next three fields are valid with it.
    pub req_valid: bool,
    /// Whether the access writes.
    pub req_write: bool,
    /// Whether the access fetches code. Ignored with `req_write`.
    pub req_code: bool,
    /// Physical address of a byte of the line, 52 bits.
    pub req_addr: u64,
    /// Whether an interruption is delivered. Changes nothing.
    pub int_valid: bool,
    /// Kind of the interruption. Changes nothing.
    pub int_kind: IntKind,
}

/// What memory answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Whether the pending memory request is taken in this cycle.
    pub mem_gnt: bool,
    /// Whether the line belongs to memory of this package. Valid with `mem_gnt`.
    pub mem_local: bool,
    /// Whether the line that was asked for has arrived.
    pub mem_rvalid: bool,
}

/// Ways that shall have power.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Power {
    /// Ways of the L3 cache that shall have power, from way 0 upwards: 5 bits.
    pub l3_power: u8,
    /// Ways of the L2 cache that shall have power, from way 0 upwards: 4 bits.
    pub l2_power: u8,
}

/// Mode of the logical processor that makes the register request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModeInputs {
    /// Current privilege level: 2 bits.
    pub cpl: u8,
    /// Operating mode.
    pub op_mode: OpMode,
}

/// Inputs of one cycle, in the order of the RTL's ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs<const LPS: usize> {
    /// What each logical processor asks for.
    pub lp: [LpInputs; LPS],
    /// What memory answers.
    pub mem: Memory,
    /// Ways that shall have power.
    pub power: Power,
    /// Whether monitoring data are not available in this cycle.
    pub qm_unavailable: bool,
    /// Set that the probe shows in the next cycle: 12 bits.
    pub show: u16,
    /// Mode of the logical processor that makes the register request.
    pub mode: ModeInputs,
    /// A register request.
    pub reg: RegRequest,
}

impl<const LPS: usize> Default for Inputs<LPS> {
    fn default() -> Self {
        Self {
            lp: [LpInputs::default(); LPS],
            mem: Memory::default(),
            power: Power::default(),
            qm_unavailable: false,
            show: 0,
            mode: ModeInputs::default(),
            reg: RegRequest::default(),
        }
    }
}
